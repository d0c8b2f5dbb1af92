//! A command that a key started: `plan` itself in a process of its own, with the words of the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

use super::goal::{Lines, PaneLine};
use super::prompt::Job;
use crate::plan::view::{Row, Style};
use crate::process::environment::Environment;
use crate::process::own::{CallOutput, Calls, OwnCall, Ticket};
use crate::ui::relay::RelayLine;

/// The most notes of a running sign-off that are shown.
const NOTES: usize = 3;
/// The width in columns below which a sign-off is described in fewer words.
const NARROW: usize = 60;

/// The folder in which commands run, and their plan.
#[derive(Clone, Debug)]
pub(super) struct RunPlace {
    pub(super) cwd: PathBuf,
    /// The value of `--file`, if the caller gave one.
    pub(super) file: Option<PathBuf>,
}

/// A command that was started.
pub(super) struct Run {
    pub(super) job: Job,
    pub(super) started: Instant,
    stages: Stages,
    /// Its output, without progress lines.
    said: Vec<String>,
    ticket: Arc<Ticket>,
    heard: Receiver<CommandMessage>,
}

enum CommandMessage {
    Line(String),
    End(std::io::Result<CallOutput>),
}

/// The end of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunEnd {
    pub(super) code: u8,
    /// Its output.
    pub(super) text: Vec<String>,
}

impl Run {
    /// Starts a command.
    pub(super) fn start(calls: &Calls, origin: &RunPlace, job: Job) -> Run {
        let file = origin.file.iter().flat_map(|file| ["--file".into(), file.clone().into_os_string()]);
        let words = job.words.iter().map(OsString::from);
        let call = OwnCall {
            arguments: file.chain(words).collect(),
            cwd: origin.cwd.clone(),
            env: Environment::inherited(),
            asks: false,
        };
        let (say, heard) = channel();
        let ticket = calls.ticket();
        let theirs = Arc::clone(&ticket);
        std::thread::spawn(move || attend(&theirs, &call, &say));
        Run { job, started: Instant::now(), stages: Stages::default(), said: Vec::new(), ticket, heard }
    }

    /// Processes the output since the last call. Returns the end once.
    pub(super) fn listen(&mut self) -> Option<RunEnd> {
        loop {
            match self.heard.try_recv() {
                Ok(CommandMessage::Line(line)) => {
                    if !self.stages.hear(&line, self.started.elapsed().as_secs()) {
                        self.said.push(line);
                    }
                }
                Ok(CommandMessage::End(end)) => return Some(self.ended(end)),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    let text = vec!["it ended, and nobody can tell how".to_owned()];
                    return Some(RunEnd { code: 3, text });
                }
            }
        }
    }

    fn ended(&self, end: std::io::Result<CallOutput>) -> RunEnd {
        match end {
            Err(error) => RunEnd { code: 3, text: vec![format!("cannot start it: {error}")] },
            Ok(ended) => {
                let printed = String::from_utf8_lossy(&ended.stdout).into_owned();
                let lines = self.said.iter().cloned().chain(printed.lines().map(str::to_owned));
                RunEnd { code: ended.code, text: lines.collect() }
            }
        }
    }

    /// Interrupts it like Ctrl-C.
    pub(super) fn stop(&self) {
        self.ticket.interrupt();
    }

    /// The progress of a sign-off.
    pub(super) fn check(&self, goal: &str) -> ShownCheck {
        let seconds = self.started.elapsed().as_secs();
        ShownCheck { goal: goal.to_owned(), seconds, state: CheckState::Running(self.stages.clone()) }
    }
}

fn attend(ticket: &Ticket, call: &OwnCall, say: &Sender<CommandMessage>) {
    let ended = ticket.run(call, &mut |line| {
        let _ = say.send(CommandMessage::Line(line.to_owned()));
        None
    });
    let _ = say.send(CommandMessage::End(ended));
}

/// A stage of a sign-off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Verify,
    Gate,
    Judge,
}

