//! Which lines of a text are not in the one before it.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// How long it may look for the shortest difference; then it takes one that is right, but longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Lines of `new` (counted from 1, the end excluded) that differ from `old`. Lines that are only gone have no place here.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
    let new: Vec<&[u8]> = new.split_inclusive(|b| *b == b'\n').collect();
    let operations = capture_diff_slices_deadline(Algorithm::Patience, &old, &new, Some(Instant::now() + PATIENCE));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for operation in operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. })) {
        let lines = operation.new_range();
        match ranges.last_mut() {
            Some(last) if last.end == lines.start + 1 => last.end = lines.end + 1,
            _ if lines.is_empty() => {}
            _ => ranges.push(lines.start + 1..lines.end + 1),
        }
    }
    ranges
}
