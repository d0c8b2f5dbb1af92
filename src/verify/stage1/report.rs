//! The result of a verify, and its wording.

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
    /// A program exited with another code.
    Exit {
        /// The code.
        code: i32,
    },
    /// A program was ended by a signal.
    Signal {
        /// Its number.
        signal: i32,
    },
    /// The time limit was reached.
    TimedOut {
        /// The limit, in seconds.
        seconds: u64,
    },
    /// A program could not be started.
    Unstartable {
        /// The program, and the reason.
        why: String,
    },
}

/// The report of a verify.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The line.
    pub line: String,
    /// Argv of the program that ended it, with the first word resolved to a file.
    pub argv: Vec<String>,
    /// How it ended.
    #[serde(flatten)]
    pub ended: Ended,
    /// Wall time of all programs.
    pub seconds: f64,
    /// The end of the output of all programs.
    #[serde(rename = "tail", serialize_with = "tail_text")]
    pub tail: Tail,
    /// The whole output, if a log is kept; one file for each program.
    pub logs: Vec<PathBuf>,
    /// A child process outlived its program.
    pub left_processes: bool,
}

/// Messages of languages, runners and shells about a module, a program or a target that does not exist.
const MISSING: [&str; 15] = [
    "ModuleNotFoundError:", "ImportError:", ": No module named ", "Could not read package.json", "Cannot find module ",
    "ERR_MODULE_NOT_FOUND", "command not found", "cannot load such file -- ", "ERROR: file or directory not found: ",
    "error: no test target named ", "error: could not find `Cargo.toml`", "go: go.mod file not found",
    "issing script: ", "npx canceled due to missing packages", "error: no such command: `",
];
/// Messages of interpreters about a script that does not exist. A script that verify does not name may be the work.
const NO_SCRIPT: [&str; 4] =
    [": can't open file '", ": 0: cannot open ", "Can't open perl script ", "Could not open input file: "];

fn tail_text<S: serde::Serializer>(tail: &Tail, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&tail.text())
}

/// Whether this is a line that runners print after the failures: `# duration_ms 52.1`, `npm error code 1`.
fn is_chatter(line: &str) -> bool {
    // Lines that npm adds, the times of vitest, the frame of a table.
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
    /// Returns a report in which nothing has run yet. It is green as long as nothing fails.
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

    /// Returns how it ended, for a reader: `exit 0`, or else the summary.
    pub fn end(&self) -> String {
        if self.is_green() { "exit 0".to_owned() } else { self.summary() }
    }

    /// Whether every program exited 0.
    pub fn is_green(&self) -> bool {
        self.ended == Ended::Green
    }

    /// Returns `exit 1`, `signal 9`, `killed after 600 s`, as in log lines.
    pub fn reason(&self) -> String {
        match &self.ended {
            Ended::Green => "green".to_owned(),
            Ended::Exit { code } => format!("exit {code}"),
            Ended::Signal { signal } => format!("signal {signal}"),
            Ended::TimedOut { seconds } => format!("killed after {seconds} s"),
            Ended::Unstartable { .. } => "unstartable".to_owned(),
        }
    }

    /// Returns how a start logs it: `red exit 1`, `green`, `unstartable`.
    pub fn at_start(&self) -> String {
        match &self.ended {
            Ended::Green | Ended::Unstartable { .. } => self.reason(),
            // A program that cannot even be loaded has not been tried, so it is not red.
            Ended::Exit { code: 126 | 127 } => "unstartable".to_owned(),
            Ended::Exit { .. } if self.missing().is_some() => "unstartable".to_owned(),
            _ => format!("red {}", self.reason()),
        }
    }

    /// Whether it ran to its end and failed.
    pub fn is_exit_red(&self) -> bool {
        matches!(self.ended, Ended::Exit { .. }) && self.at_start() != "unstartable"
    }

    /// Returns the last line with content, for the log: of the output, or else why it did not start.
    pub fn last_line(&self) -> String {
        if let Ended::Unstartable { why } = &self.ended {
            return why.clone();
        }
        let tail = self.tail.text();
        let lines = || tail.lines().rev().map(text::plain_line).filter(|line| !line.is_empty());
        let last = lines().find(|line| !is_chatter(line)).or_else(|| lines().next());
        last.unwrap_or_else(|| "no output".to_owned())
    }

    /// Returns why it could not be started or loaded: the line that says so.
    pub fn why_unstartable(&self) -> String {
        match &self.ended {
            Ended::Unstartable { why } => why.clone(),
            _ => self.missing().unwrap_or_else(|| self.summary()),
        }
    }

    /// Returns the first line of its output which says that something to run does not exist.
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

    /// Returns the tail as one text, with a label if it is cut.
    pub fn tail_text(&self) -> String {
        let label = self.tail.label().map(|label| format!("({label})\n")).unwrap_or_default();
        label + self.tail.text().trim_end()
    }
}
