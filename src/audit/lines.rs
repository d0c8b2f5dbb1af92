//! The lines of a log with their places.

use crate::plan::log::{GoalEvent, LogLine, SignOff};
use crate::plan::model::Plan;

/// One log line.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuditLine<'a> {
    /// Byte offset in the plan file.
    pub(super) at: usize,
    pub(super) stamp: &'a str,
    pub(super) text: &'a str,
    /// The goal that it is about, and what it says, where it is a line of `plan`.
    pub(super) said: Option<(&'a str, GoalEvent<'a>)>,
}

impl<'a> AuditLine<'a> {
    /// Stamp and text.
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.stamp, self.text)
    }

    /// The goal that it is about.
    pub(super) fn goal(&self) -> Option<&'a str> {
        self.said.map(|(id, _)| id)
    }

    /// What it says about that goal.
    pub(super) fn event(&self) -> Option<GoalEvent<'a>> {
        self.said.map(|(_, event)| event)
    }

    /// The goal and its sign-off, where it is one.
    pub(super) fn signed_off(&self) -> Option<(&'a str, SignOff<'a>)> {
        match self.said? {
            (id, GoalEvent::SignedOff(line)) => Some((id, line)),
            _ => None,
        }
    }
}

/// The lines in file order; with `archived` those below the archive too.
pub(super) fn lines<'a>(plan: &Plan<'a>, archived: bool) -> Vec<AuditLine<'a>> {
    let sections = plan.logs.iter().filter(|log| archived || !log.archived);
    let lines = sections.flat_map(|log| &plan.log[log.lines.start as usize..log.lines.end as usize]);
    lines
        .map(|line| {
            let text = plan.text(line.text);
            let said = LogLine::parse(text).and_then(LogLine::goal);
            AuditLine { at: line.line.start as usize, stamp: plan.text(line.stamp), text, said }
        })
        .collect()
}
