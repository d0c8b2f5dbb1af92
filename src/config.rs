//! The user's configuration and the environment variables. None of it is ever read from a repository, because a repository must
//! never name a program to run (`SIGNOFF.md` §6).

mod account;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::disk::Replacement;
use crate::error::{Error, Result};

pub use account::{Account, account, outermost_ancestor, own_judge_commands};

/// The variable that names the plan file, like `--file`.
pub const PLAN_FILE: &str = "PLAN_FILE";
/// The variable that sets the stamps of log lines, `2026-06-15T14:33`, and nothing else.
pub const PLAN_NOW: &str = "PLAN_NOW";
/// `1` silences every hook, injection and guard.
pub const PLAN_DISABLED: &str = "PLAN_DISABLED";
/// Set by `plan` for the judges it starts: there, commands that write end with exit 4.
pub const PLAN_JUDGE_SESSION: &str = "PLAN_JUDGE_SESSION";
/// Set by `plan loop run` for the clients it starts: their hooks leave the start and the end of a turn to it.
pub const PLAN_LOOP: &str = "PLAN_LOOP";

/// The variable that names the person and chat of a review, set by the caller of a host: `USER::CHAT`.
pub const PLAN_REVIEW_KEY: &str = "PLAN_REVIEW_KEY";

/// All of these variables. `plan demo` clears them for the calls that it shows.
pub const VARIABLES: [&str; 6] = [PLAN_FILE, PLAN_NOW, PLAN_DISABLED, PLAN_JUDGE_SESSION, PLAN_LOOP, PLAN_REVIEW_KEY];

/// The longest that a verify or a check may run, in seconds (`SIGNOFF.md` §2). Settings and `--timeout` can only lower it.
pub const VERIFY_SECONDS: u64 = 600;
/// The longest that one run of a judge may take, in seconds (`SIGNOFF.md` §5).
pub const JUDGE_SECONDS: u64 = 600;
/// The full gate's default budget, in seconds; `gate_budget` replaces it (`SIGNOFF.md` §3).
pub const GATE_SECONDS: u64 = 600;
/// The default budget of a gate that nobody asked for, in seconds; `gate_budget_auto` replaces it. Nobody should wait longer for
/// a sign-off without having asked (`SIGNOFF.md` §3).
pub const AUTO_GATE_SECONDS: u64 = 60;
/// The longest that a call of the loop judge may take, in seconds: a person waits for it at each stop (`INJECTION.md` §5).
pub const LOOP_JUDGE_SECONDS: u64 = 60;
/// The default limit for a turn of `plan loop run`, in seconds; `loop.turn_timeout` replaces it.
pub const TURN_SECONDS: u64 = 3600;

/// The default limit for a try of `plan draft`, in seconds; `draft_timeout` replaces it.
pub const DRAFT_SECONDS: u64 = 600;

/// How long a review waits for its answer by default, in minutes; `review_ttl` replaces it (`INJECTION.md` §6).
pub const REVIEW_MINUTES: u64 = 60;

const FILE: &str = "config.yaml";
/// The file's key for [`Config::judge_set_in_session`].
const SET_IN_SESSION: &str = "judge_set_in_session:";
/// The file's key for [`Config::judge_programs`].
const PROGRAMS: &str = "judge_programs:";
/// The maximum size of `config.yaml`, in bytes: hostile YAML takes far more than linear time to read.
const LARGEST: u64 = 16 << 10;
/// The maximum size of a user's own prompt, in bytes.
const LARGEST_PROMPT: u64 = 256 << 10;
/// The file with the rules of the local time zone on Unix systems.
const LOCAL_ZONE: &str = "/etc/localtime";

