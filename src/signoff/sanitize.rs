//! Removes characters from foreign text that move a cursor, or that hide or reorder text.

use crate::plan::text::{is_hidden, is_joiner};

/// Returns a text as one line, with white space folded, to show an answer and to compare a quote with its file.
pub(super) fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(visible).collect();
    let mut line = String::with_capacity(shown.len());
    for word in shown.split_whitespace() {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    line
}

/// Returns a line of output, with its indentation.
pub(super) fn as_printed(line: &str) -> String {
    let line: String = line.chars().map(visible).collect();
    line.trim_end().to_owned()
}

fn visible(c: char) -> char {
    if c.is_control() || is_hidden(c) && !is_joiner(c) { ' ' } else { c }
}
