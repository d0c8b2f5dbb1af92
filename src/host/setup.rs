//! The set-up of each client: entries in its settings files, whole files, and the tasks left for a person. This module only holds
//! data; the room `settings` reads and writes the files.

use std::path::{Path, PathBuf};

use super::Variable;

/// The set-up of one client.
pub trait Setup: Sync {
    /// Returns one or two sentences for the help of `plan install`: the files that get entries.
    fn adds(&self) -> &'static str;

    /// Returns the client's folder for `scope`: relative to the top of the repository, or absolute. `None` if no home is known.
    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf>;

    /// Returns the pieces to install. `folder` is [`Setup::folder`].
    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, variable: Variable<'_>) -> Vec<Piece>;

    /// Returns the tasks left for a person afterwards. `top`: the top of the repository, absolute.
    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo>;

    /// Returns true if the client would run the entries of both scopes, one after the other.
    fn runs_twice(&self) -> bool {
        true
    }
}

/// The owner of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupScope {
    /// The repository's, for everybody who works in it.
    Project,
    /// The user's own, for all repositories.
    User,
}

/// The parameters of an install or uninstall.
#[derive(Clone, Copy, Debug)]
pub struct SetupRequest<'w> {
    /// The owner of the settings.
    pub scope: SetupScope,
    /// This program: `plan`, or an absolute path.
    pub program: &'w str,
    /// The same program as a word of a shell.
    pub shell: &'w str,
    /// The guide to plan.md for a model (`prompts/`).
    pub guide: &'w str,
    /// The commands that the agent may call without asking.
    pub allow: Allow,
    /// If true, removes the parts of a file that the client's reader does not accept. Otherwise such a file is refused.
    pub remove_comments: bool,
}

/// The commands that an agent may call without asking, in a client that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allow {
    /// Commands that run nothing. A sign-off runs a verify, which the agent itself may have written: allowing it would bypass every
    /// other permission.
    Harmless,
    /// Every `plan` command.
    All,
    /// Everything that an install may have allowed, for an uninstall.
    Either,
}

/// One file of a set-up, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The path of the file: relative to the top of the repository, or absolute.
    pub file: PathBuf,
    /// The client's other name for the file, used if only that one exists.
    pub or: Option<PathBuf>,
    /// The content to install.
    pub content: Content,
    /// The JSON dialect that the client's reader accepts.
    pub dialect: JsonDialect,
}

impl Piece {
    /// Creates a piece for a file with only one name, in a format without dialects.
    pub fn new(file: PathBuf, content: Content) -> Self {
        Piece { file, or: None, content, dialect: JsonDialect::ANY }
    }

    /// Creates a piece with entries of a JSON document that the client reads by `dialect`.
    pub fn json(file: PathBuf, dialect: JsonDialect, entries: Vec<SettingsEntry>) -> Self {
        Piece { dialect, ..Piece::new(file, Content::Json(entries)) }
    }
}

/// The extensions of JSON that a client's reader accepts. If a file has any other extension, the client ignores the whole file,
/// usually without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonDialect {
    /// `//` and `/* */`.
    pub comments: bool,
    /// A comma after the last entry.
    pub trailing_commas: bool,
    /// U+FEFF at the start of the file.
    pub byte_order_mark: bool,
}

impl JsonDialect {
    /// All extensions that any client accepts.
    pub const ANY: JsonDialect = JsonDialect { comments: true, trailing_commas: true, byte_order_mark: true };
}

/// The content of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Entries of a JSON document.
    Json(Vec<SettingsEntry>),
    /// A table at the end of a TOML document: its dotted name, the lines below its header, and the words of its call.
    Table(&'static str, String, CallWords),
    /// A whole file, which says that `plan install` wrote it.
    Whole(String),
}

/// The words after the program, such as `["hook", "claude"]`. They mark an entry as ours, whatever program it names.
pub type CallWords = &'static [&'static str];

/// An entry of a JSON document. Values are JSON text, so that the order of members is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsEntry {
    /// A group below `hooks.EVENT`.
    Hook {
        /// The client's name for the event.
        event: &'static str,
        /// The group: an object with a list `hooks`.
        group: String,
        /// The words of its call.
        call: CallWords,
    },
    /// A member of an object.
    Member {
        /// Where the object is.
        path: &'static [&'static str],
        /// The member's name.
        name: &'static str,
        /// The member's value.
        value: String,
        /// The words of its call.
        call: CallWords,
        /// True if another value that is already there stays; that is no error then.
        yields: bool,
    },
    /// Texts in a list.
    Texts {
        /// Where the object with the list is.
        path: &'static [&'static str],
        /// The list's name in it.
        name: &'static str,
        /// The texts.
        texts: Vec<&'static str>,
    },
}

/// A task for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    /// The task in words.
    pub say: String,
    /// The way to tell that the task is done.
    pub done: Completion,
}

/// The way to tell that a task is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// We cannot tell.
    Unknown,
    /// The task is never done: it says how to use the client from now on.
    Standing,
    /// This path exists.
    Exists(PathBuf),
    /// A JSON or TOML file has one of the values, or a list that contains one, at one of the paths.
    Says {
        /// The file: TOML if its name ends in `.toml`, else JSON.
        file: PathBuf,
        /// The possible places.
        paths: Vec<Vec<String>>,
        /// The accepted values, as JSON.
        values: &'static [&'static str],
    },
    /// Codex reports that it trusts the hooks of this folder.
    CodexTrusts(PathBuf),
}

/// The beginning of the line that marks a whole file as ours, after the comment sign.
pub const MARK: &str = "Written by `plan install ";

/// Returns the line that marks a whole file as ours.
pub(super) fn mark(host: &str) -> String {
    format!("{MARK}{host}`; `plan uninstall {host}` removes it.")
}

/// Returns `value` as a JSON string.
pub(super) fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// Returns the task for a client that looks for project settings only in the folder that it is started in.
pub(super) fn start_at_top(host: &str) -> Todo {
    Todo {
        say: format!(
            "start `{host}` at the top of the repository: from a subfolder it finds none of this, and the agent gets no plan. \
             To install it for every folder: plan uninstall {host} && plan install {host} --scope user"
        ),
        done: Completion::Standing,
    }
}

/// Returns the paths of a per-project entry, for each folder from `top` upward: `above`, the folder, `below`.
pub(super) fn each_folder(above: &[&str], top: &Path, below: &[&str]) -> Vec<Vec<String>> {
    let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let key = |folder: &Path| [owned(above), vec![folder.to_string_lossy().into_owned()], owned(below)].concat();
    top.ancestors().map(key).collect()
}

/// Returns the entry of an MCP server in the form of most clients: `front`, program, arguments, `behind`.
pub(super) fn server(program: &str, front: &str, behind: &str) -> String {
    format!("{{{front}\"command\":{},\"args\":[\"mcp\"]{behind}}}", text(program))
}

/// Returns a folder below the home folder, or the folder in the variable `instead`, if it is absolute.
pub(super) fn home(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    super::home(variable, instead, below).filter(|path| path.is_absolute())
}
