//! The lines of a log with their places.

use crate::plan::model::Plan;
use crate::plan::rules::{GoalLine, read_line};

/// One log line.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuditLine<'a> {
    /// Byte offset in the plan file.
    pub(super) at: usize,
    pub(super) stamp: &'a str,
    pub(super) text: &'a str,
    /// What it says about a goal, where it is one of `plan`.
    pub(super) said: Option<GoalLine<'a>>,
}

impl<'a> AuditLine<'a> {
    /// Stamp and text.
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.stamp, self.text)
    }
}

/// The lines in file order; with `archived` those below the archive too.
pub(super) fn lines<'a>(plan: &Plan<'a>, archived: bool) -> Vec<AuditLine<'a>> {
    let sections = plan.logs.iter().filter(|log| archived || !log.archived);
    let lines = sections.flat_map(|log| &plan.log[log.lines.start as usize..log.lines.end as usize]);
    lines
        .map(|line| {
            let text = plan.text(line.text);
            AuditLine { at: line.line.start as usize, stamp: plan.text(line.stamp), text, said: read_line(text) }
        })
        .collect()
}
