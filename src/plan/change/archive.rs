//! Goals that move below `# Archive`.

use std::collections::HashSet;

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
            self.remove(goal.raw().body.range(), Rank::Block);
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
            let body = &self.plan.source[self.plan.goals[goal].body.range()];
            let text = body.trim_ascii_end();
            let line = line_at(body, text.len()); // White space behind the last word stays too.
            let line = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
            [&body[..text.len() + line.len()], eol.as_bytes()].concat()
        });
        heading.into_iter().chain(goals).collect()
    }

    /// Where the text that stays ends, if all goals that end at `at` go.
    pub(super) fn kept_end(&self, at: usize) -> usize {
        let mut at = at;
        for &goal in self.archived.iter().rev() {
            let body = self.plan.goals[goal].body.range();
            if body.end == at {
                at = body.start;
            }
        }
        at
    }
}
