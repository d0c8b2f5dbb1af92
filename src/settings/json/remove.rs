//! One entry less: what [`super::add()`] put in goes byte for byte, and of what a person wrote around it nothing.

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::{Range, Ranged};
use serde_json::Value;

use super::{Document, Step, at_mut, only, proven, value};
use crate::settings::edit::Edit;

/// Takes out the entry at `path`.
///
/// # Errors
/// In one line: the text cannot be read, or there is no such entry.
pub(in crate::settings) fn remove(text: &str, path: &[Step]) -> Result<Vec<Edit>, String> {
    let document = Document::read(text)?;
    let (last, above) = path.split_last().ok_or("no entry is named")?;
    let mut expected = value(text)?;
    let gone = match (at_mut(&mut expected, above), last) {
        (Some(Value::Object(object)), Step::Key(key)) => object.remove(key).is_some(),
        (Some(Value::Array(array)), Step::Index(index)) if *index < array.len() => {
            array.remove(*index);
            true
        }
        _ => false,
    };
    if !gone {
        return Err("an entry is not there".to_owned());
    }
    let holder = document.find(above)?;
    let (items, index): (Vec<Range>, usize) = match (holder, last) {
        (Node::Object(object), Step::Key(key)) => {
            let one = only(object, key)?.ok_or("an entry is not there")?.range;
            let items: Vec<Range> = object.properties.iter().map(|property| property.range).collect();
            let index = items.iter().position(|range| range.start == one.start).unwrap_or_default();
            (items, index)
        }
        (Node::Array(array), Step::Index(index)) => (array.elements.iter().map(Ranged::range).collect(), *index),
        _ => return Err("an entry is of another sort than expected".to_owned()),
    };
    let cuts = document.cuts(holder.range(), &items, index);
    let edits = cuts.into_iter().rev().map(|cut| Edit {
        at: cut.start,
        old: text[cut.start..cut.end].to_owned(),
        new: String::new(),
    });
    proven(text, edits.collect(), &expected)
}

/// The space in the empty list or object at `path`; none where an entry or a comment stands in it.
pub(in crate::settings) fn hollow(text: &str, path: &[Step]) -> Option<String> {
    inside(text, path).map(|(_, space)| space)
}

/// Puts `space` into the empty list or object at `path`; nothing where a comment stands in it.
///
/// # Errors
/// In one line: the text cannot be read.
pub(in crate::settings) fn fill(text: &str, path: &[Step], space: &str) -> Result<Vec<Edit>, String> {
    match inside(text, path) {
        Some((at, old)) if old != space => proven(text, vec![Edit { at, old, new: space.to_owned() }], &value(text)?),
        _ => Ok(Vec::new()),
    }
}

fn inside(text: &str, path: &[Step]) -> Option<(usize, String)> {
    let document = Document::read(text).ok()?;
    let node = document.find(path).ok().filter(|node| matches!(node, Node::Object(_) | Node::Array(_)))?;
    let range = node.range();
    let space = &text[range.start + 1..range.end - 1];
    space.trim().is_empty().then(|| (range.start + 1, space.to_owned()))
}

impl Document<'_> {
    /// What goes with an item, in order: its own bytes, the space before it, one comma.
    fn cuts(&self, holder: Range, items: &[Range], index: usize) -> Vec<Range> {
        let text = self.text;
        let Range { start, end } = items[index];
        let after = self.token(end);
        let comma = text[after..].starts_with(',').then_some(after);
        let behind = comma.filter(|at| text[end..*at].trim().is_empty()).map_or(end, |at| at + 1);
        let mut from = text[..start].trim_end_matches([' ', '\t', '\r', '\n']).len();
        // What follows on the line would become part of the comment before it.
        if self.is_line_comment_end(from) && !text[behind..].starts_with(['\n', '\r']) {
            from = start;
        }
        let mut cuts = Vec::new();
        match comma {
            Some(at) if text[end..at].trim().is_empty() => cuts.push(Range::new(from, at + 1)),
            Some(at) => cuts.extend([Range::new(from, end), Range::new(at, at + 1)]),
            None => {
                if let Some(before) = index.checked_sub(1).and_then(|before| items.get(before)) {
                    let at = self.token(before.end);
                    cuts.push(Range::new(at, at + 1));
                }
                cuts.push(Range::new(from, end));
            }
        }
        let inner = Range::new(holder.start + 1, holder.end - 1);
        if items.len() == 1 && !self.has_comment(inner) {
            return vec![inner];
        }
        cuts
    }
}
