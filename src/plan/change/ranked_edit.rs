//! An edit with its rank, which orders insertions at one point and separates whole lines from text inside a line.

use std::ops::Range;

use crate::plan::edit::Edit;
use crate::plan::model::{Key, Plan};
use crate::plan::parse::BOM;

/// The order of insertions at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Text inside a line.
    Inline,
    /// An id comment.
    Id,
    /// A field, by its place in [`Key::ALL`].
    Field(u8),
    /// A step.
    Step,
    /// A log line.
    Log,
    /// A goal, a log section or the archive: not part of the goal that ends where the block begins.
    Block,
}

impl Rank {
    /// The rank of a field.
    pub(super) fn of(key: Key) -> Self {
        Rank::Field(key as u8)
    }
}

/// An edit with its rank.
#[derive(Clone, Debug)]
pub(super) struct RankedEdit {
    /// The bytes to remove.
    pub(super) range: Range<usize>,
    /// The new text. Whole lines end in a line ending, except if they replace the file's last line and it had none.
    pub(super) text: Vec<u8>,
    /// The order at one point.
    pub(super) rank: Rank,
}

impl RankedEdit {
    /// Creates an edit inside a line.
    pub(super) fn inline(range: Range<usize>, text: impl Into<String>) -> Self {
        RankedEdit { range, text: text.into().into_bytes(), rank: Rank::Inline }
    }
}

/// Sorts the edits. If the file's last line has no line ending, the first whole line inserted after it adds the ending.
pub(super) fn into_edits(plan: &Plan<'_>, mut edits: Vec<RankedEdit>) -> Vec<Edit> {
    edits.retain(|edit| !edit.range.is_empty() || !edit.text.is_empty());
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.rank));
    let length = plan.source.len();
    let mut bare = !ends_line(plan.source, length);
    for edit in &mut edits {
        if edit.range.end < length {
            continue;
        }
        if edit.range.is_empty() && edit.rank != Rank::Inline && std::mem::take(&mut bare) {
            edit.text.splice(0..0, eol(plan.source, length).bytes());
        } else if !edit.range.is_empty() && edit.rank != Rank::Inline {
            bare = !edit.text.is_empty() && !edit.text.ends_with(b"\n");
        }
    }
    edits.into_iter().map(|edit| Edit { range: edit.range, text: edit.text }).collect()
}

/// True if a line begins at `at`.
fn ends_line(source: &[u8], at: usize) -> bool {
    at == 0 || source[at - 1] == b'\n' || source[..at] == *BOM
}

/// Returns the line ending of the line before `at`, else of the next line, else `\n`.
pub(in crate::plan) fn eol(source: &[u8], at: usize) -> &'static str {
    let before = memchr::memrchr(b'\n', &source[..at]);
    let newline = before.or_else(|| memchr::memchr(b'\n', &source[at..]).map(|next| at + next));
    match newline.and_then(|newline| newline.checked_sub(1)) {
        Some(before) if source[before] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// True if the line before `at` is blank or missing.
pub(super) fn blank_before(source: &[u8], at: usize) -> bool {
    let text = &source[..at];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let start = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
    text[start..].trim_ascii().is_empty() || text == BOM
}

/// Returns the line that begins at `at`, with its ending; empty at the end of the source.
pub(super) fn line_at(source: &[u8], at: usize) -> &[u8] {
    let rest = source.get(at..).unwrap_or_default();
    &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1)]
}

/// Returns the leading white space of a line.
pub(super) fn indent(line: &[u8]) -> &[u8] {
    let length = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[..length]
}
