//! The last check before a goal's shape changes: the new body is parsed and must mean exactly what the change intended.

use std::collections::HashMap;

use super::archive::parts;
use super::ranked_edit::{Rank, RankedEdit, indent, into_edits, line_at};
use super::shape::Shape;
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::edit::apply_within;
use crate::plan::model::{GoalRef, Key, Plan};
use crate::plan::parse::parse;
use crate::plan::scan::Scanner;

impl EditWriter<'_, '_> {
    /// Returns the expected shape of `goal`, for callers to adjust.
    pub(super) fn shape(&mut self, goal: usize) -> &mut Shape {
        let at = self.shapes.iter().position(|shape| shape.goal == goal).unwrap_or_else(|| {
            let steps = self.plan.goals.get(goal).map_or(0, |goal| goal.steps.len());
            self.shapes.push(Shape { goal, steps, fields: Vec::new() });
            self.shapes.len() - 1
        });
        &mut self.shapes[at]
    }

    /// Parses each goal's body as it will be. Indented text can belong to the line above it; a change that would turn this
    /// text into something else is refused.
    pub(super) fn check_shapes(&self) -> Result<()> {
        for shape in &self.shapes {
            self.check_shape(shape)?;
        }
        Ok(())
    }

    fn check_shape(&self, shape: &Shape) -> Result<()> {
        let Some(goal) = self.plan.goal(shape.goal) else { return Ok(()) };
        let body = goal.raw().body.range();
        let inside = |edit: &&RankedEdit| {
            edit.rank != Rank::Block && edit.range.start >= body.start && edit.range.end <= body.end
        };
        let edits = into_edits(self.plan, self.edits.iter().filter(inside).cloned().collect());
        // The next heading is parsed too: it must still be a heading.
        let behind = body.end..body.end + line_at(self.plan.source, body.end).len();
        let old = parse(&self.plan.source[body.start..behind.end])?;
        let mut bytes = apply_within(self.plan.source, body.clone(), &edits)?;
        bytes.extend_from_slice(&self.plan.source[behind]);
        let after = parse(&bytes)?;
        let moved = |at: usize| {
            let before = edits.iter().filter(|edit| edit.range.end <= body.start + at);
            before.fold(at, |at, edit| at + edit.text.len() - edit.range.len())
        };
        let same = headings(&old).map(moved).eq(headings(&after))
            && old.unclosed.is_some() == after.unclosed.is_some()
            && after.goal(0).is_some_and(|new| {
                new.raw().steps.len() == shape.steps
                    && !new.fields().iter().any(|field| field.repeated)
                    && Key::ALL.into_iter().all(|key| {
                        let (values, items) = (new.list(key), items(new, key));
                        match shape.fields.iter().find(|field| field.0 == key) {
                            Some((_, expected)) => *expected == values && items <= values.len(),
                            None => goal.list(key) == values && items == self::items(goal, key),
                        }
                    })
            });
        if same { Ok(()) } else { Err(self.unfit(shape.goal)) }
    }

    /// Checks that goals can be removed. One cannot if its heading ends an open fence or comment in a list above it, and the
    /// indented heading that follows would not. One cannot either if its id leaves a log that stays: see `bares_indented`.
    pub(super) fn check_removal(&self, goals: &[usize]) -> Result<()> {
        if let Some(&goal) = goals.iter().find(|goal| self.bares_indented(**goal)) {
            return Err(self.unfit(goal));
        }
        let bodies = goals.iter().filter_map(|&goal| Some((self.plan.goals.get(goal)?.body.range(), goal)));
        let exposed = bodies.filter(|(body, _)| !indent(line_at(self.plan.source, body.end)).is_empty());
        let exposed: HashMap<usize, usize> = exposed.map(|(body, goal)| (body.start, goal)).collect();
        if exposed.is_empty() {
            return Ok(());
        }
        let mut scanner = Scanner::new(self.plan.source, 0);
        loop {
            let open = scanner.open().is_some();
            let Some(line) = scanner.line() else { return Ok(()) };
            if let Some(goal) = exposed.get(&line.start).filter(|_| open) {
                return Err(self.unfit(*goal));
            }
        }
    }

    /// Whether the goal's id would be taken out of a log that has indented text somewhere below the id. A paragraph between
    /// them would then continue the line above the id, and the indented text would belong to that line.
    fn bares_indented(&self, goal: usize) -> bool {
        let Some(raw) = self.plan.goals.get(goal) else { return false };
        let Some(id) = raw.id.map(|(line, _)| line).or(raw.bad_id) else { return false };
        let (id, end) = (id.range(), raw.body.range().end);
        let is_alone = parts(self.plan, goal).any(|part| part == id && part.end < end);
        let mut lines = self.plan.source[id.end..end].split(|byte| *byte == b'\n');
        is_alone && lines.any(|line| !line.trim_ascii().is_empty() && !indent(line).is_empty())
    }

    fn unfit(&self, goal: usize) -> Error {
        let (name, line) = self.plan.goal(goal).map_or(("", 0), |goal| (goal.name(), goal.line()));
        Error::input(format!("goal `{name}` (line {line}) cannot be changed line by line: its indented text would be read differently, or the new text would be structure"))
            .hint("change it with an editor")
    }
}

/// The offset of each heading that is read. Their number would not be enough: a fence that ends too early makes a goal of
/// a heading inside it, and text of the heading below it.
fn headings(plan: &Plan<'_>) -> impl Iterator<Item = usize> {
    let goals = plan.goals.iter().map(|goal| goal.heading);
    let logs = plan.logs.iter().map(|log| log.heading);
    goals.chain(logs).chain(plan.archive).chain(plan.objective_line).map(|line| line.start as usize)
}

/// The number of items of a field, with empty ones: a line that was not an item before would now belong to the field.
fn items(goal: GoalRef<'_, '_>, key: Key) -> usize {
    goal.field(key).map_or(0, |field| field.items.len())
}