/// The progress of a sign-off, read from its output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stages {
    at: Stage,
    /// The verify line.
    line: Option<String>,
    /// Seconds after which verify had passed.
    green: Option<u64>,
    /// The running part, in the words of the command.
    what: String,
    notes: Vec<String>,
}

impl Stages {
    /// Reads a line of stderr; false if the line belongs to the final report.
    pub(super) fn hear(&mut self, line: &str, seconds: u64) -> bool {
        match RelayLine::read(line) {
            RelayLine::Progress(what, _) => {
                let stage = match what.split_once(' ') {
                    _ if self.line.as_deref() == Some(what) => Stage::Verify,
                    Some(("gate", _)) => Stage::Gate,
                    Some(("judge", _)) => Stage::Judge,
                    _ => self.at,
                };
                self.reach(stage, what, seconds);
            }
            RelayLine::Question(_) => {}
            RelayLine::Text(text) => match (text.strip_prefix("$ "), text.strip_prefix("asking ")) {
                (Some(line), _) if self.line.is_none() => self.line = Some(line.to_owned()),
                (_, Some(judge)) => self.reach(Stage::Judge, judge, seconds),
                _ if text.starts_with("error:") || text.starts_with("  help:") => return false,
                _ => self.notes.push(text.to_owned()),
            },
        }
        true
    }

    fn reach(&mut self, stage: Stage, what: &str, seconds: u64) {
        if stage > Stage::Verify {
            self.green.get_or_insert(seconds);
        }
        if stage > self.at || stage == Stage::Gate {
            what.clone_into(&mut self.what);
        }
        self.at = self.at.max(stage);
    }

    fn rows(&self) -> Vec<Row> {
        let row = |stage: Stage, name: &str, text: String| {
            let (style, sign) = if self.at > stage { (Style::Good, "✓ ") } else { (Style::Active, "→ ") };
            Row::new(10).with(style, sign).with(Style::Plain, format!("{name:<8}{text}"))
        };
        let line = self.line.clone().unwrap_or_default();
        let verify = match self.green {
            Some(seconds) => format!("green after {seconds} s: {line}"),
            None => line,
        };
        let mut rows = vec![row(Stage::Verify, "verify", verify)];
        if self.at >= Stage::Gate {
            let told = if self.at == Stage::Gate { self.what.trim_start_matches("gate ") } else { "nothing blocks" };
            rows.push(row(Stage::Gate, "gate", told.to_owned()));
        }
        if self.at == Stage::Judge {
            rows.push(row(Stage::Judge, "judge", self.what.trim_start_matches("judge ").to_owned()));
        }
        let first = self.notes.len().saturating_sub(NOTES);
        rows.extend(self.notes[first..].iter().map(|note| Row::new(4).with(Style::Dim, format!("  {note}"))));
        rows
    }

    /// The running part.
    fn now(&self) -> &str {
        if self.at == Stage::Verify { "verify" } else { &self.what }
    }

    /// `verify green, gate passed, judge claude`
    fn short(&self) -> String {
        match self.at {
            Stage::Verify => "verify runs".to_owned(),
            Stage::Gate => format!("verify green, {}", self.what),
            Stage::Judge => format!("verify green, gate passed, {}", self.what),
        }
    }
}

/// A sign-off, prepared for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShownCheck {
    pub(super) goal: String,
    pub(super) seconds: u64,
    pub(super) state: CheckState,
}

/// The state of a sign-off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckState {
    /// Running; a key of this view started it.
    Running(Stages),
    /// Ended.
    Ended(RunEnd),
    /// Another process, with this id, runs it; nothing else is known.
    Elsewhere(u32),
}

impl ShownCheck {
    /// The heading above the sign-off.
    pub(super) fn heading(&self) -> String {
        let time = clock(self.seconds);
        match &self.state {
            CheckState::Running(_) => format!("Sign-off running  {time}   x stops it"),
            CheckState::Elsewhere(_) => format!("Sign-off running  {time}   in another process"),
            CheckState::Ended(end) => format!("Sign-off of {}: {}", self.goal, end.word()),
        }
    }

