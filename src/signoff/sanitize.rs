//! Removes the characters from foreign text that move a cursor, hide or reorder text.

use crate::plan::text::{is_hidden, is_joiner};

/// One line, white space folded: how an answer is shown, and how a quote and the file it is from are compared.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().map(visible) {
        if c.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if gap {
            line.push(' ');
            gap = false;
        }
        line.push(c);
    }
    line
}

/// A line of output, with its indentation.
pub(super) fn as_printed(line: &str) -> String {
    let line: String = line.chars().map(visible).collect();
    line.trim_end().to_owned()
}

fn visible(c: char) -> char {
    if c.is_control() || is_hidden(c) && !is_joiner(c) { ' ' } else { c }
}
