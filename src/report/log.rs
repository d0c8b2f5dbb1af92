//! The log by days, newest line first.

use serde::Serialize;

use super::facts::ReportFacts;
use super::stamp;
use crate::plan::contract::Effect;
use crate::plan::log::{GoalEvent, LogLine, StepEnd, folded};

/// The most lines that are shown.
const MOST: usize = 200;

/// The log.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Log {
    pub(super) days: Vec<Day>,
    /// The number of older lines, which are left out.
    pub(super) older: usize,
}

/// A day.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Day {
    /// `Friday, 19 June 2026`
    pub(super) name: String,
    pub(super) entries: Vec<LogEntry>,
}

/// A line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LogEntry {
    /// `17:31`
    pub(super) time: String,
    /// The whole stamp.
    pub(super) at: String,
    pub(super) tone: Tone,
    /// The goal's subject and its anchor in the page.
    pub(super) goal: Option<(String, Option<String>)>,
    /// The text after the goal; without a goal, the whole text.
    pub(super) text: String,
    /// The text below it.
    pub(super) more: Option<String>,
}

/// The kind of a line, which decides its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tone {
    Plain,
    Started,
    Good,
    Bad,
    Changed,
    Given,
}

/// The newest lines of the log above the archive.
pub(super) fn log(facts: &ReportFacts<'_, '_>) -> Log {
    let all: Vec<(&str, &str)> = facts.plan.log_lines().collect();
    let mut log = Log { days: Vec::new(), older: all.len().saturating_sub(MOST) };
    for (at, text) in all.iter().rev().take(MOST) {
        let (date, time) = at.split_once(' ').unwrap_or((at, ""));
        let name = stamp::long_day(at);
        if log.days.last().is_none_or(|day| day.name != name) {
            let name = if name == *at { date.to_owned() } else { name };
            log.days.push(Day { name, entries: Vec::new() });
        }
        let entry = LogEntry { time: time.to_owned(), at: (*at).to_owned(), ..entry(facts, text) };
        if let Some(day) = log.days.last_mut() {
            day.entries.push(entry);
        }
    }
    log
}

fn entry(facts: &ReportFacts<'_, '_>, text: &str) -> LogEntry {
    let plain =
        |tone, text: String| LogEntry { time: String::new(), at: String::new(), tone, goal: None, text, more: None };
    match LogLine::parse(text) {
        Some(LogLine::Goal { id, event }) => {
            let (tone, text, more) = of_goal(event);
            let goal = facts.named(id).map(|(subject, anchor)| (subject.to_owned(), anchor.map(str::to_owned)));
            LogEntry { goal: Some(goal.unwrap_or_else(|| (id.to_owned(), None))), more, ..plain(tone, text) }
        }
        Some(LogLine::Step { end, .. }) => {
            let tone = match end {
                StepEnd::Complete => Tone::Good,
                StepEnd::Failed => Tone::Bad,
                StepEnd::Skipped => Tone::Given,
                StepEnd::Retried => Tone::Plain,
            };
            plain(tone, text.to_owned())
        }
        Some(LogLine::Proposed { .. } | LogLine::EditRejected { .. } | LogLine::Rewound { .. }) => {
            plain(Tone::Changed, folded(text).into_owned())
        }
        _ => plain(Tone::Plain, folded(text).into_owned()),
    }
}

/// The sign, the words after the subject, and the text below.
fn of_goal(event: GoalEvent<'_>) -> (Tone, String, Option<String>) {
    match event {
        GoalEvent::Added { .. } => (Tone::Plain, "added".to_owned(), None),
        GoalEvent::Started(start) => (Tone::Started, format!("started, verify {}", start.verify), None),
        GoalEvent::Amended(amended) => {
            let is_less = Effect::of_line(amended.what) == Some(Effect::Loosened);
            let tone = if is_less { Tone::Changed } else { Tone::Plain };
            (tone, format!("amended: {}", amended.what), amended.because.map(|why| format!("because {why}")))
        }
        GoalEvent::SignedOff(line) => {
            let more = format!("verify {}, gate {}, accepted by {}", line.verify, line.gate, line.judges);
            (Tone::Good, "signed off".to_owned(), Some(more))
        }
        GoalEvent::Rejected { by, why } => (Tone::Bad, format!("rejected by {}", by.describe()), Some(why.to_owned())),
        GoalEvent::Inconclusive { judge, why } => {
            (Tone::Plain, format!("not decided by the judge {judge}"), Some(why.to_owned()))
        }
        GoalEvent::Reopened { why } => (Tone::Changed, "reopened".to_owned(), Some(why.to_owned())),
        GoalEvent::Cancelled { reason } => (Tone::Given, "cancelled".to_owned(), Some(reason.to_owned())),
    }
}