/// The user's `config.yaml`. An unknown key is an error, because a misspelt `judge` must not mean "none".
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The judges that `complete` asks if none is named. All must accept.
    pub judge: OneOrMany,
    /// The host in whose session `judge` was last set; `None` if a person set it. Judges that an agent set count as
    /// named by the caller (`SIGNOFF.md` §6).
    pub judge_set_in_session: Option<String>,
    /// The path of each judge's program when `judge` was set, by REF. If the program is found elsewhere later, the judge counts as
    /// named by the caller (`SIGNOFF.md` §6).
    pub judge_programs: BTreeMap<String, PathBuf>,
    /// The judges that `plan judge list` offers.
    pub judges: Vec<String>,
    /// Seconds; lowers [`VERIFY_SECONDS`].
    pub verify_timeout: Option<u64>,
    /// Seconds; lowers [`JUDGE_SECONDS`].
    pub judge_timeout: Option<u64>,
    /// Seconds that the full gate may take; may exceed [`GATE_SECONDS`].
    pub gate_budget: Option<u64>,
    /// Seconds that the gate may take if no `--gate` asks for more; default [`AUTO_GATE_SECONDS`].
    pub gate_budget_auto: Option<u64>,
    /// Folders that the full gate links into its exports, besides the conventional ones (`SIGNOFF.md` §3): names, or paths from the
    /// top of the work tree.
    pub gate_keep: Vec<String>,
    /// Refuse a judge that would run without a sandbox.
    pub require_sandbox: bool,
    /// The agent that `plan draft` asks if none is named: a REF, written when a person named one.
    pub draft: Option<String>,
    /// Seconds that a try of `plan draft` may take; may exceed [`DRAFT_SECONDS`].
    pub draft_timeout: Option<u64>,
    /// Minutes that `plan review` waits for its answer; default [`REVIEW_MINUTES`].
    pub review_ttl: Option<u64>,
    /// `false`: `plan review` shows the plan and waits for nothing.
    pub review_confirm: Option<bool>,
    /// `off`: no checkpoints are taken, whatever a plan asks for (`CONTRACT.md` §5.1).
    pub checkpoints: Option<Switch>,
    /// `true`: an answer passed on by `plan review --reply` approves a plan in contract mode.
    pub review_reply: Option<bool>,
    /// The settings of the loop.
    #[serde(rename = "loop")]
    pub loop_config: LoopConfig,
}

/// `loop:` in the user's configuration (`INJECTION.md` §5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LoopConfig {
    /// The loop judge: a REF, or `off`. `None` means the session's own host and model.
    pub judge: Option<String>,
    /// Seconds that a turn of `plan loop run` may take; may exceed [`TURN_SECONDS`].
    pub turn_timeout: Option<u64>,
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// `on`
    On,
    /// `off`
    Off,
}

/// A list that may be written as one word.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// `judge: claude`
    One(String),
    /// `judge: [claude, codex]`
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        OneOrMany::Many(Vec::new())
    }
}

impl OneOrMany {
    /// Returns the words as a list.
    pub fn list(&self) -> Vec<String> {
        match self {
            OneOrMany::One(word) => vec![word.clone()],
            OneOrMany::Many(words) => words.clone(),
        }
    }
}

/// Returns `$XDG_CONFIG_HOME/plan`, else `~/.config/plan`; `None` without a home.
pub fn folder() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute()) {
        Some(base) => base,
        // A relative path would be a folder of the current repository.
        None => std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())?.join(".config"),
    };
    Some(base.join("plan"))
}

/// Returns the path of the user's configuration file, which may not exist.
///
/// # Errors
/// [`crate::error::Kind::Input`] without a home.
pub fn file() -> Result<PathBuf> {
    let folder = folder().ok_or_else(|| Error::input("no home folder: set `HOME` or `XDG_CONFIG_HOME`"))?;
    Ok(folder.join(FILE))
}

/// Reads the user's configuration. Without a file, this is the default.
pub fn load() -> Result<Config> {
    folder().map_or_else(|| Ok(Config::default()), |folder| load_from(&folder))
}

fn load_from(folder: &Path) -> Result<Config> {
    let path = folder.join(FILE);
    match read("configuration", &path, LARGEST)? {
        Some(text) => parse(&text).map_err(|why| unparsed(&path, &why)),
        None => Ok(Config::default()),
    }
}

