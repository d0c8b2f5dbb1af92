//! Hosts: the coding agents that judge, work and call hooks. One file for each, one trait, one table (`ARCHITECTURE.md`, rooms).
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

/// All hosts, in the order in which people see them.
pub const HOSTS: [&dyn Host; 6] =
    [&claude::Claude, &codex::Codex, &pi::Pi, &gemini::Gemini, &opencode::Opencode, &qwen::Qwen];

/// Reads one environment variable. It is a closure so that tests can set the environment.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// One coding agent's command-line client.
pub trait Host: Sync {
    /// The name in a judge REF (`CLI.md`, judge), which is also the name of the program on `PATH`.
    fn name(&self) -> &'static str;

    /// The name of its product.
    fn title(&self) -> &'static str;

    /// Its hooks.
    fn hooks(&self) -> &'static dyn Hooks;

    /// The settings that make it work with plan.md.
    fn setup(&self) -> &'static dyn Setup;

    /// The session that started this process, if the environment shows one of this host.
    fn session(&self, variable: Variable<'_>) -> Option<Session>;

    /// The model that answered last, read from the end of the client's conversation file. None if the session reports its model in
    /// another way, or not at all.
    fn model_in(&self, _conversation: &[u8]) -> Option<String> {
        None
    }

    /// The folder of its client if npm installed it.
    fn package(&self) -> &'static str;

    /// Variables that describe an outer session, which a judge must not inherit. A final `*` matches any ending.
    fn session_variables(&self) -> &'static [&'static str];

    /// Variables that can redirect the client to a model, a service or code that is not its vendor's.
    fn redirecting_variables(&self) -> &'static [&'static str];

    /// True if the client confines its model's commands in a sandbox of its own, which fails inside another one.
    fn sandboxes_itself(&self) -> bool;

    /// Folders and files that the client must be able to write, its login among them. Empty if no home is known.
    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf>;

    /// The command for a read-only judge. The prompt goes to its standard input and nowhere else (`SIGNOFF.md` §5). The prompt names
    /// [`JudgeCall::root`], because not every client is started there.
    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> Command;

    /// The verdict of a judge that ended, for `signoff::verdict`.
    ///
    /// # Errors
    ///
    /// Why there is none, in one line: the client's own words if it gave any.
    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String>;

    /// The command for one turn of work in `root`, with the rights that the person's own configuration gives the client and no more
    /// (`INJECTION.md` §5). The prompt goes to its standard input; `scratch` is a fresh folder for this turn.
    fn work(&self, root: &Path, scratch: &Path, model: Option<&str>) -> Command;

    /// The last text of a client that worked, from its [`Source`].
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
    /// A fresh folder for this run, absolute, outside `top` and any other repository. It holds the probe and [`Command::files`].
    pub scratch: &'a Path,
    /// The model, by the host's own name for it; none leaves the choice to the client.
    pub model: Option<&'a str>,
    /// The JSON schema of the verdict object.
    pub schema: &'a str,
    /// True if it gets tools to read with. A question that is complete in its prompt is cheaper without them.
    pub reads: bool,
}

/// A client's command, ready to run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program's name, to be found on `PATH`, and its arguments.
    pub argv: Vec<OsString>,
    /// The working folder.
    pub cwd: PathBuf,
    /// Variables to set, on top of an environment without [`Host::session_variables`].
    pub env: Vec<(&'static str, OsString)>,
    /// Files to write before the start: absolute paths and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The place of the answer.
    pub answer: Source,
}

/// The place of a client's answer. Output that was cut loses the answer only if it is the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// On standard output.
    Stdout,
    /// In this file, absolute. It is missing or empty if the client did not finish.
    File(PathBuf),
}

/// The output of a client that ended by itself.
#[derive(Clone, Copy, Debug)]
pub struct ClientExit<'a> {
    /// Its exit code; none if a signal ended it.
    pub exit: Option<i32>,
    /// The bytes of its [`Source`].
    pub answer: &'a [u8],
    /// Standard output; the same bytes as `answer` if that is the source.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr: &'a [u8],
}

