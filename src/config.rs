//! The user's own configuration and the environment variables. Nothing of this is ever read from a repository
//! (`SIGNOFF.md` §6: a repository never names a program to run).

mod account;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::disk::Replacement;
use crate::error::{Error, Result};

pub use account::{Account, account, outermost_ancestor};

/// Names the plan file, like `--file`.
pub const PLAN_FILE: &str = "PLAN_FILE";
/// Sets the stamps of log lines, `2026-06-15T14:33`, and nothing else.
pub const PLAN_NOW: &str = "PLAN_NOW";
/// `1` makes every hook, injection and guard silent.
pub const PLAN_DISABLED: &str = "PLAN_DISABLED";
/// Set by `plan` for the processes it starts as judge: commands that write answer 4 there.
pub const PLAN_JUDGE_SESSION: &str = "PLAN_JUDGE_SESSION";
/// Set by `plan loop run` for the clients that it starts: their hooks leave the begin and the end of a turn to it.
pub const PLAN_LOOP: &str = "PLAN_LOOP";

/// Names whom a review is for, where the caller of a host knows: `USER::CHAT`.
pub const PLAN_REVIEW_KEY: &str = "PLAN_REVIEW_KEY";

/// All of them: what a call of `plan` for show leaves out.
pub const VARIABLES: [&str; 6] = [PLAN_FILE, PLAN_NOW, PLAN_DISABLED, PLAN_JUDGE_SESSION, PLAN_LOOP, PLAN_REVIEW_KEY];

/// The longest a verify or a check may run, in seconds (`SIGNOFF.md` §2). Settings can only lower it, `--timeout` too.
pub const VERIFY_SECONDS: u64 = 600;
/// The longest one run of a judge may take, in seconds (`SIGNOFF.md` §5).
pub const JUDGE_SECONDS: u64 = 600;
/// How long the full gate may take unless `gate_budget` says something else, in seconds (`SIGNOFF.md` §3).
pub const GATE_SECONDS: u64 = 600;
/// How long the gate may take that nobody asked for, unless `gate_budget_auto` says something else, in seconds: longer than
/// that nobody waits for a sign-off without having said so (`SIGNOFF.md` §3).
pub const AUTO_GATE_SECONDS: u64 = 60;
/// The longest a call of the loop judge may take, in seconds: a person waits for it at each stop (`INJECTION.md` §5).
pub const LOOP_JUDGE_SECONDS: u64 = 60;
/// The longest a turn of `plan loop run` may take unless `loop.turn_timeout` says something else, in seconds.
pub const TURN_SECONDS: u64 = 3600;

/// How long a review waits for its answer unless `review_ttl` says something else, in minutes (`INJECTION.md` §6).
pub const REVIEW_MINUTES: u64 = 60;

const FILE: &str = "config.yaml";
/// Its key for [`Config::judge_set_in_session`].
const SET_IN_SESSION: &str = "judge_set_in_session:";
/// Its key for [`Config::judge_programs`].
const PROGRAMS: &str = "judge_programs:";
/// Bytes of `config.yaml` at most: YAML that is made for it takes far more than linear time to read.
const LARGEST: u64 = 16 << 10;
/// Bytes of a prompt of the user's own at most.
const LARGEST_PROMPT: u64 = 256 << 10;
/// Where Unix systems keep the rules of the local time zone.
const LOCAL_ZONE: &str = "/etc/localtime";

/// What the user's `config.yaml` may hold. An unknown key is an error: a misspelt `judge` must not mean "none".
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The judges that `complete` asks when none is named, all of which must accept.
    pub judge: OneOrMany,
    /// The host in whose session `judge` was set last; none where a person set it. Judges that an agent set count as named by
    /// the caller (`SIGNOFF.md` §6).
    pub judge_set_in_session: Option<String>,
    /// Where the program of each judge was found when `judge` was set, by REF. One that is found elsewhere later counts as
    /// named by the caller (`SIGNOFF.md` §6).
    pub judge_programs: BTreeMap<String, PathBuf>,
    /// The judges that `plan judge list` offers to choose from.
    pub judges: Vec<String>,
    /// Seconds; lowers [`VERIFY_SECONDS`].
    pub verify_timeout: Option<u64>,
    /// Seconds; lowers [`JUDGE_SECONDS`].
    pub judge_timeout: Option<u64>,
    /// Seconds that the full gate may take; more than [`GATE_SECONDS`] too.
    pub gate_budget: Option<u64>,
    /// Seconds that the gate may take where no `--gate` asks for more; else [`AUTO_GATE_SECONDS`].
    pub gate_budget_auto: Option<u64>,
    /// Folders that the full gate links into its exports besides those by convention (`SIGNOFF.md` §3): names, or paths
    /// from the top of the work tree.
    pub gate_keep: Vec<String>,
    /// Refuse a judge that no sandbox encloses.
    pub require_sandbox: bool,
    /// Minutes that `plan review` waits for its answer; else [`REVIEW_MINUTES`].
    pub review_ttl: Option<u64>,
    /// `false`: `plan review` shows the plan and waits for nothing.
    pub review_confirm: Option<bool>,
    /// The loop.
    #[serde(rename = "loop")]
    pub loop_config: LoopConfig,
}

