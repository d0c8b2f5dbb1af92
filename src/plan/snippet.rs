//! Shows a place in plan.md to a person: line and column, the line itself, and a caret line below the span.
//!
//! Lines and columns count from 1. A column is a character, as in most editors (a byte that is not UTF-8 counts as one,
//! a BOM as none). The caret line counts terminal cells instead.

use unicode_width::UnicodeWidthChar;

use super::model::Span;
use super::text::is_hidden;

/// The most cells of a line that are shown; a longer line is cut to a window around the caret.
const WINDOW: usize = 100;
/// The bytes read on each side of a place: enough for a window of the longest characters.
const READ: usize = 8 * WINDOW;
/// The cells drawn for a tab, in any column.
const TAB: &str = "    ";
const BOM: char = '\u{feff}';

/// Line and column of a byte offset, both from 1.
pub fn place(source: &[u8], offset: usize) -> (usize, usize) {
    Places::new(source).of(offset)
}

/// Draws the line in which `span` begins and a caret line below it, each with a gutter, no newline at the end:
///
/// ```text
/// 12 | status: actve
///    |         ^^^^^
/// ```
///
/// Tabs are drawn as four cells, unprintable characters as `�`. A span over several lines is marked up to the end of its first line.
pub fn draw_at(source: &[u8], span: Span) -> String {
    let (number, _) = place(source, span.start as usize);
    draw(source, span, number, None)
}

/// The places of many offsets; cheap if the offsets are queried in ascending order.
pub struct Places<'s> {
    source: &'s [u8],
    line: usize,
    /// The last queried offset and its column: later places in a long line are counted from there.
    last: (usize, usize),
}

impl<'s> Places<'s> {
    /// Starts at the first line of `source`.
    pub fn new(source: &'s [u8]) -> Self {
        Places { source, line: 1, last: (0, 1) }
    }

    /// Line and column of a byte offset, both from 1. An offset past the end counts as the end.
    pub fn of(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.source.len());
        if offset < self.last.0 {
            *self = Places::new(self.source);
        }
        let passed = &self.source[self.last.0..offset];
        if let Some(newline) = memchr::memrchr(b'\n', passed) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.last = (self.last.0 + newline + 1, 1);
        }
        let before = String::from_utf8_lossy(&self.source[self.last.0..offset]);
        self.last = (offset, self.last.1 + before.chars().filter(|c| *c != BOM).count());
        (self.line, self.last.1)
    }
}

/// The two lines of [`draw_at`] for a span with a known line number; `room` is the width in cells after the gutter.
pub(super) fn draw(source: &[u8], span: Span, number: usize, room: Option<usize>) -> String {
    // Two cells for the marks of cut text.
    let window = room.map_or(WINDOW, |room| room.saturating_sub(2).clamp(8, WINDOW));
    let at = (span.start as usize).min(source.len());
    // Bounds the bytes that are read: a line may be of any length, and have many findings.
    let low = at.saturating_sub(READ + 1);
    let start = memchr::memrchr(b'\n', &source[low..at]).map_or(low, |newline| low + newline + 1);
    let high = source.len().min(at.max(span.end as usize) + READ + 1);
    let end = memchr::memchr(b'\n', &source[at..high]).map_or(high, |newline| at + newline);
    let end = if end > start && source[end - 1] == b'\r' { end - 1 } else { end };
    let stop = (span.end as usize).clamp(at.min(end), end);

    let before = &source[start..at.min(end)];
    let (head, whole) = fit_end(&cells(&before[before.len().saturating_sub(READ)..]), window / 2);
    let head = if whole && before.len() <= READ { head } else { format!("…{head}") };
    let meant = cells(&source[at.min(end)..stop.min(at.min(end) + READ)]);
    let after = cells(&source[stop..end.min(stop + READ)]);
    let room = window.saturating_sub(width(&head));
    let (shown, all) = fit(&meant, room);
    let (tail, rest) = fit(&after, if all { room - width(&shown) } else { 0 });
    let cut = if all && rest { "" } else { "…" };

    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    let indent = " ".repeat(width(&head));
    let marks = "^".repeat(width(&shown).max(1));
    let line = format!("{gutter} | {head}{shown}{tail}{cut}");
    format!("{}\n{blank} | {indent}{marks}", line.trim_end())
}

/// Each character as it is drawn, without control characters and characters that change the direction of text.
fn cells(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).chars().filter(|c| *c != BOM).map(cell).collect()
}

fn cell(c: char) -> String {
    match c {
        '\t' => TAB.to_owned(),
        c if c.is_control() || is_hidden(c) => char::REPLACEMENT_CHARACTER.to_string(),
        c => c.to_string(),
    }
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// As many cells as fit into `room`, and whether that is all of them.
fn fit(cells: &[String], room: usize) -> (String, bool) {
    let mut left = room;
    let mut fitted = String::new();
    for cell in cells {
        let Some(rest) = left.checked_sub(width(cell)) else { return (fitted, false) };
        left = rest;
        fitted.push_str(cell);
    }
    (fitted, true)
}

/// As many cells from the end as fit into `room`, and whether that is all of them.
fn fit_end(cells: &[String], room: usize) -> (String, bool) {
    let mut left = room;
    let fitting = cells.iter().rev().take_while(|cell| match left.checked_sub(width(cell)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    let skipped = cells.len() - fitting.count();
    (cells[skipped..].concat(), skipped == 0)
}

#[cfg(test)]
mod tests;
