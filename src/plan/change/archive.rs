//! Moves goals below `# Archive`, and back.

use std::collections::HashSet;
use std::ops::Range;

use super::ranked_edit::{Rank, line_at};
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::contract::Digests;
use crate::plan::edit::{Edit, apply};
use crate::plan::log::LogLine;
use crate::plan::model::{Key, Plan, Status};
use crate::plan::parse::parse;

/// Checks at the end that every goal still reads as before. The end of the archive, for instance a list item that opens a
/// fence, could turn an indented heading below it into its own text. `new` is the number of added goals.
pub(super) fn check(plan: &Plan<'_>, edits: &[Edit], new: usize) -> Result<()> {
    let after = apply(plan.source, edits)?;
    let after = parse(&after)?;
    let mut found = goals(&after);
    let are_there = goals(plan).iter().all(|goal| found.binary_search(goal).map(|at| found.remove(at)).is_ok());
    if are_there && found.len() == new && ours(&after) >= ours(plan) && after.archive.is_some() {
        return Ok(());
    }
    Err(Error::input("the last lines of the archive would swallow the goals that go below it")
        .hint("end it with a line of text at the left edge"))
}

/// Counts the log lines that `plan` understands.
fn ours(plan: &Plan<'_>) -> usize {
    plan.log_lines().filter(|(_, text)| LogLine::parse(text).is_some()).count()
}

/// Returns the contract and the number of steps of each goal, sorted.
fn goals(plan: &Plan<'_>) -> Vec<(String, usize)> {
    let mut digests = Digests::default();
    let mut goals: Vec<_> = plan.all_goals().map(|goal| (digests.of(goal).to_string(), goal.steps().len())).collect();
    goals.sort_unstable();
    goals
}

/// Returns the parts of a goal without its log sections: these report on all goals, and stay where they are. A log section
/// with steps goes with the goal, and so does an id inside a log section.
pub(in crate::plan) fn parts<'p>(plan: &'p Plan<'_>, goal: usize) -> impl Iterator<Item = Range<usize>> + 'p {
    let raw = plan.goals.get(goal);
    let body = raw.map_or(0..0, |goal| goal.body.range());
    let id = raw.and_then(|goal| goal.id.map(|(line, _)| line).or(goal.bad_id)).map_or(0..0, |line| line.range());
    let logs = logs_in(plan, goal).filter(move |(_, has_step)| !has_step).map(|(log, _)| log);
    let stay = logs.flat_map(move |log| match log.contains(&id.start) && !id.is_empty() {
        true => [log.start..id.start, id.end..log.end],
        false => [log.clone(), log.end..log.end],
    });
    let mut at = body.start;
    let ends = stay.chain(std::iter::once(body.end..body.end));
    ends.map(move |log| std::mem::replace(&mut at, log.end)..log.start)
}

/// The log sections inside a goal, and whether each contains a step.
fn logs_in<'p>(plan: &'p Plan<'_>, goal: usize) -> impl Iterator<Item = (Range<usize>, bool)> + 'p {
    let body = plan.goals.get(goal).map_or(0..0, |goal| goal.body.range());
    let logs = plan.logs.iter().map(|log| log.heading.range().start..log.body.range().end);
    let has_step = |log: &Range<usize>| plan.steps.iter().any(|step| log.contains(&(step.line.start as usize)));
    logs.filter(move |log| body.contains(&log.start)).map(move |log| (log.clone(), has_step(&log)))
}

impl EditWriter<'_, '_> {
    pub(super) fn archive(&mut self, goals: &[usize]) -> Result<()> {
        self.index();
        self.check_removal(goals)?;
        let mut seen: HashSet<usize> = self.archived.iter().copied().collect();
        for &index in goals {
            let goal = self.writable(index)?;
            if goal.raw().archived || !seen.insert(index) {
                return Err(Error::input(format!("goal `{}` is in the archive already", goal.name())));
            }
            self.keeps_log(index)?;
            for part in parts(self.plan, index) {
                self.remove(part, Rank::Block);
            }
            self.archived.push(index);
        }
        Ok(())
    }

