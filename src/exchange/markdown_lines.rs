//! The lines of a Markdown file as other programs use them: headings, boxes, text. Fences, indented code and comments are text.

use super::record::{Fate, LeftOut, RecordKind, TaskStep};
use crate::plan::model::Mark;
use crate::plan::scan::{LineKind, Scanner};

/// A line of a Markdown file.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkdownLine<'t> {
    /// The line with its ending.
    pub(super) raw: &'t str,
    /// Its kind.
    pub(super) is: MarkdownLineKind<'t>,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkdownLineKind<'t> {
    /// An ATX heading: its level and text.
    Heading(u8, &'t str),
    /// A box: its mark and its text.
    Box(&'t str, &'t str),
    /// A box inside a fence, indented code or a comment.
    CodeBox(&'t str),
    /// Anything else.
    Text,
}

/// Returns the lines of a text.
pub(super) fn lines(text: &str) -> Vec<MarkdownLine<'_>> {
    let mut scanner = Scanner::new(text.as_bytes(), 0);
    let mut lines = Vec::new();
    while let Some(line) = scanner.line() {
        let inner = &text[line.start..line.end];
        let is = match line.kind {
            LineKind::Heading { level, start, end } => MarkdownLineKind::Heading(level, &text[start..end]),
            LineKind::Item { start, .. } => boxed(&text[start..line.end])
                .map_or(MarkdownLineKind::Text, |(mark, rest)| MarkdownLineKind::Box(mark, rest)),
            LineKind::Opaque => bullet(inner)
                .and_then(boxed)
                .map_or(MarkdownLineKind::Text, |(_, rest)| MarkdownLineKind::CodeBox(rest)),
            LineKind::Blank | LineKind::Id { .. } | LineKind::Text => MarkdownLineKind::Text,
        };
        lines.push(MarkdownLine { raw: &text[line.start..line.next], is });
    }
    lines
}

/// Returns the text after `- `, `* `, `+ ` or `1. `.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest =
        if rest.len() < line.len() { rest.strip_prefix(['.', ')'])? } else { line.strip_prefix(['-', '*', '+'])? };
    rest.strip_prefix([' ', '\t']).map(str::trim_start)
}

/// Splits `[x] text` or `[]text` into the mark, without white space, and the text. A link is not a box.
fn boxed(text: &str) -> Option<(&str, &str)> {
    let (mark, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_mark = mark.len() <= 3 && matches!(mark.trim(), "" | "x" | "X" | "~" | "-" | "/" | "!" | ">");
    let is_link = rest.starts_with(['(', '[', ':']);
    (is_mark && !is_link).then(|| (mark.trim(), rest.trim()))
}

/// The items of a list, without bullets and boxes, each on one line. A text that is not a list is one item.
pub(super) fn list_items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match bullet(line) {
            Some(item) => items.push(boxed(item).map_or(item, |(_, rest)| rest).to_owned()),
            None if items.is_empty() => items.push(line.to_owned()),
            None => {
                if let Some(last) = items.last_mut() {
                    *last += &format!(" {line}");
                }
            }
        }
    }
    items.into_iter().filter(|item| !item.is_empty()).collect()
}

/// The boxes of some lines as steps, and all other lines as text.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    /// The steps.
    pub(super) steps: Vec<TaskStep>,
    /// The other lines, unchanged.
    pub(super) rest: String,
    /// Boxes in code or comments. They are in `rest` too.
    pub(super) in_code: Vec<LeftOut>,
    /// Boxes whose mark is neither ticked nor empty: `[~] half done`.
    pub(super) odd: Vec<String>,
}

impl Boxes {
    /// Adds a line. `of` tells a person where to find the box.
    pub(super) fn take(&mut self, line: &MarkdownLine<'_>, of: &str) {
        match line.is {
            MarkdownLineKind::Box(mark, text) => {
                let is_ticked = matches!(mark, "x" | "X");
                if !is_ticked && !mark.is_empty() {
                    self.odd.push(format!("[{mark}] {text}"));
                }
                let mark = if is_ticked { Mark::Complete } else { Mark::Pending };
                self.steps.push(TaskStep { text: text.to_owned(), mark, ..TaskStep::default() });
                return;
            }
            MarkdownLineKind::CodeBox(text) => self.in_code.push(LeftOut {
                record: RecordKind::Step,
                name: format!("{of} {text}"),
                why: "a box in a code block or comment".to_owned(),
                fate: Fate::Prose,
                steps: 0,
            }),
            MarkdownLineKind::Heading(..) | MarkdownLineKind::Text => {}
        }
        self.rest.push_str(line.raw);
    }

    /// True if there are steps and all of them are ticked.
    pub(super) fn is_all_ticked(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.mark == Mark::Complete)
    }

    /// The other lines, without the blank lines around them.
    pub(super) fn prose(&self) -> String {
        trimmed(&self.rest)
    }
}

/// Removes blank lines before and after.
pub(super) fn trimmed(text: &str) -> String {
    let start = text.len() - text.trim_start_matches(['\n', '\r', ' ', '\t']).len();
    let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_as_people_write_them() {
        let text = "- [X] a\n- [ x] b\n- [~] c\n- [] d\n- [x]e\n* [x] f\n1. [ ] g\n  - [x] h\n- [x](link)\n- i\n```\n- [ ] j\n```\n<!--\n- [x] k\n-->\n";
        let mut boxes = Boxes::default();
        lines(text).iter().for_each(|line| boxes.take(line, "f"));
        let seen: String = boxes.steps.iter().map(|step| format!("{}{} ", step.mark.character(), step.text)).collect();
        assert_eq!(seen, "xa xb  c  d xe xf  g xh ");
        assert_eq!((boxes.in_code.len(), boxes.odd.as_slice()), (2, ["[~] c".to_owned()].as_slice()));
        assert_eq!(boxes.rest, "- [x](link)\n- i\n```\n- [ ] j\n```\n<!--\n- [x] k\n-->\n");
    }

    #[test]
    fn a_list_is_its_items_and_any_other_text_is_one() {
        assert_eq!(list_items("- [ ] a\n  more\n- b\n1. c\n"), ["a more", "b", "c"]);
        assert_eq!(list_items("one\ntwo"), ["one two"]);
        assert_eq!(list_items(" \n"), [""; 0]);
    }
}
