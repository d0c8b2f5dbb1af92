//! Limits for every change on the bytes that it is not about. The laws here use them, and so do `benches/fuzz.rs` and `fuzz/`, which
//! include this file.

use plan::plan::change::Change;
use plan::plan::edit::Edit;

/// True if every byte outside the edits is there, in order, between the texts of the edits.
pub(crate) fn is_untouched_outside(old: &[u8], new: &[u8], edits: &[Edit]) -> bool {
    let (mut from, mut to) = (0, 0);
    for edit in edits {
        let (kept, text): (&[u8], &[u8]) = (&old[from..edit.range.start], &edit.text);
        if new.get(to..to + kept.len()) != Some(kept) || !new[to + kept.len()..].starts_with(text) {
            return false;
        }
        to += kept.len() + text.len();
        from = edit.range.end;
    }
    new.get(to..) == old.get(from..)
}

/// True if a move keeps its lines, except for blank lines, white space around them, new ids and the archive's heading. Also true for a
/// change that moves nothing.
pub(crate) fn is_only_moved(old: &[u8], new: &[u8], change: &Change) -> bool {
    match change {
        Change::Archive { .. } | Change::MoveStep { .. } => moving(old) == moving(new),
        // A goal that comes back is active.
        Change::Restore { .. } => without_status(moving(old)) == without_status(moving(new)),
        _ => true,
    }
}

fn without_status(mut lines: Vec<&[u8]>) -> Vec<&[u8]> {
    lines.retain(|line| !line.starts_with(b"status:"));
    lines
}

/// The lines that a move may not change, sorted.
fn moving(text: &[u8]) -> Vec<&[u8]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let is_id =
        |line: &[u8]| line.strip_prefix(b"<!--").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"id:"));
    lines.retain(|line| !line.is_empty() && *line != b"# Archive" && !is_id(line));
    lines.sort_unstable();
    lines
}
