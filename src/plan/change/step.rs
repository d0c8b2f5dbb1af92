//! Changes of steps: adds, marks, moves and removes them.

use std::ops::Range;

use super::ranked_edit::{Rank, RankedEdit, indent, line_at};
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Step};
use crate::plan::parse::split;
use crate::plan::scan::columns;
use crate::plan::text::{one_line, plain_line, step_text};

impl<'p, 'a> EditWriter<'p, 'a> {
    pub(super) fn add_step(
        &mut self,
        goal: usize,
        text: &str,
        after: &[u32],
        run: Option<&str>,
        note: Option<&str>,
    ) -> Result<()> {
        let goal = self.touch(goal)?;
        let number = self.take_number();
        let rest = rest(Some(number), text, after, run)? + &behind(note);
        let steps = goal.steps();
        let (at, prefix) = match self.last_of(steps.iter()) {
            Some((end, last)) => (end, self.plan.text(last.line).split_once('[').map_or("- ", |(prefix, _)| prefix)),
            None => (self.first_step_at(goal), "- "),
        };
        let eol = self.eol(at);
        let mut text = format!("{prefix}[ ] {rest}{eol}");
        let next = line_at(&self.plan.source[..goal.raw().body.end as usize], at).trim_ascii();
        if steps.is_empty() && !next.is_empty() && !next.starts_with(b"#") {
            text.push_str(eol);
        }
        self.insert(at, text, Rank::Step);
        self.shape(goal.index()).steps += 1;
        Ok(())
    }

