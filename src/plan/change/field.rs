//! Changes of fields: replaces a value, writes or extends a list, adds or removes a field.

use std::ops::Range;

use super::ranked_edit::{Rank, RankedEdit, indent, line_at};
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::glob::{self, Glob};
use crate::plan::model::{Field, GoalRef, Item, Key, Span, Status};
use crate::plan::text::{one_line, plain_line};

impl<'p, 'a> EditWriter<'p, 'a> {
    pub(super) fn set_status(&mut self, goal: usize, status: Status) -> Result<()> {
        let goal = self.touch(goal)?;
        let values = [status.word().to_owned()];
        match goal.field(Key::Status) {
            Some(field) if self.plan.text(field.value) == status.word() => return Ok(()),
            Some(field) => self.set_value(field.value, field.value.range(), status.word()),
            None => self.insert_field(goal, Key::Status, &values),
        }
        self.shape(goal.index()).fields.push((Key::Status, values.to_vec()));
        Ok(())
    }

    pub(super) fn set_field(&mut self, goal: usize, key: Key, values: &[String]) -> Result<()> {
        let values = fit(key, values)?;
        let goal = self.touch(goal)?;
        self.shape(goal.index()).fields.push((key, written(goal, key, &values)));
        match goal.field(key) {
            None if values.is_empty() => {}
            None => self.insert_field(goal, key, &values),
            Some(field) if values.is_empty() => self.remove(field.lines.range(), Rank::of(key)),
            Some(field) => self.replace_field(field, &values),
        }
        Ok(())
    }

    /// Returns the place for a new field: after the last field that precedes it in the order of keys, else below id and heading.
    pub(super) fn field_at(&self, goal: GoalRef<'p, 'a>, key: Key) -> usize {
        let earlier =
            goal.fields().iter().filter(|field| (field.key as u8) < key as u8).map(|field| field.lines.end as usize);
        earlier.max().unwrap_or_else(|| self.head_end(goal))
    }

    /// One past the heading, or past the id comment if only blank lines are between them.
    pub(super) fn head_end(&self, goal: GoalRef<'p, 'a>) -> usize {
        let raw = goal.raw();
        let heading = raw.heading.end as usize;
        let adjacent = |line: &Span| self.plan.source[heading..line.start as usize].trim_ascii().is_empty();
        let id = raw.id.map(|(line, _)| line).into_iter().chain(raw.bad_id).find(adjacent);
        id.map_or(heading, |line| line.end as usize)
    }

    fn insert_field(&mut self, goal: GoalRef<'p, 'a>, key: Key, values: &[String]) {
        let at = self.field_at(goal, key);
        let eol = self.eol(at);
        let mut text = render(key, values, "- ", eol);
        for _ in 0..self.gap(at, goal.raw().body.end as usize, key, values.len()) {
            text.push_str(eol);
        }
        self.insert(at, text, Rank::of(key));
    }

    /// The number of blank lines that keep the text at `at` from being read as part of a field inserted in front of it.
    fn gap(&self, at: usize, end: usize, key: Key, values: usize) -> usize {
        let source = &self.plan.source[..end];
        let first = line_at(source, at);
        let blank = !first.is_empty() && first.trim_ascii().is_empty();
        let next = if blank { line_at(source, at + first.len()) } else { first };
        let item = matches!(next.trim_ascii(), [b'-' | b'*' | b'+'] | [b'-' | b'*' | b'+', b' ' | b'\t', ..])
            && key.is_list()
            && !matches!(next.trim_ascii(), [_, _, b'[', _, b']', ..]);
        let listed = values > 1 || key == Key::FailureModes;
        match (blank, item) {
            (true, true) => usize::from(listed),
            (true, false) => 0,
            (false, true) => 1 + usize::from(listed),
            (false, false) => usize::from(!next.trim_ascii().is_empty() && !indent(next).is_empty()),
        }
    }

    fn replace_field(&mut self, field: &Field, values: &[String]) {
        let items = &self.plan.items[field.items.start as usize..field.items.end as usize];
        let inline = !field.value.is_empty() || !field.continuations.is_empty();
        if items.is_empty() && (values.len() == 1 && (inline || field.key != Key::FailureModes) || field.key.is_words())
        {
            let value = values.join(", ");
            let last =
                self.plan.continuations[field.continuations.start as usize..field.continuations.end as usize].last();
            let range = field.value.start as usize..last.copied().unwrap_or(field.value).end as usize;
            return self.set_value(field.value, range, &value);
        }
        if !items.is_empty() && !inline {
            return self.replace_items(items, values);
        }
        let bullet = items.first().map_or("- ", |item| self.prefix(item));
        let range = field.lines.range();
        let text = self.whole(&range, render(field.key, values, bullet, self.eol(range.end)));
        self.edits.push(RankedEdit { range, text: text.into_bytes(), rank: Rank::of(field.key) });
    }

