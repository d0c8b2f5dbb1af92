//! Edits: byte ranges and their replacements, applied in one forward copy, so that every other byte stays as it is.

use std::ops::Range;

use crate::error::{Error, Result};

/// One replacement. An empty range inserts, an empty text removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the source that are replaced.
    pub range: Range<usize>,
    /// The replacement: text, except for bytes of the source that are not text and are only moved.
    pub text: Vec<u8>,
}

/// Applies `edits` to `source`. They need not be sorted; insertions at one point keep their given order.
///
/// # Errors
/// [`crate::error::Kind::Input`] if two edits overlap or one reaches past the end: the caller computed them from another text.
pub fn apply(source: &[u8], edits: &[Edit]) -> Result<Vec<u8>> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let added: usize = sorted.iter().map(|edit| edit.text.len()).sum();
    let removed: usize = sorted.iter().map(|edit| edit.range.len()).sum();
    let mut out = Vec::with_capacity((source.len() + added).saturating_sub(removed));
    let mut at = 0;
    for edit in sorted {
        let Some(kept) = source.get(at..edit.range.start).filter(|_| edit.range.start <= edit.range.end) else {
            return Err(misfit(edit));
        };
        out.extend_from_slice(kept);
        out.extend_from_slice(&edit.text);
        at = edit.range.end;
    }
    let rest = source
        .get(at..)
        .ok_or_else(|| Error::input("the edits reach past the end of the plan; nothing was written"))?;
    out.extend_from_slice(rest);
    Ok(out)
}

/// Applies the edits within a part of `source`, and returns this part.
///
/// # Errors
/// As [`apply`].
pub fn apply_within(source: &[u8], part: Range<usize>, edits: &[Edit]) -> Result<Vec<u8>> {
    let is_within = |edit: &&Edit| edit.range.start >= part.start && edit.range.end <= part.end;
    let shifted = |edit: &Edit| Edit {
        range: edit.range.start - part.start..edit.range.end - part.start,
        text: edit.text.clone(),
    };
    let edits: Vec<Edit> = edits.iter().filter(is_within).map(shifted).collect();
    apply(&source[part], &edits)
}

fn misfit(edit: &Edit) -> Error {
    Error::input(format!(
        "the edit of bytes {} to {} overlaps another or lies past the end of the plan; nothing was written",
        edit.range.start, edit.range.end
    ))
}

/// Returns the one edit that turns `old` into `new`; `None` if they are the same.
pub fn between(old: &[u8], new: &[u8]) -> Option<Edit> {
    if old == new {
        return None;
    }
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let same = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    Some(Edit { range: start..old.len() - same, text: new[start..new.len() - same].to_vec() })
}