    /// Takes a goal out of the archive; [`EditWriter::write_restored`] writes it above the archive.
    pub(super) fn restore(&mut self, index: usize) -> Result<()> {
        self.check_removal(&[index])?;
        let goal = self.writable(index)?;
        if !goal.raw().archived || self.restored.contains(&index) {
            return Err(Error::input(format!("goal `{}` is not in the archive", goal.name())));
        }
        if let Some(open) = self.plan.unclosed
            && goal.raw().body.range().contains(&(open.start as usize))
        {
            return Err(self.swallows(open, "the text below the goal"));
        }
        for part in parts(self.plan, index) {
            self.remove(part, Rank::Block);
        }
        self.restored.push(index);
        Ok(())
    }

    /// Refuses a goal if a log section would go with the goal's steps and contains log lines that `plan` reads: these lines
    /// would no longer be read, including lines about other goals.
    pub(super) fn keeps_log(&self, goal: usize) -> Result<()> {
        let is_ours = |log: &Range<usize>| {
            let lines = self.plan.log.iter().filter(|line| log.contains(&(line.line.start as usize)));
            lines.into_iter().any(|line| LogLine::parse(self.plan.text(line.text)).is_some())
        };
        let Some((log, _)) = logs_in(self.plan, goal).find(|(log, has_step)| *has_step && is_ours(log)) else {
            return Ok(());
        };
        let (name, line) = (self.plan.goal(goal).map_or("", |goal| goal.name()), self.plan.line_of(log.start));
        Err(Error::input(format!("goal `{name}` has steps below the log in line {line}, which would go with them"))
            .hint("move the steps above the log with an editor"))
    }

    /// Returns the restored goals, each with status active.
    pub(super) fn write_restored(&self) -> Vec<Vec<u8>> {
        let eol = self.eol(self.end());
        let active = Status::Active.word();
        let text = |&index: &usize| {
            let goal = self.plan.goal(index)?;
            let (range, status) = match goal.field(Key::Status) {
                Some(field) if field.value.is_empty() => (field.value.range(), format!(" {active}")),
                Some(field) => (field.value.range(), active.to_owned()),
                None => {
                    let at = self.field_at(goal, Key::Status);
                    let is_line = at == 0 || self.plan.source.get(at - 1) == Some(&b'\n');
                    let before = if is_line { "" } else { eol }; // The file's last line may have no line ending.
                    (at..at, format!("{before}{}: {active}{}", Key::Status.word(), self.eol(at)))
                }
            };
            let mut text = Vec::new();
            for part in parts(self.plan, index) {
                let source = |range: Range<usize>| self.plan.source.get(range).unwrap_or_default();
                if part.contains(&range.start) || part.end == range.start && range.is_empty() {
                    text.extend_from_slice(source(part.start..range.start));
                    text.extend_from_slice(status.as_bytes());
                    text.extend_from_slice(source(range.end..part.end));
                } else {
                    text.extend_from_slice(source(part));
                }
            }
            Some(whole_lines(&text, eol))
        };
        self.restored.iter().filter_map(text).collect()
    }

    /// Returns the blocks for the end of the file: the archive's heading if it is missing, and the goals, each without its
    /// trailing blank lines.
    pub(super) fn write_archive(&mut self) -> Vec<Vec<u8>> {
        if self.archived.is_empty() {
            return Vec::new();
        }
        let eol = self.eol(self.plan.source.len());
        let heading = self.plan.archive.is_none().then(|| format!("# Archive{eol}").into_bytes());
        let goals = self.archived.iter().map(|&goal| {
            let body = parts(self.plan, goal).map(|part| &self.plan.source[part]).collect::<Vec<_>>().concat();
            whole_lines(&body, eol)
        });
        heading.into_iter().chain(goals).collect()
    }

    /// Returns the end of the text that stays if all removed or archived goals that end at `at` are taken out.
    pub(super) fn kept_end(&self, at: usize) -> usize {
        let mut at = at;
        let mut gone = [self.archived.as_slice(), self.removed.as_slice()].concat();
        gone.sort_unstable();
        for &goal in gone.iter().rev() {
            for part in parts(self.plan, goal).collect::<Vec<_>>().iter().rev().filter(|part| !part.is_empty()) {
                if part.end == at {
                    at = part.start;
                }
            }
        }
        at
    }
}

/// Returns a goal's lines without trailing blank lines, with a line ending after the last line.
fn whole_lines(body: &[u8], eol: &str) -> Vec<u8> {
    let text = body.trim_ascii_end();
    let line = line_at(body, text.len()); // White space after the last word stays too.
    let end = if line.ends_with(b"\n") { "" } else { eol };
    [&body[..text.len() + line.len()], end.as_bytes()].concat()
}
