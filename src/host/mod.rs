//! The coding agents that judge, work and call hooks: one file a host, one trait, one table (`ARCHITECTURE.md`, rooms).
//!
//! A host says how its client is called, as a judge or for one turn of the loop, and where the answer stands afterwards. It
//! starts nothing and decides nothing: `signoff::judge` and `drive` run the command and read the answer.

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

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use hook::{Hooks, Reply};
pub use payload::mend;
pub use setup::Setup;

/// Every host, in the order in which they are listed to people.
pub const HOSTS: [&dyn Host; 6] =
    [&claude::Claude, &codex::Codex, &pi::Pi, &gemini::Gemini, &opencode::Opencode, &qwen::Qwen];

/// Reads one variable of the environment; a closure, so that rules about it can be tested.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// One coding agent's command-line client.
pub trait Host: Sync {
    /// The name in a judge REF (`CLI.md`, judge), and the program that is looked for on `PATH`.
    fn name(&self) -> &'static str;

    /// What its hooks say and take.
    fn hooks(&self) -> &'static dyn Hooks;

    /// What it is given so that it works with plan.md.
    fn setup(&self) -> &'static dyn Setup;

    /// The session that this process was started from, where the environment says it is one of this host's.
    fn session(&self, variable: Variable<'_>) -> Option<Session>;

    /// The model that answered last, by the end of the file that the client writes a conversation to. None where the session
    /// tells its model in another way, or nowhere.
    fn model_in(&self, _conversation: &[u8]) -> Option<String> {
        None
    }

    /// The folder that its client stands in where npm installed it.
    fn package(&self) -> &'static str;

    /// Variables that describe an outer session and that a judge must not inherit. A final `*` stands for any ending.
    fn session_variables(&self) -> &'static [&'static str];

    /// Variables that can lead the client to another model, another service or other code than its vendor's.
    fn redirecting_variables(&self) -> &'static [&'static str];

    /// True where the client confines what its model runs by a sandbox of its own, and fails inside another one.
    fn sandboxes_itself(&self) -> bool;

    /// Folders and files that the client must be able to write, its login among them. None where no home is known.
    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf>;

    /// How the client is called as a read-only judge. The prompt goes to its standard input, nowhere else
    /// (`SIGNOFF.md` §5). It names [`JudgeCall::root`], for not every client is started there.
    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> Command;

    /// The verdict of a judge that ended, for `signoff::verdict`.
    ///
    /// # Errors
    ///
    /// One line that says why there is none: the client's own words where it gave some.
    fn answer(&self, ran: &ClientExit<'_>) -> Result<Answer, String>;

    /// How the client is called to work for one turn in `root`, with the rights that the person's own configuration gives it
    /// and no more (`INJECTION.md` §5). The prompt goes to its standard input; `scratch` is a fresh folder of this turn.
    fn work(&self, root: &Path, scratch: &Path, model: Option<&str>) -> Command;

    /// What a client that worked said last: the text of its [`Source`].
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

/// What a judge is to be started with.
#[derive(Clone, Copy, Debug)]
pub struct JudgeCall<'a> {
    /// The plan's root, which citations are relative to. Absolute.
    pub root: &'a Path,
    /// The top of the work tree, which the judge may read as a whole; `root` itself where there is no git. Absolute.
    pub top: &'a Path,
    /// A fresh folder of this run, absolute, outside `top` and any other repository; holds the probe and the files of
    /// [`Command::files`].
    pub scratch: &'a Path,
    /// The model by the host's own name for it; none leaves the choice to the client.
    pub model: Option<&'a str>,
    /// The JSON schema that the verdict object is held to.
    pub schema: &'a str,
    /// Whether it is given tools to read with. A question that its prompt holds whole is cheaper without.
    pub reads: bool,
}

/// A client's call, ready to be run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program by name, to be found on `PATH`, and its arguments.
    pub argv: Vec<OsString>,
    /// The working folder.
    pub cwd: PathBuf,
    /// Variables to set, on top of an environment without any [`Host::session_variables`].
    pub env: Vec<(&'static str, OsString)>,
    /// Files to write before the start: absolute path and content.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Where the answer will stand.
    pub answer: Source,
}

/// Where a client's answer stands. Output that was cut is an answer lost only where it is the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// On standard output.
    Stdout,
    /// In this file, absolute; absent or empty where the client came to no end.
    File(PathBuf),
}

