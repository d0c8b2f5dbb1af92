//! Restores a goal's heading, id and contract fields.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Restore, line_after};
use crate::plan::contract::{folded, folded_command, folded_mode, goal_contract};
use crate::plan::model::{Field, GoalRef, Key, Plan, Span};

/// A value with its lines: the text after the colon, or an item.
struct Element {
    lines: Range<usize>,
    value: String,
}

/// The elements of a field.
struct Elements {
    /// The line of the key, with any value after the colon.
    first: Element,
    items: Vec<Element>,
    /// True if there is anything but blank lines between the elements.
    has_others: bool,
}

impl<'p, 'a> Restore<'p, 'a> {
    pub(super) fn heading(&mut self, old: GoalRef<'p, 'a>, now: GoalRef<'p, 'a>) {
        let is_same =
            folded(old.subject()) == folded(now.subject()) && old.subject().is_empty() == now.subject().is_empty();
        if !is_same {
            self.line(Some(old.raw().heading), Some(now.raw().heading), 0);
        }
        if old.id() != now.id() {
            let line = |goal: GoalRef<'_, '_>| goal.raw().id.map(|(line, _)| line);
            let stands = line(now).or(now.raw().bad_id);
            self.line(line(old), stands, now.raw().heading.end as usize);
        }
    }

    pub(super) fn fields(&mut self, old: GoalRef<'p, 'a>, now: GoalRef<'p, 'a>) {
        if goal_contract(old).digest == goal_contract(now).digest {
            return;
        }
        let mut at = self.head_end(now);
        for field in old.fields().iter().filter(|field| !field.repeated) {
            let same: Vec<&Field> = now.fields().iter().filter(|other| other.key == field.key).collect();
            if !field.key.is_agreed() {
                at = same.first().map_or(at, |other| other.lines.end as usize);
                continue;
            }
            match same.first() {
                None => {
                    let lines = self.lines_of(field);
                    let lines = self.fit(&lines);
                    self.edit(at..at, lines);
                }
                Some(_) => {
                    let value = values(self.old, field);
                    let keeper = same.iter().find(|other| values(self.now, other) == value).unwrap_or(&same[0]);
                    self.field(field, keeper);
                    same.iter().filter(|other| other.lines != keeper.lines).for_each(|other| self.drop_field(other));
                    at = keeper.lines.end as usize;
                }
            }
        }
        let is_new = |field: &&Field| field.key.is_agreed() && old.field(field.key).is_none();
        now.fields().iter().filter(is_new).for_each(|field| self.drop_field(field));
    }

    /// The place below the id, else below the heading.
    fn head_end(&self, goal: GoalRef<'_, '_>) -> usize {
        let id = goal.raw().id.map(|(line, _)| line).or(goal.raw().bad_id);
        let heading = goal.raw().heading.end as usize;
        let is_below = |line: &Span| self.now.source[heading..line.start as usize].trim_ascii().is_empty();
        id.filter(is_below).map_or(heading, |line| line.end as usize)
    }

    /// Restores one field that is in both plans.
    fn field(&mut self, old: &Field, now: &Field) {
        let (was, is) = (elements(self.old, old), elements(self.now, now));
        if values(self.old, old) == values(self.now, now) {
            return;
        }
        if was.first.value != is.first.value {
            let lines = self.fit(&self.old.source[was.first.lines.clone()]);
            self.edit(is.first.lines.clone(), lines);
        }
        let keys = |items: &[Element]| items.iter().map(|item| item.value.clone()).collect::<Vec<_>>();
        for op in capture_diff_slices(Algorithm::Myers, &keys(&is.items), &keys(&was.items)) {
            if let DiffOp::Equal { .. } = op {
                continue;
            }
            let (gone, back) = (op.old_range(), op.new_range());
            let at = match gone.start.checked_sub(1) {
                Some(before) => is.items[before].lines.end,
                None => is.first.lines.end,
            };
            let lines: Vec<u8> =
                was.items[back].iter().flat_map(|item| &self.old.source[item.lines.clone()]).copied().collect();
            let lines = self.fit(&lines);
            self.edit(at..at, lines);
            is.items[gone].iter().for_each(|item| self.edit(item.lines.clone(), Vec::new()));
        }
    }

    fn drop_field(&mut self, field: &Field) {
        let elements = elements(self.now, field);
        if !elements.has_others {
            return self.edit(field.lines.range(), Vec::new());
        }
        self.edit(elements.first.lines, Vec::new());
        elements.items.into_iter().for_each(|item| self.edit(item.lines, Vec::new()));
    }

    /// A field's lines, without prose between them: the prose is still in the file.
    fn lines_of(&self, field: &Field) -> Vec<u8> {
        let elements = elements(self.old, field);
        if !elements.has_others {
            return self.old.source[field.lines.range()].to_vec();
        }
        let items = elements.items.iter().map(|item| item.lines.clone());
        std::iter::once(elements.first.lines).chain(items).flat_map(|lines| self.old.source[lines].to_vec()).collect()
    }
}

/// A field's values as the contract compares them.
fn values(plan: &Plan<'_>, field: &Field) -> Vec<String> {
    let elements = elements(plan, field);
    let all = std::iter::once(elements.first).chain(elements.items).map(|element| element.value);
    all.filter(|value| !value.is_empty()).collect()
}

fn elements(plan: &Plan<'_>, field: &Field) -> Elements {
    let value = |text: &str| match field.key {
        Key::Verify => folded_command(text).into_owned(),
        Key::FailureModes => folded_mode(text).into_owned(),
        _ => folded(text).into_owned(),
    };
    let spans = &plan.continuations[field.continuations.start as usize..field.continuations.end as usize];
    let last = spans.last().copied().unwrap_or(field.value).end.max(field.lines.start) as usize;
    let first = Element {
        lines: field.lines.start as usize..line_after(plan.source, last),
        value: value(&plan.field_text(field)),
    };
    let items = &plan.items[field.items.start as usize..field.items.end as usize];
    let items: Vec<Element> =
        items.iter().map(|item| Element { lines: item.lines.range(), value: value(&plan.item_text(item)) }).collect();
    let ends = std::iter::once(first.lines.end).chain(items.iter().map(|item| item.lines.end));
    let gaps = ends.zip(items.iter().map(|item| item.lines.start));
    let has_others = gaps.into_iter().any(|(end, start)| !plan.source[end.min(start)..start].trim_ascii().is_empty());
    Elements { first, items, has_others }
}