    /// Returns the offset one past all of these steps, and the last step among the least indented ones.
    fn last_of<'s>(&self, steps: impl Iterator<Item = &'s Step> + Clone) -> Option<(usize, &'s Step)> {
        let depth = |step: &&Step| indent(self.plan.text(step.line).as_bytes()).len();
        let end = steps.clone().map(|step| step.end as usize).max()?;
        let root = steps.min_by_key(|step| (depth(step), std::cmp::Reverse(step.line.start)))?;
        Some((end, root))
    }

    /// Returns the place for a goal's first step: below its fields, or at the goal's end if indented text below would become part of it.
    fn first_step_at(&self, goal: GoalRef<'p, 'a>) -> usize {
        let fields = goal.fields().iter().map(|field| field.lines.end as usize).max();
        let at = fields.unwrap_or_default().max(self.head_end(goal));
        let body = &self.plan.source[..goal.raw().body.end as usize];
        let below = body[at..].split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
        if below.is_none_or(|line| indent(line).is_empty()) {
            at
        } else {
            body.trim_ascii_end().len() + line_at(body, body.trim_ascii_end().len()).len()
        }
    }

    pub(super) fn set_step_text(&mut self, step: usize, text: &str) -> Result<()> {
        let step = self.stepping(step)?;
        let raw = step.raw();
        let mut text = step_text(text);
        if raw.number.is_none() && split(&text).number.is_some() {
            let dot = text.find('.').unwrap_or_default();
            text.insert(dot, '\\');
        }
        if text.is_empty() {
            return Err(Error::input("expected a text for the step, found none"));
        }
        let before = self.plan.source[raw.text.start as usize - 1];
        let space = if matches!(before, b' ' | b'\t') { "" } else { " " };
        let behind = self.plan.source.get(raw.text.end as usize);
        let gap = if raw.text.is_empty() && behind == Some(&b'(') { " " } else { "" };
        if self.plan.source[raw.text.range()] != *text.as_bytes() {
            self.edits.push(RankedEdit::inline(raw.text.range(), format!("{space}{text}{gap}")));
        }
        Ok(())
    }

    /// Rewrites number, text, `(after …)` and `(run: …)`; mark and outcome stay.
    pub(super) fn set_step_parts(
        &mut self,
        step: usize,
        text: Option<&str>,
        after: Option<&[u32]>,
        run: Option<&str>,
    ) -> Result<()> {
        let step = self.stepping(step)?;
        let raw = step.raw();
        let text = text.unwrap_or_else(|| step.text());
        let run = run.map_or_else(|| step.run(), |run| Some(run).filter(|run| !run.is_empty()));
        let head = rest(raw.number, text, after.unwrap_or_else(|| step.after()), run)?;
        let old = self.plan.text(raw.rest);
        let start = raw.rest.start as usize;
        let range = start..start + split(old).head_end;
        let space = if self.plan.source[start - 1] == b']' { " " } else { "" };
        if self.plan.source[range.clone()] != *head.as_bytes() {
            self.edits.push(RankedEdit::inline(range, format!("{space}{head}")));
        }
        Ok(())
    }

    pub(super) fn add_number(&mut self, step: usize) -> Result<()> {
        let step = self.stepping(step)?;
        let raw = step.raw();
        let (number, at) = (self.take_number(), raw.text.start as usize);
        if raw.number.is_some() {
            let before = &self.plan.source[raw.rest.start as usize..at];
            let blank = before.iter().take_while(|byte| !byte.is_ascii_digit()).count();
            let digits = before[blank..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let start = raw.rest.start as usize + blank;
            self.edits.push(RankedEdit::inline(start..start + digits, number.to_string()));
            return Ok(());
        }
        let front = if self.plan.source[at - 1] == b']' { " " } else { "" };
        self.edits.push(RankedEdit::inline(at..at, format!("{front}{number}. ")));
        Ok(())
    }

    pub(super) fn set_mark(&mut self, step: usize, mark: Mark, outcome: Option<&str>) -> Result<()> {
        let step = self.stepping(step)?;
        let raw = step.raw();
        if raw.mark != mark {
            let at = raw.mark_at as usize;
            self.edits.push(RankedEdit::inline(at..at + 1, mark.character()));
        }
        let Some(outcome) = outcome.map(one_line) else { return Ok(()) };
        let rest = self.plan.text(raw.rest);
        let range =
            raw.rest.start as usize + split(rest).head_end..raw.rest.start as usize + rest.trim_ascii_end().len();
        let range = range.start..range.end.max(range.start);
        let text = match outcome.is_empty() {
            true => String::new(),
            false if matches!(self.plan.source[range.start - 1], b' ' | b'\t') => format!("\u{2014} {outcome}"),
            false => format!(" \u{2014} {outcome}"),
        };
        if step.outcome().unwrap_or_default() != outcome {
            self.edits.push(RankedEdit::inline(range, text));
        }
        Ok(())
    }

    pub(super) fn move_step(&mut self, step: usize, goal: usize, at: Option<usize>) -> Result<()> {
        let step = self.stepping(step)?;
        let goal = self.touch(goal)?;
        let raw = step.raw();
        let block = raw.line.start as usize..raw.end as usize;
        let others: Vec<&Step> =
            goal.steps().iter().filter(|other| !block.contains(&(other.line.start as usize))).collect();
        let at = at.unwrap_or(others.len() + 1);
        if at == 0 || at > others.len() + 1 {
            let message = format!("expected a position from 1 to {}, found {at}", others.len() + 1);
            return Err(Error::input(message).hint("`plan show` lists the steps"));
        }
        let (point, beside) = match others.get(at - 1) {
            Some(next) => (next.line.start as usize, Some(*next)),
            None => match self.last_of(others.iter().copied()) {
                Some((end, last)) => (end, Some(last)),
                None => (self.first_step_at(goal), None),
            },
        };
        if block.contains(&point) || point == block.end {
            return Ok(());
        }
        let text = self.moved(&block, beside, point);
        let moved = self
            .plan
            .steps
            .iter()
            .skip(step.index())
            .take_while(|other| block.contains(&(other.line.start as usize)))
            .count();
        self.shape(raw.goal as usize).steps -= moved;
        self.shape(goal.index()).steps += moved;
        self.remove(block, Rank::Step);
        self.insert(point, text, Rank::Step);
        Ok(())
    }

    /// Returns the lines of a step's block, indented like the step `beside` it at the new place.
    fn moved(&self, block: &Range<usize>, beside: Option<&Step>, point: usize) -> Vec<u8> {
        let text = &self.plan.source[block.clone()];
        let old = indent(text);
        let new = beside.map_or(&b""[..], |step| indent(self.plan.text(step.line).as_bytes()));
        let mut out = Vec::with_capacity(text.len() + new.len());
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let front = indent(line);
            match line.trim_ascii().is_empty() {
                true => out.extend_from_slice(&line[front.len().min(old.len())..]),
                false => out.extend([&shifted(front, old, new), &line[front.len()..]].concat()),
            }
        }
        if !out.ends_with(b"\n") {
            out.extend_from_slice(self.eol(point).as_bytes());
        }
        out
    }

    pub(super) fn remove_step(&mut self, step: usize) -> Result<()> {
        let step = self.stepping(step)?;
        let raw = step.raw();
        let below = self.plan.step(step.index() + 1).filter(|next| next.raw().line.start < raw.end);
        if let Some(below) = below {
            return Err(Error::input(format!(
                "step `{}` has others below it, the first in line {}",
                step.name(),
                below.line()
            ))
            .hint("move or remove them first"));
        }
        self.remove(raw.line.start as usize..raw.end as usize, Rank::Step);
        self.shape(raw.goal as usize).steps -= 1;
        Ok(())
    }

    /// Returns a step whose goal may be written.
    fn stepping(&mut self, step: usize) -> Result<StepRef<'p, 'a>> {
        let step = self.plan.step(step).ok_or_else(|| Error::input("the step is no longer there"))?;
        self.touch(step.raw().goal as usize)?;
        Ok(step)
    }
}