/// True if the user set `human` as a judge, alone or with others: then no agent can sign a goal off by itself.
pub fn is_person_judge() -> bool {
    load().is_ok_and(|config| config.judge.list().iter().any(|judge| judge == "human"))
}

/// Returns the user's own text for a prompt, from their configuration folder, if there is one.
pub fn prompt_override(name: &str) -> Result<Option<String>> {
    let Some(path) = folder().map(|folder| folder.join("prompts").join(name)) else { return Ok(None) };
    read("prompt", &path, LARGEST_PROMPT)
}

/// Writes `judge:` into the user's configuration and leaves every other line as it is. Returns the file. `session` is
/// the host in whose session this happens; `programs` has the present path of each judge's program.
pub fn set_judges(
    references: &[String],
    session: Option<&str>,
    programs: &BTreeMap<String, PathBuf>,
) -> Result<PathBuf> {
    let mark = session.map(|host| format!("{SET_IN_SESSION} {host}\n")).unwrap_or_default();
    change("judge: [REF, …]", |old, expected| {
        expected.judge = OneOrMany::Many(references.to_vec());
        expected.judge_set_in_session = session.map(str::to_owned);
        expected.judge_programs.clone_from(programs);
        let new = with_entry(&with_judges(old, references), SET_IN_SESSION, &mark);
        with_entry(&new, PROGRAMS, &entry_of(programs))
    })
}

/// Writes `draft:` into the user's configuration and leaves every other line as it is. Returns the file.
pub fn set_draft(reference: &str) -> Result<PathBuf> {
    change("draft: REF", |old, expected| {
        expected.draft = Some(reference.to_owned());
        with_entry(old, "draft:", &format!("draft: {}\n", serde_json::Value::from(reference)))
    })
}

/// Changes the user's configuration. `make` gets the file's text and the configuration in it, changes the configuration, and
/// returns the new text, which must then hold exactly that. `by_hand` is the entry as a person would write it.
fn change(by_hand: &str, make: impl FnOnce(&str, &mut Config) -> String) -> Result<PathBuf> {
    let path = file()?;
    let old = read("configuration", &path, LARGEST)?.unwrap_or_default();
    let mut expected = parse(&old).map_err(|why| unparsed(&path, &why))?;
    let new = make(&old, &mut expected);
    if parse(&new).ok().as_ref() != Some(&expected) {
        let key = by_hand.split(':').next().unwrap_or_default();
        return Err(Error::input(format!(
            "cannot change `{key}` in `{}` without touching other lines",
            path.display()
        ))
        .hint(format!("edit the file by hand: `{by_hand}`")));
    }
    write(&path, &new).map_err(|error| {
        Error::input(format!("cannot write `{}`: {error}", path.display())).hint("check the folder's permissions")
    })?;
    Ok(path)
}

/// Reads a file of the configuration folder, if it exists. `what` is the user's word for it.
fn read(what: &str, path: &Path, largest: u64) -> Result<Option<String>> {
    if let Ok(meta) = std::fs::metadata(path)
        && (!meta.is_file() || meta.len() > largest)
    {
        let found = if meta.is_file() { format!("{} bytes", meta.len()) } else { "something else".to_owned() };
        return Err(unreadable(what, path, &format!("expected a file of at most {largest} bytes, found {found}")));
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(what, path, &error.to_string())),
    }
}

fn parse(text: &str) -> std::result::Result<Config, String> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Config::default());
    }
    serde_yaml::from_str(text).map_err(|error| error.to_string())
}

fn unreadable(what: &str, path: &Path, why: &str) -> Error {
    Error::input(format!("cannot read the {what} `{}`: {why}", path.display()))
}

fn unparsed(path: &Path, why: &str) -> Error {
    unreadable("configuration", path, why)
        .hint("known keys: judge, judges, verify_timeout, judge_timeout, gate_budget, gate_budget_auto, gate_keep, require_sandbox, draft, draft_timeout, checkpoints, review_ttl, review_confirm, review_reply, loop.judge, loop.turn_timeout")
}