/// What is left of a client that ended by itself.
#[derive(Clone, Copy, Debug)]
pub struct ClientExit<'a> {
    /// Its exit code; none where a signal ended it.
    pub exit: Option<i32>,
    /// The bytes of its [`Source`].
    pub answer: &'a [u8],
    /// Standard output; the same bytes as `answer` where that is the source.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr: &'a [u8],
}

/// What a host's judge answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its words, not yet looked at by us.
    pub said: AnswerText,
    /// The model that answered, where the client tells.
    pub model: Option<String>,
}

/// The words of an answer, by the form in which the client gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerText {
    /// One JSON object, of a client that holds its model to a schema.
    Object(Vec<u8>),
    /// The model's last text, that ends with the block of lines (`SIGNOFF.md` §5).
    Text(Vec<u8>),
}

/// A session that this process runs under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Its name, where the environment tells: the one that hooks are called with.
    pub id: Option<String>,
    /// Its model, where the environment tells.
    pub model: Option<String>,
}

/// The host of that name.
pub fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.into_iter().find(|host| host.name() == name)
}

/// The hosts whose session this process was started from. More than one: a host was started by another, and the
/// environment does not say which is the inner one, so that a judge has to be named.
pub fn running_under(variable: Variable<'_>) -> Vec<(&'static dyn Host, Session)> {
    HOSTS.into_iter().filter_map(|host| Some((host, host.session(variable)?))).collect()
}

/// The host whose client a process is, by the words of [`crate::process::ancestors::words`]: the program has the client's
/// name, or is an interpreter whose script has it or stands in its package.
pub fn client(words: &[String]) -> Option<&'static dyn Host> {
    let (name, line) = words.split_first()?;
    let program = line.first().unwrap_or(name);
    // What stands behind `-c` is a line of code, not a script.
    let mut words = line.iter().skip(1).take_while(|word| !matches!(word.as_str(), "-c" | "-e"));
    let script = words.find(|word| !word.starts_with('-')).filter(|_| INTERPRETERS.contains(&stem(program)));
    HOSTS.into_iter().find(|host| {
        let is_package = |path: &String| Path::new(path).components().any(|part| part.as_os_str() == host.package());
        let named = [Some(name), Some(program), script].into_iter().flatten().any(|path| stem(path) == host.name());
        named || script.is_some_and(is_package)
    })
}

/// Programs that run a client which is a script.
const INTERPRETERS: [&str; 8] = ["bash", "bun", "dash", "deno", "node", "python3", "sh", "zsh"];

/// The name of a file without its folder and its ending.
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

/// What can lead any client elsewhere: proxies, and authorities that vouch for whom a client speaks to.
const REDIRECTING: [&str; 9] = [
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "all_proxy",
    "http_proxy",
    "https_proxy",
];

/// The names, never the values, of the variables that are set and can lead a client elsewhere (`SIGNOFF.md` §6): the party
/// that is judged often sets the environment in which the judge is started.
pub fn redirected(host: &dyn Host, variable: Variable<'_>) -> Vec<&'static str> {
    let all = host.redirecting_variables().iter().chain(&REDIRECTING).copied();
    all.filter(|name| variable(name).is_some_and(|value| !value.is_empty())).collect()
}

/// A client's own words as one short line without control characters; `otherwise` where there are none.
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

/// How a client without an answer ended, with the last line it wrote to standard error.
fn silence(name: &str, ran: &ClientExit<'_>) -> String {
    let stderr = String::from_utf8_lossy(ran.stderr);
    let last = words(stderr.trim_end().rsplit('\n').next().unwrap_or_default(), "it said nothing");
    match ran.exit {
        Some(code) => format!("`{name}` exit {code}: {last}"),
        None => format!("`{name}` ended by a signal: {last}"),
    }
}

/// The value of a variable that is set to something.
fn value(variable: Variable<'_>, name: &str) -> Option<String> {
    variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
}

/// A path below the home folder, or in the folder that `variable` names instead.
fn home(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set(instead).or_else(|| Some(set("HOME")?.join(below)))
}

/// Where a client keeps its state whose user has none, and who could not make it inside the sandbox: in the scratch folder.
fn or_scratch(state: Option<PathBuf>, variable: &'static str, ask: &JudgeCall<'_>) -> Option<(&'static str, OsString)> {
    let is_there = state.is_some_and(|path| path.exists());
    (!is_there).then(|| (variable, ask.scratch.join("state").into()))
}

/// Several arguments at once.
fn arguments<const N: usize>(argv: &mut Vec<OsString>, more: [&str; N]) {
    argv.extend(more.map(OsString::from));
}