/// `loop:` of the user's configuration (`INJECTION.md` §5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LoopConfig {
    /// The loop judge: a REF, or `off`. None: the session's own host and model.
    pub judge: Option<String>,
    /// Seconds that a turn of `plan loop run` may take; more than [`TURN_SECONDS`] too.
    pub turn_timeout: Option<u64>,
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
    /// As a list.
    pub fn list(&self) -> Vec<String> {
        match self {
            OneOrMany::One(word) => vec![word.clone()],
            OneOrMany::Many(words) => words.clone(),
        }
    }
}

/// `$XDG_CONFIG_HOME/plan`, else `~/.config/plan`; `None` without a home.
pub fn folder() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute()) {
        Some(base) => base,
        // A relative one would be a folder of whatever repository this runs in.
        None => std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())?.join(".config"),
    };
    Some(base.join("plan"))
}

/// The user's configuration file, there or not.
///
/// # Errors
/// [`crate::error::Kind::Input`] without a home.
pub fn file() -> Result<PathBuf> {
    let folder = folder().ok_or_else(|| Error::input("no home folder: set `HOME` or `XDG_CONFIG_HOME`"))?;
    Ok(folder.join(FILE))
}

/// Reads the user's configuration; none is the default one.
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

/// Whether the user set that a person judges, alone or with others: then no agent can sign a goal off by itself.
pub fn is_person_judge() -> bool {
    load().is_ok_and(|config| config.judge.list().iter().any(|judge| judge == "human"))
}

/// The text of an overriding prompt in the user's configuration folder, where there is one.
pub fn prompt_override(name: &str) -> Result<Option<String>> {
    let Some(path) = folder().map(|folder| folder.join("prompts").join(name)) else { return Ok(None) };
    read("prompt", &path, LARGEST_PROMPT)
}

/// Writes `judge:` into the user's configuration and leaves every other line as it is. Returns the file.
/// `session` is the host in whose session this is done, `programs` where the program of each judge is now.
pub fn set_judges(
    references: &[String],
    session: Option<&str>,
    programs: &BTreeMap<String, PathBuf>,
) -> Result<PathBuf> {
    let path = file()?;
    let old = read("configuration", &path, LARGEST)?.unwrap_or_default();
    let mut expected = parse(&old).map_err(|why| unparsed(&path, &why))?;
    expected.judge = OneOrMany::Many(references.to_vec());
    expected.judge_set_in_session = session.map(str::to_owned);
    expected.judge_programs.clone_from(programs);
    let mark = session.map(|host| format!("{SET_IN_SESSION} {host}\n")).unwrap_or_default();
    let new = with_entry(&with_judges(&old, references), SET_IN_SESSION, &mark);
    let new = with_entry(&new, PROGRAMS, &entry_of(programs));
    if parse(&new).ok().as_ref() != Some(&expected) {
        return Err(Error::input(format!(
            "cannot change `judge` in `{}` without touching other lines",
            path.display()
        ))
        .hint("edit the file by hand: `judge: [REF, …]`"));
    }
    write(&path, &new).map_err(|error| {
        Error::input(format!("cannot write `{}`: {error}", path.display())).hint("check the folder's permissions")
    })?;
    Ok(path)
}

/// A file of the configuration folder, where there is one; `what` it is to the user.
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
        .hint("known keys: judge, judges, verify_timeout, judge_timeout, gate_budget, gate_budget_auto, gate_keep, require_sandbox, review_ttl, review_confirm, loop.judge, loop.turn_timeout")
}

/// The entry of [`PROGRAMS`]; empty where there is none. JSON strings are YAML.
fn entry_of(programs: &BTreeMap<String, PathBuf>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let line =
        |(judge, path): (&String, &PathBuf)| format!("  {}: {}\n", quoted(judge), quoted(&path.to_string_lossy()));
    let lines: String = programs.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("{PROGRAMS}\n{lines}") }
}

/// `old` with its top-level `judge:` entry replaced, or one added at the end.
fn with_judges(old: &str, references: &[String]) -> String {
    let entry = references.iter().fold(String::from("judge:\n"), |text, reference| {
        text + "  - " + &serde_json::Value::from(reference.as_str()).to_string() + "\n"
    });
    with_entry(old, "judge:", &entry)
}

/// `old` with the top-level entry that begins with `key` replaced, or `entry` added at the end; an empty one is taken away.
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

/// The stamp of a log line, `YYYY-MM-DD HH:MM` in local time, or what `PLAN_NOW` says.
pub fn stamp() -> Result<String> {
    let Some(fixed) = std::env::var_os(PLAN_NOW) else {
        return Ok(jiff::Timestamp::now().to_zoned(zone()).strftime("%Y-%m-%d %H:%M").to_string());
    };
    let text = fixed.to_string_lossy();
    text.parse::<jiff::civil::DateTime>()
        .map(|time| time.strftime("%Y-%m-%d %H:%M").to_string())
        .map_err(|_| Error::input(format!("`{PLAN_NOW}` is `{text}`; expected a time like `2026-06-15T14:33`")))
}

