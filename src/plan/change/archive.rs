//! Goals that move below `# Archive`.

use std::collections::HashSet;
use std::ops::Range;

use super::piece::{Rank, line_at};
use super::writer::Writer;
use crate::error::{Error, Result};
use crate::plan::edit::{Edit, apply};
use crate::plan::model::Plan;
use crate::plan::parse::parse;

/// The last look: every goal is still read as one. What stands at the end of the archive, a list item that opens a
/// fence for instance, can take an indented heading below it for its own text.
pub(super) fn check(plan: &Plan<'_>, edits: &[Edit]) -> Result<()> {
    let after = apply(plan.source, edits)?;
    if parse(&after)?.goals.len() == plan.goals.len() {
        return Ok(());
    }
    Err(Error::input("what stands at the end of the archive would swallow the goals that go below it")
        .hint("end it with a line of text at the left edge"))
}

/// A goal without the log sections that stand in it: they tell of all goals, and stay where they are.
pub(super) fn parts<'p>(plan: &'p Plan<'_>, goal: usize) -> impl Iterator<Item = Range<usize>> + 'p {
    let body = plan.goals.get(goal).map_or(0..0, |goal| goal.body.range());
    let inside = body.clone();
    let logs = plan.logs.iter().map(|log| log.heading.range().start..log.body.range().end);
    let logs = logs.filter(move |log| inside.contains(&log.start));
    let mut at = body.start;
    let ends = logs.chain(std::iter::once(body.end..body.end));
    ends.map(move |log| std::mem::replace(&mut at, log.end)..log.start)
}

impl Writer<'_, '_> {
    pub(super) fn archive(&mut self, goals: &[usize]) -> Result<()> {
        self.index();
        self.check_removal(goals)?;
        let mut seen: HashSet<usize> = self.archived.iter().copied().collect();
        for &index in goals {
            let goal = self.writable(index)?;
            if goal.raw().archived || !seen.insert(index) {
                return Err(Error::input(format!("goal `{}` is in the archive already", goal.name())));
            }
            for part in parts(self.plan, index) {
                self.remove(part, Rank::Block);
            }
            self.archived.push(index);
        }
        Ok(())
    }

    /// The blocks that go to the end of the file: the archive's heading where there is none, and the goals, each
    /// without the blank lines behind it.
    pub(super) fn write_archive(&mut self) -> Vec<Vec<u8>> {
        if self.archived.is_empty() {
            return Vec::new();
        }
        let eol = self.eol(self.plan.source.len());
        let heading = self.plan.archive.is_none().then(|| format!("# Archive{eol}").into_bytes());
        let goals = self.archived.iter().map(|&goal| {
            let body = parts(self.plan, goal).map(|part| &self.plan.source[part]).collect::<Vec<_>>().concat();
            let body = body.as_slice();
            let text = body.trim_ascii_end();
            let line = line_at(body, text.len()); // White space behind the last word stays too.
            let end = if line.ends_with(b"\n") { "" } else { eol };
            [&body[..text.len() + line.len()], end.as_bytes()].concat()
        });
        heading.into_iter().chain(goals).collect()
    }

    /// Where the text that stays ends, if all goals that end at `at` go.
    pub(super) fn kept_end(&self, at: usize) -> usize {
        let mut at = at;
        for &goal in self.archived.iter().rev() {
            for part in parts(self.plan, goal).collect::<Vec<_>>().iter().rev().filter(|part| !part.is_empty()) {
                if part.end == at {
                    at = part.start;
                }
            }
        }
        at
    }
}
