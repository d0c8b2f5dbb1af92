//! Three-way merge of a goal's field: the status is joined, lists are merged item by item, anything else is one value.

use super::Texts;
use super::merged_text::{BASE, MergedText, OURS, THEIRS, settled};
use super::sequence::{Sequence, Sort, written};
use crate::error::Result;
use crate::plan::model::{Field, Key, Plan, Status};

/// A field in the versions that have it: its plan and its index in [`Plan::fields`].
pub(super) type Fields<'p, 'a> = [Option<(&'p Plan<'a>, usize)>; 3];

/// Merges a field that both sides changed, or that one side removed and the other changed.
pub(super) fn merge(fields: Fields<'_, '_>, text: [Option<&[u8]>; 3], texts: &mut Texts<'_>) -> Result<MergedText> {
    let raw = fields.map(|field| field.map(|(plan, index)| &plan.fields[index]));
    let (Some(ours), Some(_)) = (raw[OURS], raw[THEIRS]) else { return Ok(MergedText::conflict(text)) };
    if ours.key == Key::Status {
        return Ok(status(fields, raw, text).unwrap_or_else(|| MergedText::conflict(text)));
    }
    let has_items = |field: &Option<&Field>| field.is_some_and(|field| !field.items.is_empty());
    if !raw.iter().all(has_items) {
        return Ok(MergedText::conflict(text));
    }
    let Some(sequence) = items(fields, raw) else { return Ok(MergedText::conflict(text)) };
    let mut merged = Vec::with_capacity(sequence.parts.len());
    for part in &sequence.parts {
        merged.push(match part.sort {
            Sort::Named(_) => Some(match settled(part.text) {
                Some(text) => MergedText::clean(text.unwrap_or_default()),
                None => MergedText::conflict(part.text),
            }),
            _ => part.text.into_iter().flatten().next().map(MergedText::clean),
        });
    }
    Ok(match sequence.merge(&merged, texts)? {
        Some(placed) => written(placed, &merged),
        None => MergedText::conflict(text),
    })
}

/// Returns the status that joins both changes; `None` if they are incompatible.
fn status(fields: Fields<'_, '_>, raw: [Option<&Field>; 3], text: [Option<&[u8]>; 3]) -> Option<MergedText> {
    let word = |version: usize| {
        let (plan, _) = fields[version]?;
        Status::from_word(plan.text(raw[version]?.value))
    };
    let base = if fields[BASE].is_some() { word(BASE)? } else { Status::Open };
    let (ours, theirs) = (word(OURS)?, word(THEIRS)?);
    let joined = join(base, ours, theirs)?;
    // If both sides write the same status differently, take the lesser bytes: it does not matter which side is ours.
    let lines = [(ours, text[OURS]), (theirs, text[THEIRS])];
    lines.into_iter().filter(|(status, _)| *status == joined).filter_map(|(_, text)| text).min().map(MergedText::clean)
}

/// Joins two different changes of the status. The side that got further wins; a goal that both sides reopened is active.
/// If one side cancelled the goal and the other changed it differently, a person has to decide.
fn join(base: Status, ours: Status, theirs: Status) -> Option<Status> {
    use Status::{Active, Cancelled, Done, Open};
    settled([base, ours, theirs]).or(match (base, ours, theirs) {
        (Open, Active, Done) | (Open, Done, Active) => Some(Done),
        (Done | Cancelled, Open, Active) | (Done | Cancelled, Active, Open) => Some(Active),
        _ => None,
    })
}

/// Returns the key's own lines and the items as parts. `None` if a version has an item twice.
fn items<'a>(fields: Fields<'_, 'a>, raw: [Option<&Field>; 3]) -> Option<Sequence<'a>> {
    let mut sequence = Sequence::default();
    let mut head = None;
    for version in [BASE, OURS, THEIRS] {
        let ((plan, _), field) = fields[version].zip(raw[version])?;
        let items = &plan.items[field.items.start as usize..field.items.end as usize];
        let mut at = field.lines.start as usize;
        let mut seen = std::collections::HashSet::new();
        for item in items {
            let front = &plan.source[at..item.lines.start as usize];
            if at == field.lines.start as usize {
                head = Some(sequence.named(head, version, Sort::Named(0), front, front));
            } else {
                front.split_inclusive(|byte| *byte == b'\n').for_each(|line| sequence.line(version, Sort::Prose, line));
            }
            let text = &plan.source[item.lines.range()];
            if !seen.insert(text) {
                return None;
            }
            sequence.line(version, Sort::Item, text);
            at = item.lines.end as usize;
        }
    }
    Some(sequence)
}