/// The user's time zone. Without `TZ` it is read where it stands: to ask for it by its name, all names are read first,
/// hundreds of folders and files, which takes longer than a write.
pub fn zone() -> jiff::tz::TimeZone {
    let local = if std::env::var_os("TZ").is_none() { std::fs::read(LOCAL_ZONE).ok() } else { None };
    local.and_then(|rules| jiff::tz::TimeZone::tzif("local", &rules).ok()).unwrap_or_else(jiff::tz::TimeZone::system)
}

/// True inside a process that `plan` started as judge.
pub fn inside_judge() -> bool {
    std::env::var_os(PLAN_JUDGE_SESSION).is_some_and(|value| !value.is_empty())
}

/// True inside a client that `plan loop run` started.
pub fn inside_loop_run() -> bool {
    std::env::var_os(PLAN_LOOP).is_some_and(|value| !value.is_empty())
}

/// Whom a review is for, as the caller of a host named it.
pub fn review_key() -> Option<String> {
    std::env::var(PLAN_REVIEW_KEY).ok().filter(|key| !key.trim().is_empty())
}

/// True where the user switched every hook and injection off.
pub fn is_disabled() -> bool {
    std::env::var_os(PLAN_DISABLED).is_some_and(|value| value == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_judges_leaves_other_lines_alone() {
        let old = "# mine\njudge: claude # why\nverify_timeout: 60\njudges:\n  - codex\n";
        let new = with_judges(old, &["cmd:a \"b\"".to_owned()]);
        assert_eq!(new, "# mine\njudge:\n  - \"cmd:a \\\"b\\\"\"\nverify_timeout: 60\njudges:\n  - codex\n");
        assert_eq!(with_judges(&new, &["human".to_owned()]).lines().count(), new.lines().count());
        assert_eq!(parse(&new).unwrap().judge.list(), ["cmd:a \"b\""]);
    }

    #[test]
    fn the_mark_of_a_session_comes_and_goes() {
        let old = "judge: claude\nverify_timeout: 60\n";
        let marked = with_entry(old, SET_IN_SESSION, "judge_set_in_session: codex\n");
        assert_eq!(parse(&marked).unwrap().judge_set_in_session.as_deref(), Some("codex"));
        assert_eq!(with_entry(&marked, SET_IN_SESSION, ""), old);
    }

    #[test]
    fn where_programs_are_comes_and_goes() {
        let programs = BTreeMap::from([("cmd:a 'b: c'".to_owned(), PathBuf::from("/opt/x \"y\"/a"))]);
        let old = "judge: claude\nverify_timeout: 60\n";
        let new = with_entry(old, PROGRAMS, &entry_of(&programs));
        assert_eq!(parse(&new).unwrap().judge_programs, programs);
        assert_eq!(with_entry(&new, PROGRAMS, &entry_of(&BTreeMap::new())), old);
    }

    #[test]
    fn what_cannot_be_replaced_line_by_line_is_not_written() {
        let changes = |old: &str| {
            let expected = Config { judge: OneOrMany::Many(vec!["human".to_owned()]), ..parse(old).unwrap() };
            parse(&with_judges(old, &["human".to_owned()])).ok() == Some(expected)
        };
        assert!(
            changes("") && changes("# only a comment") && changes("judge: [claude,\n  codex]\nverify_timeout: 5\n")
        );
        assert!(changes("judge:\n- claude\n- codex\njudges: [a]\n"), "items may stand at the margin");
        // Each of these needs a person: `set_judges` compares what came out and refuses.
        assert!(!changes("\"judge\": claude\n"));
        assert!(!changes("judge: [claude,\ncodex]\n"));
        assert!(!changes("{judge: claude}\n"));
    }

    #[test]
    fn values_of_the_wrong_sort_are_errors() {
        for text in
            ["verify_timeout: -1\n", "verify_timeout: soon\n", "require_sandbox: 7\n", "judge: {a: b}\n", "- a\n"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("judge: claude\n").unwrap().judge.list(), ["claude"]);
        assert!(parse("judge: [a, b]\nrequire_sandbox: true\n").unwrap().require_sandbox);
    }

    // P-25: `off` is a word, not the `false` of older YAML
    #[test]
    fn the_loop_judge_is_a_word() {
        let judge = |text: &str| parse(text).map(|config| config.loop_config.judge);
        assert_eq!(judge("loop:\n  judge: off\n").unwrap().as_deref(), Some("off"));
        assert_eq!(judge("loop: {judge: claude:haiku}\n").unwrap().as_deref(), Some("claude:haiku"));
        assert_eq!(judge("judge: claude\n").unwrap(), None);
        assert!(judge("loop: {jugde: off}\n").unwrap_err().contains("jugde"));
    }

    #[test]
    fn a_misspelt_key_is_an_error() {
        assert!(parse("jugde: claude\n").unwrap_err().contains("jugde"));
        assert_eq!(parse("# nothing\n\n").unwrap(), Config::default());
    }
}