/// Returns the text of the entry [`PROGRAMS`]; empty if there are no programs. JSON strings are valid YAML.
fn entry_of(programs: &BTreeMap<String, PathBuf>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let line =
        |(judge, path): (&String, &PathBuf)| format!("  {}: {}\n", quoted(judge), quoted(&path.to_string_lossy()));
    let lines: String = programs.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("{PROGRAMS}\n{lines}") }
}

/// Returns `old` with its top-level `judge:` entry replaced, or one added at the end.
fn with_judges(old: &str, references: &[String]) -> String {
    let entry = references.iter().fold(String::from("judge:\n"), |text, reference| {
        text + "  - " + &serde_json::Value::from(reference.as_str()).to_string() + "\n"
    });
    with_entry(old, "judge:", &entry)
}

/// Returns `old` with the top-level entry `key` replaced by `entry`, or `entry` added at the end. An empty `entry` removes it.
fn with_entry(old: &str, key: &str, entry: &str) -> String {
    let mut new = String::with_capacity(old.len() + entry.len());
    let (mut skipping, mut placed) = (false, false);
    for line in old.split_inclusive('\n') {
        let continues = line.starts_with([' ', '\t', '-']);
        skipping = if skipping { continues } else { line.starts_with(key) };
        if !skipping {
            new.push_str(line);
        } else if !placed {
            new.push_str(entry);
            placed = true;
        }
    }
    if !placed && !entry.is_empty() {
        if !new.is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        new.push_str(entry);
    }
    new
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let parent = |path: &Path| path.parent().unwrap_or(Path::new("/")).to_owned();
    std::fs::create_dir_all(parent(path))?;
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    Replacement::write(&target, text.as_bytes())?.put()
}

/// Returns the stamp of a log line, `YYYY-MM-DD HH:MM` in local time, or the value of `PLAN_NOW`.
pub fn stamp() -> Result<String> {
    let Some(fixed) = std::env::var_os(PLAN_NOW) else {
        return Ok(jiff::Timestamp::now().to_zoned(zone()).strftime("%Y-%m-%d %H:%M").to_string());
    };
    let text = fixed.to_string_lossy();
    text.parse::<jiff::civil::DateTime>()
        .map(|time| time.strftime("%Y-%m-%d %H:%M").to_string())
        .map_err(|_| Error::input(format!("`{PLAN_NOW}` is `{text}`; expected a time like `2026-06-15T14:33`")))
}

/// Returns the user's time zone. Without `TZ` it is read from `LOCAL_ZONE`, because a look-up by name first reads all
/// names: hundreds of files and folders, which takes longer than a write.
pub fn zone() -> jiff::tz::TimeZone {
    let local = if std::env::var_os("TZ").is_none() { std::fs::read(LOCAL_ZONE).ok() } else { None };
    local.and_then(|rules| jiff::tz::TimeZone::tzif("local", &rules).ok()).unwrap_or_else(jiff::tz::TimeZone::system)
}

/// True inside a process that `plan` started as a judge.
pub fn inside_judge() -> bool {
    std::env::var_os(PLAN_JUDGE_SESSION).is_some_and(|value| !value.is_empty())
}

/// True inside a client that `plan loop run` started.
pub fn inside_loop_run() -> bool {
    std::env::var_os(PLAN_LOOP).is_some_and(|value| !value.is_empty())
}

/// Returns the key of a review, as the caller of a host set it.
pub fn review_key() -> Option<String> {
    std::env::var(PLAN_REVIEW_KEY).ok().filter(|key| !key.trim().is_empty())
}

/// True if the user switched every hook and injection off.
pub fn is_disabled() -> bool {
    std::env::var_os(PLAN_DISABLED).is_some_and(|value| value == "1")
}

#[cfg(test)]
mod tests;
