//! The result of a verify, and the words for it.

use std::path::PathBuf;

use serde::Serialize;

use crate::plan::text;
use crate::process::run::Tail;

/// How a verify ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum Ended {
    /// Every program exited 0.
    Green,
    /// One exited with another code.
    Exit {
        /// The code.
        code: i32,
    },
    /// One was ended by a signal.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// The limit was reached.
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// One could not be started.
    Unstartable {
        /// Which, and why.
        why: String,
    },
}

/// What a verify did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The line.
    pub line: String,
    /// Argv of the program that ended it, its first word resolved to a file.
    pub argv: Vec<String>,
    /// How it ended.
    #[serde(flatten)]
    pub ended: Ended,
    /// Wall time of all programs.
    pub seconds: f64,
    /// The end of what all programs printed.
    #[serde(rename = "tail", serialize_with = "tail_text")]
    pub tail: Tail,
    /// The whole of it, where a log is kept; a file for each program.
    pub logs: Vec<PathBuf>,
    /// A child lived on after its program.
    pub left_processes: bool,
}

/// What a language, a runner or a shell says of a module, a program or a target that is not there.
const MISSING: [&str; 15] = [
    "ModuleNotFoundError:", "ImportError:", ": No module named ", "Could not read package.json", "Cannot find module ",
    "ERR_MODULE_NOT_FOUND", "command not found", "cannot load such file -- ", "ERROR: file or directory not found: ",
    "error: no test target named ", "error: could not find `Cargo.toml`", "go: go.mod file not found",
    "issing script: ", "npx canceled due to missing packages", "error: no such command: `",
];
/// What an interpreter says of a script that is not there. Another script than the one that verify names may be the work.
const NO_SCRIPT: [&str; 4] =
    [": can't open file '", ": 0: cannot open ", "Can't open perl script ", "Could not open input file: "];

fn tail_text<S: serde::Serializer>(tail: &Tail, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&tail.text())
}

/// Whether runners end their output with such a line, behind what failed: `# duration_ms 52.1`, `npm error code 1`.
fn is_chatter(line: &str) -> bool {
    // What npm adds, the times of vitest, the frame of a table.
    let is_frame = line.chars().all(|c| matches!(c, '-' | '|' | '=' | '+' | '_' | ' '));
    if is_frame || ["npm error", "npm ERR!", "npm notice", "Duration  "].iter().any(|word| line.starts_with(word)) {
        return true;
    }
    let Some((name, _)) = line.strip_prefix(['#', 'ℹ']).and_then(|line| line.trim_start().split_once(' ')) else {
        return false;
    };
    matches!(name, "duration_ms" | "todo" | "skipped" | "cancelled")
}

/// Whether make or its shell did not find a program by its name: `make: pytest: No such file or directory`,
/// `/bin/sh: 1: pytest: not found`. A path is a file of the repository, which may be the work.
fn is_unknown_program(line: &str) -> bool {
    let speaker = line.split([':', '[']).next().unwrap_or_default();
    let named = [": No such file or directory", ": not found"].iter().find_map(|end| line.strip_suffix(end));
    (speaker.ends_with("make") || speaker.ends_with("sh"))
        && named.and_then(|line| line.rsplit_once(": ")).is_some_and(|(_, program)| !program.contains('/'))
}

impl Report {
    /// A report in which nothing has run yet: green as long as nothing fails.
    pub(crate) fn of(line: &str) -> Self {
        Report {
            line: line.to_owned(),
            argv: Vec::new(),
            ended: Ended::Green,
            seconds: 0.0,
            tail: Tail::default(),
            logs: Vec::new(),
            left_processes: false,
        }
    }

    /// How it ended, for a reader: `exit 0`, else the summary.
    pub fn end(&self) -> String {
        if self.is_green() { "exit 0".to_owned() } else { self.summary() }
    }

    /// Whether every program exited 0.
    pub fn is_green(&self) -> bool {
        self.ended == Ended::Green
    }

    /// `exit 1`, `signal 9`, `killed after 600 s`, as log lines have it.
    pub fn reason(&self) -> String {
        match &self.ended {
            Ended::Green => "green".to_owned(),
            Ended::Exit { code } => format!("exit {code}"),
            Ended::Signal { signal } => format!("signal {signal}"),
            Ended::TimedOut { seconds } => format!("killed after {seconds} s"),
            Ended::Unstartable { .. } => "unstartable".to_owned(),
        }
    }

    /// How a start logs it: `red exit 1`, `green`, `unstartable`.
    pub fn at_start(&self) -> String {
        match &self.ended {
            Ended::Green | Ended::Unstartable { .. } => self.reason(),
            // What cannot even be loaded has not been tried: no red.
            Ended::Exit { code: 126 | 127 } => "unstartable".to_owned(),
            Ended::Exit { .. } if self.missing().is_some() => "unstartable".to_owned(),
            _ => format!("red {}", self.reason()),
        }
    }

    /// Whether it ran to its end and said no.
    pub fn is_exit_red(&self) -> bool {
        matches!(self.ended, Ended::Exit { .. }) && self.at_start() != "unstartable"
    }

    /// The last line that says something, for the log: what was printed, else why it did not start.
    pub fn last_line(&self) -> String {
        if let Ended::Unstartable { why } = &self.ended {
            return why.clone();
        }
        let tail = self.tail.text();
        let lines = || tail.lines().rev().map(text::plain_line).filter(|line| !line.is_empty());
        let last = lines().find(|line| !is_chatter(line)).or_else(|| lines().next());
        last.unwrap_or_else(|| "no output".to_owned())
    }

    /// Why it could not be started or loaded: the line that says so.
    pub fn why_unstartable(&self) -> String {
        match &self.ended {
            Ended::Unstartable { why } => why.clone(),
            _ => self.missing().unwrap_or_else(|| self.summary()),
        }
    }

    /// The first line of its output which says that what was to be run is not there.
    fn missing(&self) -> Option<String> {
        let by_make = self.tail.text().lines().any(|line| line.trim_end().ends_with("] Error 127"));
        let is_named = |line: &str| self.argv.iter().skip(1).any(|word| line.contains(word.as_str()));
        let says = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
        let is_missing = |line: &&str| {
            says(line, &MISSING) || says(line, &NO_SCRIPT) && is_named(line) || by_make && is_unknown_program(line)
        };
        self.tail.text().lines().find(is_missing).map(text::plain_line)
    }

    /// `exit 1: 2 failed, 3 passed`
    pub fn summary(&self) -> String {
        format!("{}: {}", self.reason(), self.last_line())
    }

    /// The tail as one text, labelled where it is cut.
    pub fn tail_text(&self) -> String {
        let label = self.tail.label().map(|label| format!("({label})\n")).unwrap_or_default();
        label + self.tail.text().trim_end()
    }
}
