//! Removes the characters from foreign text that move a cursor, hide or reorder text.

use crate::plan::text::{is_hidden, is_joiner};

/// One line, white space folded: how an answer is shown, and how a quote and the file it is from are compared.
pub(super) fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(visible).collect();
    let mut line = String::with_capacity(shown.len());
    for word in shown.split_whitespace() {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
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