/// Returns the new indentation of a line whose parent changes its indentation from `old` to `new`. The line stays as many columns
/// deeper as before. Tabs are kept if that gives the same width.
fn shifted(front: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let width = |text: &[u8]| columns(text, 0, 0).1;
    let further = width(front).saturating_sub(width(old));
    let kept = front.strip_prefix(old).map(|rest| [new, rest].concat());
    let same = kept.filter(|kept| width(kept) == width(new) + further);
    same.unwrap_or_else(|| [new, &vec![b' '; further]].concat())
}

/// Returns the dash and the note after it, or nothing without a note.
pub(super) fn behind(note: Option<&str>) -> String {
    let note = note.map(one_line).filter(|note| !note.is_empty());
    note.map(|note| format!(" \u{2014} {note}")).unwrap_or_default()
}

/// Returns the text after a new step's checkbox, or an error if it would not read back as intended.
pub(super) fn rest(number: Option<u32>, text: &str, after: &[u32], run: Option<&str>) -> Result<String> {
    let text = step_text(text);
    if text.is_empty() {
        return Err(Error::input("expected a text for the step, found none"));
    }
    let run = run.map(plain_line).filter(|run| !run.is_empty());
    let mut rest = number.map(|number| format!("{number}. ")).unwrap_or_default();
    rest.push_str(&text);
    if !after.is_empty() {
        let after: Vec<String> = after.iter().map(u32::to_string).collect();
        rest.push_str(&format!(" (after {})", after.join(", ")));
    }
    if let Some(run) = &run {
        rest.push_str(&format!(" (run: {run})"));
    }
    let parts = split(&rest);
    let same =
        parts.number == number && rest[parts.text] == text && parts.run.map(|range| &rest[range]) == run.as_deref();
    if same && parts.after.is_some() != after.is_empty() {
        return Ok(rest);
    }
    Err(Error::input(
        "the step's command does not fit into its line: it contains ` — `, `(run:` or an unmatched parenthesis",
    )
    .hint("put the command in a script and name the script"))
}
