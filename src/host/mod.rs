//! Hosts: the coding agents that judge, work and call hooks. One file per host, one trait, one table (`ARCHITECTURE.md`, rooms).
//!
//! A host knows how to call its client, as a judge or for one turn of the loop, and where to find the answer afterwards. It
//! starts nothing and decides nothing: `signoff::judge` and `agent` run the command and read the answer.

mod claude;
mod codex;
mod gemini;
pub mod hook;
pub mod opencode;
mod payload;
pub mod pi;
mod qwen;
pub mod setup;
#[cfg(test)]
mod tests;
mod tool_call;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use hook::{Hooks, Reply};
pub use payload::mend;
pub use setup::Setup;

/// All hosts, in the order in which users see them.
pub const HOSTS: [&dyn Host; 6] =
    [&claude::Claude, &codex::Codex, &pi::Pi, &gemini::Gemini, &opencode::Opencode, &qwen::Qwen];

/// Reads one environment variable. It is a closure so that tests can set the environment.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// One coding agent's command-line client.
pub trait Host: Sync {
    /// Returns the name in a judge REF (`CLI.md`, judge), which is also the name of the program on `PATH`.
    fn name(&self) -> &'static str;

    /// Returns the name of the product.
    fn title(&self) -> &'static str;

    /// Returns the client's hooks.
    fn hooks(&self) -> &'static dyn Hooks;

    /// Returns the settings that make the client work with plan.md.
    fn setup(&self) -> &'static dyn Setup;

    /// Returns the session that started this process, if the environment shows a session of this host.
    fn session(&self, variable: Variable<'_>) -> Option<Session>;

    /// Returns the model that answered last, from the end of the client's conversation file. `None` if the session reports its
    /// model in another way, or not at all.
    fn model_in(&self, _conversation: &[u8]) -> Option<String> {
        None
    }

    /// Returns the name of the client's package folder, if npm installed it.
    fn package(&self) -> &'static str;

    /// Returns the variables that describe an outer session, which a judge must not inherit. A final `*` matches any ending.
    fn session_variables(&self) -> &'static [&'static str];

    /// Returns the variables that can redirect the client to a model, a service or code that is not its vendor's.
    fn redirecting_variables(&self) -> &'static [&'static str];

    /// Returns true if the client runs its model's commands in a sandbox of its own, which fails inside another sandbox.
    fn sandboxes_itself(&self) -> bool;

    /// Returns the folders and files that the client must be able to write, including its login. Empty if no home is known.
    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf>;

    /// Returns the command for a read-only judge. The prompt goes only to its standard input (`SIGNOFF.md` §5). The prompt names
    /// [`JudgeCall::root`], because not every client is started there.
    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand;

    /// Returns the verdict of a judge that ended, for `signoff::verdict`.
    ///
    /// # Errors
    ///
    /// The reason why there is no verdict, in one line: the client's own words if it gave any.
    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String>;

    /// Returns the command for one turn of work in `root`, with only the rights that the user's own configuration gives the client
    /// (`INJECTION.md` §5). The prompt goes to its standard input; `scratch` is a fresh folder for this turn.
    fn work(&self, root: &Path, scratch: &Path, model: Option<&str>) -> ClientCommand;

    /// Returns the last text of a client that worked, from its [`AnswerSource`].
    ///
    /// # Errors
    ///
    /// As [`Host::answer`].
    fn said(&self, ran: &ClientExit<'_>) -> Result<String, String> {
        match ran.exit {
            Some(0) => Ok(String::from_utf8_lossy(ran.answer).trim().to_owned()),
            _ if ran.stderr.trim_ascii().is_empty() => {
                Err(silence(self.name(), &ClientExit { stderr: ran.stdout, ..*ran }))
            }
            _ => Err(silence(self.name(), ran)),
        }
    }
}

/// The parameters of a judge's start.
#[derive(Clone, Copy, Debug)]
pub struct JudgeCall<'a> {
    /// The plan's root, which citations are relative to. Absolute.
    pub root: &'a Path,
    /// The top of the work tree, which the judge may read as a whole; `root` itself without git. Absolute.
    pub top: &'a Path,
    /// A fresh folder for this run, absolute, outside `top` and any other repository. It holds the probe and [`ClientCommand::files`].
    pub scratch: &'a Path,
    /// The model, by the host's own name for it; `None` leaves the choice to the client.
    pub model: Option<&'a str>,
    /// The JSON schema of the verdict object.
    pub schema: &'a str,
    /// True if the judge gets tools to read with. A question that is complete in its prompt is cheaper without them.
    pub reads: bool,
}

/// A client's command, ready to run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCommand {
    /// The program's name, to be found on `PATH`, and its arguments.
    pub argv: Vec<OsString>,
    /// The working folder.
    pub cwd: PathBuf,
    /// Variables to set, on top of an environment without [`Host::session_variables`].
    pub env: Vec<(&'static str, OsString)>,
    /// Files to write before the start: absolute paths and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The place of the answer.
    pub answer: AnswerSource,
}

/// The place of a client's answer. If output is cut, the answer is lost only if that output is the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerSource {
    /// On standard output.
    Stdout,
    /// In this file, absolute. It is missing or empty if the client did not finish.
    File(PathBuf),
}