    /// Writes a value after its colon.
    fn set_value(&mut self, value: Span, range: Range<usize>, text: &str) {
        let start = value.start as usize;
        if self.plan.source[range.clone()] == *text.as_bytes() {
            return;
        }
        let space = if self.plan.source[start - 1] == b':' { " " } else { "" };
        self.edits.push(RankedEdit::inline(range, format!("{space}{text}")));
    }

    /// Changes only the items between the first and the last difference.
    fn replace_items(&mut self, items: &[Item], values: &[String]) {
        let old: Vec<_> = items.iter().map(|item| self.plan.item_text(item)).collect();
        let front = old.iter().zip(values).take_while(|(old, new)| *old == *new).count();
        let back =
            old[front..].iter().rev().zip(values[front..].iter().rev()).take_while(|(old, new)| *old == *new).count();
        let (gone, new) = (&items[front..items.len() - back], &values[front..values.len() - back]);
        let beside = &items[front.min(items.len() - 1)];
        let bullet = self.prefix(if front > 0 { &items[front - 1] } else { beside });
        if gone.len() == new.len() {
            for (item, text) in gone.iter().zip(new) {
                let range = item.text.start as usize..self.plan.item_end(item);
                self.edits.push(RankedEdit::inline(range, text.clone()));
            }
            return;
        }
        let start = match front {
            0 => items[0].lines.start as usize,
            _ => items[front - 1].lines.end as usize,
        };
        let range = match (gone.first(), gone.last()) {
            (Some(first), Some(last)) => first.lines.start as usize..last.lines.end as usize,
            _ => start..start,
        };
        let eol = self.eol(range.end);
        let text: String = new.iter().map(|text| format!("{bullet}{text}{eol}")).collect();
        let text = if range.is_empty() { text } else { self.whole(&range, text) };
        self.edits.push(RankedEdit { range, text: text.into_bytes(), rank: Rank::Field(u8::MAX) });
    }

    /// Returns the indentation, bullet and space of an item.
    fn prefix(&self, item: &Item) -> &'a str {
        let prefix = self.plan.text(Span { start: item.lines.start, end: item.text.start });
        if item.text.is_empty() || prefix.contains(['\t', '\n']) { "- " } else { prefix }
    }

    /// Prepares whole lines to replace `range`: drops the last line ending if the file has none at its end.
    fn whole(&self, range: &Range<usize>, mut text: String) -> String {
        if range.end == self.plan.source.len() && !self.plan.source.ends_with(b"\n") {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    }
}

/// Writes a field as lines.
pub(super) fn render(key: Key, values: &[String], bullet: &str, eol: &str) -> String {
    let word = key.word();
    if key.is_words() || values.len() == 1 && key != Key::FailureModes {
        return format!("{word}: {}{eol}", values.join(", "));
    }
    let items: String = values.iter().map(|value| format!("{bullet}{value}{eol}")).collect();
    format!("{word}:{eol}{items}")
}

/// Returns the values in the form in which they are written, without empty ones.
pub(super) fn fit(key: Key, values: &[String]) -> Result<Vec<String>> {
    let fit = |value: &String| match key {
        Key::DoneWhen => one_line(value),
        Key::FailureModes => match value.rfind("(check:") {
            Some(at) => format!("{} {}", one_line(&value[..at]), plain_line(&value[at..])).trim().to_owned(),
            None => one_line(value),
        },
        _ => plain_line(value),
    };
    let values: Vec<String> = values.iter().map(fit).filter(|value| !value.is_empty()).collect();
    if key == Key::MayChange {
        values.iter().flat_map(|value| glob::split(value)).try_for_each(|text| Glob::parse(text).map(drop))?;
    }
    if values.len() > 1 && !key.is_list() {
        return Err(Error::input(format!("`{}` takes one line, found {}", key.word(), values.len())));
    }
    Ok(values)
}

fn has_items(goal: GoalRef<'_, '_>, key: Key) -> bool {
    goal.field(key).is_some_and(|field| !field.items.is_empty())
}

/// The values that reading the field back must return.
fn written(goal: GoalRef<'_, '_>, key: Key, values: &[String]) -> Vec<String> {
    if key.is_words() && !has_items(goal, key) && !values.is_empty() {
        vec![values.join(", ")]
    } else {
        values.to_vec()
    }
}
