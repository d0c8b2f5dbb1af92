//! Finds the new lines of a text, and the places to which old lines moved.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// The time to search for the shortest difference. After that, any correct one will do.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns the lines of `new` (counted from 1, the end excluded) that differ from `old`. Deleted lines do not appear.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for operation in operations(old, new).iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. })) {
        let lines = operation.new_range();
        match ranges.last_mut() {
            Some(last) if last.end == lines.start + 1 => last.end = lines.end + 1,
            _ if lines.is_empty() => {}
            _ => ranges.push(lines.start + 1..lines.end + 1),
        }
    }
    ranges
}

/// Returns the line of `new` to which line `line` of `old` (counted from 1) moved; `None` if it was changed or deleted.
pub fn line_now(old: &[u8], new: &[u8], line: usize) -> Option<usize> {
    let at = line.checked_sub(1)?;
    let same = |operation: &DiffOp| matches!(operation, DiffOp::Equal { .. }) && operation.old_range().contains(&at);
    let same = operations(old, new).into_iter().find(same)?;
    Some(same.new_range().start + (at - same.old_range().start) + 1)
}

/// Returns a test whether a line of `new`, counted from 1, is none of `old`.
pub fn is_changed(old: &[u8], new: &[u8]) -> impl Fn(usize) -> bool + use<> {
    within(&changed_lines(old, new))
}

/// Returns a test whether a number, such as that of a line, is in one of these ranges, which must not overlap.
pub fn within(ranges: &[Range<usize>]) -> impl Fn(usize) -> bool + use<> {
    let mut ranges: Vec<Range<usize>> = ranges.to_vec();
    ranges.sort_by_key(|range| range.start);
    move |number| {
        let range = ranges.partition_point(|range| range.start <= number).checked_sub(1).map(|at| &ranges[at]);
        range.is_some_and(|range| range.contains(&number))
    }
}

fn operations(old: &[u8], new: &[u8]) -> Vec<DiffOp> {
    let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
    let new: Vec<&[u8]> = new.split_inclusive(|b| *b == b'\n').collect();
    capture_diff_slices_deadline(Algorithm::Patience, &old, &new, Some(Instant::now() + PATIENCE))
}
