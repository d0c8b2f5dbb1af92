//! What each client is given so that it works with plan.md: which entries of which settings files, which whole files, and
//! what is left for a person to do. Data only; the settings room reads and writes.

use std::path::{Path, PathBuf};

use super::Variable;

/// How one client is set up.
pub trait Setup: Sync {
    /// The client's folder for `scope`: below the top of the repository, or absolute. None where no home is known.
    fn folder(&self, scope: Scope, variable: Variable<'_>) -> Option<PathBuf>;

    /// What is put in. `folder` is [`Setup::folder`].
    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, variable: Variable<'_>) -> Vec<Piece>;

    /// What a person still has to do afterwards. `top` is the repository's, absolute.
    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo>;

    /// True where entries of both scopes would run one after the other.
    fn runs_twice(&self) -> bool {
        true
    }
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The repository's, for everybody who works in it.
    Project,
    /// The user's own, for all repositories.
    User,
}

/// What the entries are made for.
#[derive(Clone, Copy, Debug)]
pub struct SetupRequest<'w> {
    /// Whose settings.
    pub scope: Scope,
    /// This program: `plan`, or an absolute path.
    pub program: &'w str,
    /// The same as a word of a shell.
    pub shell: &'w str,
    /// What plan.md is and how an agent works with it, for a model (`prompts/`).
    pub guide: &'w str,
    /// What the agent may call unasked.
    pub allow: Allow,
    /// What the client's reader does not take is taken out of a file, which is refused otherwise.
    pub remove_comments: bool,
}

/// What an agent may call unasked, where the client asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allow {
    /// What runs nothing. Signing off runs a verify, a command that the agent itself may have written: allowed, that would
    /// be a way round every other permission.
    Harmless,
    /// Everything of `plan`.
    All,
    /// What an install may have allowed, one way or the other: for taking it out.
    Either,
}

/// What goes into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Below the top of the repository, or absolute.
    pub file: PathBuf,
    /// The client's other name for the same file, taken where only that one is there.
    pub or: Option<PathBuf>,
    /// What goes in.
    pub content: Content,
    /// What the client takes of JSON.
    pub dialect: JsonDialect,
}

impl Piece {
    /// A piece of a file that has one name, in a format that the client reads as it is written.
    pub fn new(file: PathBuf, content: Content) -> Self {
        Piece { file, or: None, content, dialect: JsonDialect::ANY }
    }

    /// Entries of a JSON document that the client reads by `dialect`.
    pub fn json(file: PathBuf, dialect: JsonDialect, entries: Vec<Entry>) -> Self {
        Piece { dialect, ..Piece::new(file, Content::Json(entries)) }
    }
}

/// What a client's reader takes beside JSON. With anything more in it, the client drops the whole file, and mostly in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonDialect {
    /// `//` and `/* */`.
    pub comments: bool,
    /// A comma after the last entry.
    pub trailing_commas: bool,
    /// U+FEFF in front of it.
    pub byte_order_mark: bool,
}

impl JsonDialect {
    /// All that any client takes.
    pub const ANY: JsonDialect = JsonDialect { comments: true, trailing_commas: true, byte_order_mark: true };
}

/// What goes into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Entries of a JSON document.
    Json(Vec<Entry>),
    /// A table at the end of a TOML document: its name by dots, its lines below the header, and the call in it.
    Table(&'static str, String, Call),
    /// The whole file. It says itself that `plan install` wrote it.
    Whole(String),
}

/// The words after the program by which an entry is known as ours, whatever program it names: `["hook", "claude"]`.
pub type Call = &'static [&'static str];

/// An entry of a JSON document. Values are JSON text, so that the order of members is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A group below `hooks.EVENT`.
    Hook {
        /// The client's name of the event.
        event: &'static str,
        /// The group: an object with a list `hooks`.
        group: String,
        /// The call in it.
        call: Call,
    },
    /// A member of an object.
    Member {
        /// Where the object is.
        path: &'static [&'static str],
        /// The member's name.
        name: &'static str,
        /// Its value.
        value: String,
        /// The call in it.
        call: Call,
        /// Where another one is there, that one stays, and nothing is said against it.
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

/// Something that a person has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    /// In words.
    pub say: String,
    /// How to tell that it is done.
    pub done: Completion,
}

/// How to tell that something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// It cannot be told.
    Unknown,
    /// Never: it is how the client is to be used from now on.
    Standing,
    /// This is there.
    Exists(PathBuf),
    /// A JSON or TOML file holds one of the values, or a list with it, at one of the paths.
    Says {
        /// The file; `.toml` by its name, else JSON.
        file: PathBuf,
        /// Where it may stand.
        paths: Vec<Vec<String>>,
        /// What it may be: JSON text.
        values: &'static [&'static str],
    },
    /// Codex says that it trusts the hooks of this folder.
    CodexTrusts(PathBuf),
}

/// How the first line of a whole file of ours begins, after the comment's sign.
pub const MARK: &str = "Written by `plan install ";

/// The line by which a whole file says who wrote it.
pub(super) fn mark(host: &str) -> String {
    format!("{MARK}{host}`; `plan uninstall {host}` removes it.")
}

/// A JSON string.
pub(super) fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// The client looks for the project's settings in the folder that it is started in, and nowhere above it.
pub(super) fn start_at_top(host: &str) -> Todo {
    Todo {
        say: format!(
            "start `{host}` at the top of the repository: from a subfolder it finds none of this, and the agent gets no plan. \
             To install it for every folder: plan uninstall {host} && plan install {host} --scope user"
        ),
        done: Completion::Standing,
    }
}

/// The keys of one entry a project: each folder from `top` upward, below `above`.
pub(super) fn each_folder(above: &[&str], top: &Path, below: &[&str]) -> Vec<Vec<String>> {
    let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let key = |folder: &Path| [owned(above), vec![folder.to_string_lossy().into_owned()], owned(below)].concat();
    top.ancestors().map(key).collect()
}

/// The entry of an MCP server as most clients have it: members in front, program, arguments, members behind.
pub(super) fn server(program: &str, front: &str, behind: &str) -> String {
    format!("{{{front}\"command\":{},\"args\":[\"mcp\"]{behind}}}", text(program))
}

/// A folder below the home folder, or the one that `variable` names instead.
pub(super) fn home(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    super::home(variable, instead, below).filter(|path| path.is_absolute())
}