/// The output of a client that ended by itself.
#[derive(Clone, Copy, Debug)]
pub struct ClientExit<'a> {
    /// The exit code; `None` if a signal ended the client.
    pub exit: Option<i32>,
    /// The bytes of its [`AnswerSource`].
    pub answer: &'a [u8],
    /// Standard output; the same bytes as `answer` if that is the source.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr: &'a [u8],
}

/// The answer of a host's judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientAnswer {
    /// The text of the answer, not yet checked.
    pub said: AnswerText,
    /// The model that answered, if the client reports it.
    pub model: Option<String>,
}

/// The text of an answer, in the form that the client gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerText {
    /// One JSON object, from a client that holds its model to a schema.
    Object(Vec<u8>),
    /// The model's last text, which ends with the block of lines (`SIGNOFF.md` §5).
    Text(Vec<u8>),
}

/// A session that this process runs under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The session's name, if the environment has it: the same name that hooks get.
    pub id: Option<String>,
    /// The session's model, if the environment has it.
    pub model: Option<String>,
}

impl std::fmt::Debug for dyn Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the names of all hosts, as a list in a sentence: `claude, codex or pi`.
pub fn names() -> String {
    let names: Vec<&str> = HOSTS.iter().map(|host| host.name()).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Finds the host with that name.
pub fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.into_iter().find(|host| host.name() == name)
}

/// Returns the hosts whose sessions started this process. More than one host means that one started another; the environment
/// does not say which session is the inner one, so a judge has to be named.
pub fn running_under(variable: Variable<'_>) -> Vec<(&'static dyn Host, Session)> {
    HOSTS.into_iter().filter_map(|host| Some((host, host.session(variable)?))).collect()
}

/// Returns the host whose client a process is, by [`crate::process::ancestors::words`]: the program has the client's name, or it
/// is an interpreter whose script has that name or is in the client's package.
pub fn client(words: &[String]) -> Option<&'static dyn Host> {
    let (name, line) = words.split_first()?;
    let program = line.first().unwrap_or(name);
    // The word after `-c` is a line of code, not a script.
    let mut words = line.iter().skip(1).take_while(|word| !matches!(word.as_str(), "-c" | "-e"));
    let script = words.find(|word| !word.starts_with('-')).filter(|_| INTERPRETERS.contains(&stem(program)));
    HOSTS.into_iter().find(|host| {
        let is_package = |path: &String| Path::new(path).components().any(|part| part.as_os_str() == host.package());
        let named = [Some(name), Some(program), script].into_iter().flatten().any(|path| stem(path) == host.name());
        named || script.is_some_and(is_package)
    })
}

/// Programs that run a client that is a script.
const INTERPRETERS: [&str; 8] = ["bash", "bun", "dash", "deno", "node", "python3", "sh", "zsh"];

/// Returns a file's name without folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns true for a variable that describes an outer session of any host: no judge inherits it.
pub fn is_session_variable(name: &str) -> bool {
    let mut patterns = HOSTS.iter().flat_map(|host| host.session_variables());
    patterns.any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *pattern,
    })
}

/// Variables that can redirect any client: proxies, and certificate authorities that vouch for its peer.
const REDIRECTING: [&str; 9] = [
    "ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE", "all_proxy",
    "http_proxy", "https_proxy",
];

/// Returns the names, never the values, of set variables that can redirect a client (`SIGNOFF.md` §6): the judged party often
/// sets the environment in which the judge starts.
pub fn redirected(host: &dyn Host, variable: Variable<'_>) -> Vec<&'static str> {
    let all = host.redirecting_variables().iter().chain(&REDIRECTING).copied();
    all.filter(|name| variable(name).is_some_and(|value| !value.is_empty())).collect()
}

/// Returns a client's own words as one short line without control characters; `otherwise` if there are none.
fn words(text: &str, otherwise: &str) -> String {
    const MOST: usize = 200;
    let line = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if line.is_empty() => otherwise.to_owned(),
        None => line,
    }
}

/// Describes how a client without an answer ended, with the last line of its standard error.
fn silence(name: &str, ran: &ClientExit<'_>) -> String {
    let stderr = String::from_utf8_lossy(ran.stderr);
    let last = words(stderr.trim_end().rsplit('\n').next().unwrap_or_default(), "it printed nothing");
    match ran.exit {
        Some(code) => format!("`{name}` exit {code}: {last}"),
        None => format!("`{name}` ended by a signal: {last}"),
    }
}

/// Returns the value of a variable that is set and not empty.
fn value(variable: Variable<'_>, name: &str) -> Option<String> {
    variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
}

/// Returns a path below the home folder, or the path in the variable `instead`.
fn home(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set(instead).or_else(|| Some(set("HOME")?.join(below)))
}

/// Returns a state folder in the scratch folder if the user has none yet, because the sandbox prevents the client from making one.
fn or_scratch(state: Option<PathBuf>, variable: &'static str, ask: &JudgeCall<'_>) -> Option<(&'static str, OsString)> {
    let is_there = state.is_some_and(|path| path.exists());
    (!is_there).then(|| (variable, ask.scratch.join("state").into()))
}

/// Appends several arguments.
fn arguments<const N: usize>(argv: &mut Vec<OsString>, more: [&str; N]) {
    argv.extend(more.map(OsString::from));
}