    pub(super) fn lines(&self, columns: usize) -> Vec<PaneLine> {
        let mut lines = Lines::new(Some(columns));
        match &self.state {
            CheckState::Running(stages) => stages.rows().iter().for_each(|row| lines.row(row)),
            CheckState::Elsewhere(process) => {
                let told = format!("process {process} checks {}: ", self.goal);
                let waits = format!("plan complete {} --wait", self.goal);
                lines.row(&Row::new(0).with(Style::Plain, told).with(Style::Dim, waits));
            }
            CheckState::Ended(end) => end.text.iter().for_each(|text| lines.row(&Row::new(2).with(Style::Plain, text))),
        }
        lines.end()
    }

    /// The sign-off in one line; without the goal if there is little room.
    pub(super) fn short(&self, columns: usize) -> String {
        let time = clock(self.seconds);
        match &self.state {
            CheckState::Running(stages) if columns < NARROW => format!("sign-off {time}  {}", stages.now()),
            CheckState::Elsewhere(process) if columns < NARROW => format!("sign-off {time}  in process {process}"),
            CheckState::Ended(end) if columns < NARROW => format!("sign-off {}  enter shows why", end.word()),
            CheckState::Running(stages) => format!("sign-off {}  {time}  {}", self.goal, stages.short()),
            CheckState::Elsewhere(process) => format!("sign-off {}  {time}  in process {process}", self.goal),
            CheckState::Ended(end) => format!("sign-off {}  {}; enter shows the report", self.goal, end.word()),
        }
    }
}

impl RunEnd {
    /// The result of a sign-off, by its exit code.
    fn word(&self) -> &'static str {
        match self.code {
            0 => "signed off",
            1 => "rejected",
            3 => "not decided",
            130 => "stopped",
            _ => "refused",
        }
    }
}

/// `0:41`
fn clock(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: &[Row]) -> String {
        let mut text = String::new();
        rows.iter().for_each(|row| row.put(crate::plan::view::Screen::default(), &mut text));
        text
    }

    #[test]
    fn what_a_sign_off_says_becomes_its_stages() {
        let mut stages = Stages::default();
        assert!(stages.hear("$ gate check", 0) && stages.hear("\u{1e}1 gate check", 1));
        assert_eq!((text(&stages.rows()).as_str(), stages.short().as_str()), ("→ verify  gate check\n", "verify runs"));
        assert!(stages.hear("\u{1e}2 gate 3 of 5, never-red", 4));
        assert_eq!(text(&stages.rows()), "✓ verify  green after 4 s: gate check\n→ gate    3 of 5, never-red\n");
        assert!(stages.hear("asking judge claude (sandbox landlock7)", 6) && stages.hear("\u{1e}1 judge claude", 7));
        assert!(stages.hear("judge claude: cut off; asking once more", 8));
        let all = "✓ verify  green after 4 s: gate check\n✓ gate    nothing blocks\n→ judge   claude (sandbox landlock7)\n  judge claude: cut off; asking once more\n";
        assert_eq!(text(&stages.rows()), all);
        assert_eq!(stages.short(), "verify green, gate passed, judge claude (sandbox landlock7)");
        assert!(!stages.hear("error: it is gone", 9) && !stages.hear("  help: look", 9));
    }

    #[test]
    fn a_sign_off_is_told_as_it_ended() {
        let check = |state| ShownCheck { goal: "a-1".to_owned(), seconds: 61, state };
        let ended = |code| check(CheckState::Ended(RunEnd { code, text: vec!["why".to_owned()] })).short(80);
        assert_eq!(ended(0), "sign-off a-1  signed off; enter shows the report");
        let words = [1, 2, 3, 4, 130].map(|code| ended(code).split([' ', ';']).nth(3).unwrap().to_owned());
        assert_eq!(words, ["rejected", "refused", "not", "refused", "stopped"]);
        assert_eq!(check(CheckState::Elsewhere(7)).short(80), "sign-off a-1  1:01  in process 7");
        assert_eq!(check(CheckState::Elsewhere(7)).short(40), "sign-off 1:01  in process 7");
    }
}