/// The answer of a host's judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientAnswer {
    /// Its text, not yet checked.
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
    /// Its name, if the environment has it: the same name that hooks get.
    pub id: Option<String>,
    /// Its model, if the environment has it.
    pub model: Option<String>,
}

impl std::fmt::Debug for dyn Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The names of all hosts, as a list in a sentence: `claude, codex or pi`.
pub fn names() -> String {
    let names: Vec<&str> = HOSTS.iter().map(|host| host.name()).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The host of that name.
pub fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.into_iter().find(|host| host.name() == name)
}

/// The hosts whose sessions started this process. More than one means that one host started another; the environment does not
/// say which is the inner one, so a judge has to be named.
pub fn running_under(variable: Variable<'_>) -> Vec<(&'static dyn Host, Session)> {
    HOSTS.into_iter().filter_map(|host| Some((host, host.session(variable)?))).collect()
}

/// The host whose client a process is, by [`crate::process::ancestors::words`]: the program has the client's name, or it is an
/// interpreter whose script has that name or lies in the client's package.
pub fn client(words: &[String]) -> Option<&'static dyn Host> {
    let (name, line) = words.split_first()?;
    let program = line.first().unwrap_or(name);
    // The word behind `-c` is a line of code, not a script.
    let mut words = line.iter().skip(1).take_while(|word| !matches!(word.as_str(), "-c" | "-e"));
    let script = words.find(|word| !word.starts_with('-')).filter(|_| INTERPRETERS.contains(&stem(program)));
    HOSTS.into_iter().find(|host| {
        let is_package = |path: &String| Path::new(path).components().any(|part| part.as_os_str() == host.package());
        let named = [Some(name), Some(program), script].into_iter().flatten().any(|path| stem(path) == host.name());
        named || script.is_some_and(is_package)
    })
}

/// Programs that run clients which are scripts.
const INTERPRETERS: [&str; 8] = ["bash", "bun", "dash", "deno", "node", "python3", "sh", "zsh"];

/// A file's name without folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// True for a variable that describes an outer session of any host: no judge inherits it.
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

/// The names, never the values, of set variables that can redirect a client (`SIGNOFF.md` §6): the judged party often sets the
/// environment in which the judge starts.
pub fn redirected(host: &dyn Host, variable: Variable<'_>) -> Vec<&'static str> {
    let all = host.redirecting_variables().iter().chain(&REDIRECTING).copied();
    all.filter(|name| variable(name).is_some_and(|value| !value.is_empty())).collect()
}

/// A client's own words as one short line without control characters; `otherwise` if there are none.
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

/// Says how a client without an answer ended, with the last line of its standard error.
fn silence(name: &str, ran: &ClientExit<'_>) -> String {
    let stderr = String::from_utf8_lossy(ran.stderr);
    let last = words(stderr.trim_end().rsplit('\n').next().unwrap_or_default(), "it printed nothing");
    match ran.exit {
        Some(code) => format!("`{name}` exit {code}: {last}"),
        None => format!("`{name}` ended by a signal: {last}"),
    }
}

/// The value of a variable that is set and not empty.
fn value(variable: Variable<'_>, name: &str) -> Option<String> {
    variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
}

/// A path below the home folder, or the one that the variable `instead` names.
fn home(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set(instead).or_else(|| Some(set("HOME")?.join(below)))
}

/// The state folder for a client whose user has none yet: the scratch folder, because the sandbox prevents it from making its own.
fn or_scratch(state: Option<PathBuf>, variable: &'static str, ask: &JudgeCall<'_>) -> Option<(&'static str, OsString)> {
    let is_there = state.is_some_and(|path| path.exists());
    (!is_there).then(|| (variable, ask.scratch.join("state").into()))
}

/// Appends several arguments.
fn arguments<const N: usize>(argv: &mut Vec<OsString>, more: [&str; N]) {
    argv.extend(more.map(OsString::from));
}
