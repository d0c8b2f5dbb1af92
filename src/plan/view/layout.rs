//! One row of a view: words are wrapped at the width of the terminal, and an id is at the right edge.

use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthChar;

use super::{Sink, Style};
use crate::plan::text::is_hidden;

/// Text is at most this wide, even on a wider terminal.
const WIDEST: usize = 100;
/// Columns between a row's text and the id at its right.
const GAP: usize = 2;

/// The size of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Columns. `None` if the output is not a terminal: then nothing is wrapped or left out.
    pub columns: Option<usize>,
    /// Lines that fit at once.
    pub lines: Option<usize>,
}

/// Returns a command as the caller would type it: with the options by which they named the plan (` -C pkg`).
pub fn typed(command: &str, options: &str) -> String {
    command.strip_prefix("plan ").map_or_else(|| command.to_owned(), |rest| format!("plan{options} {rest}"))
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The column at which continuation lines begin.
    hang: usize,
    pieces: Vec<(Style, String)>,
    right: Option<String>,
    /// A command line to paste into a shell: wrapped lines end in `\`.
    is_command: bool,
}

impl Row {
    /// An empty row; `hang` is the column at which its continuation lines begin.
    pub fn new(hang: usize) -> Self {
        Row { hang, ..Row::default() }
    }

    /// A command line, indented by `indent` columns, that can be pasted even if it is wrapped.
    pub fn command(indent: usize, line: &str) -> Self {
        Row { is_command: true, ..Row::new(indent).with(Style::Plain, line) }
    }

    /// Replaces the text of a command row.
    pub fn rewrite_command(&mut self, rewrite: impl Fn(&str) -> String) {
        if self.is_command {
            self.pieces.iter_mut().for_each(|(_, text)| *text = rewrite(text));
        }
    }

    /// Appends text.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.pieces.push((style, text.into()));
        self
    }

    /// Sets the dim text at the right edge.
    #[must_use]
    pub fn right(mut self, text: Option<&str>) -> Self {
        self.right = text.map(str::to_owned);
        self
    }

    /// Writes the row, including its last newline.
    pub fn put(&self, screen: Screen, sink: &mut impl Sink) {
        if self.is_command {
            return self.put_command(screen.columns, sink);
        }
        let Some(columns) = screen.columns else {
            self.pieces.iter().for_each(|(style, text)| sink.put(*style, text));
            if let Some(right) = &self.right {
                sink.put(Style::Dim, &format!("{:GAP$}{right}", ""));
            }
            return sink.newline();
        };
        let columns = columns.min(WIDEST).max(self.hang + 8);
        let used = self.wrapped(columns, sink);
        self.put_right(columns, used, sink);
        sink.newline();
    }

    /// Writes the row on one line. If there is no room, its text is cut and the text at the right is left out.
    pub(super) fn put_on_one_line(&self, screen: Screen, sink: &mut impl Sink) {
        let Some(columns) = screen.columns.map(|columns| columns.min(WIDEST)) else { return self.put(screen, sink) };
        let text: usize = self.pieces.iter().map(|(_, text)| width(text)).sum();
        let right = self.right.as_ref().filter(|right| text + GAP + width(right) <= columns);
        let mut left = columns;
        for (style, text) in &self.pieces {
            let shown = elided(text, left);
            left -= width(&shown);
            sink.put(*style, &shown);
            if left == 0 {
                break;
            }
        }
        if let Some(right) = right {
            sink.put(Style::Plain, &" ".repeat(left - width(right)));
            sink.put(Style::Dim, right);
        }
        sink.newline();
    }

    /// Writes the text; returns how many columns of the last line are used.
    fn wrapped(&self, columns: usize, sink: &mut impl Sink) -> usize {
        let (mut at, mut gap) = (0, 0);
        for (style, text) in &self.pieces {
            for (index, word) in text.split(' ').enumerate() {
                gap += usize::from(index > 0);
                if word.is_empty() {
                    continue;
                }
                if at + gap + width(word) > columns && at > self.hang {
                    sink.newline();
                    sink.put(Style::Plain, &" ".repeat(self.hang));
                    (at, gap) = (self.hang, 0);
                }
                sink.put(*style, &" ".repeat(gap));
                at = self.word(*style, word, columns, at + gap, sink);
                gap = 0;
            }
        }
        at
    }

    /// Writes a word that begins in column `at`, on several lines if it does not fit on one. Returns the column after it.
    fn word(&self, style: Style, word: &str, columns: usize, mut at: usize, sink: &mut impl Sink) -> usize {
        let mut from = 0;
        for (index, character) in word.char_indices() {
            let wide = cell(character);
            if at + wide > columns {
                sink.put(style, &word[from..index]);
                sink.newline();
                sink.put(Style::Plain, &" ".repeat(self.hang));
                (from, at) = (index, self.hang);
            }
            at += wide;
        }
        sink.put(style, &word[from..]);
        at
    }

    /// Writes a command, broken only at blanks that separate shell words. The terminal wraps a word that is too wide.
    fn put_command(&self, columns: Option<usize>, sink: &mut impl Sink) {
        let room = columns.map_or(usize::MAX, |columns| columns.min(WIDEST).saturating_sub(" \\".len()));
        for (style, line) in &self.pieces {
            let mut at = self.hang;
            sink.put(Style::Plain, &" ".repeat(self.hang));
            for (index, word) in unquoted_blanks(line).into_iter().enumerate() {
                if index > 0 && at + 1 + width(word) > room {
                    sink.put(Style::Plain, " \\");
                    sink.newline();
                    at = self.hang + 2;
                    sink.put(Style::Plain, &" ".repeat(at));
                } else if index > 0 {
                    sink.put(Style::Plain, " ");
                    at += 1;
                }
                sink.put(*style, word);
                at += width(word);
            }
        }
        sink.newline();
    }

    fn put_right(&self, columns: usize, used: usize, sink: &mut impl Sink) {
        let Some(right) = &self.right else { return };
        let right = elided(right, columns - self.hang);
        let start = columns - width(&right);
        let from = if used + GAP <= start {
            used
        } else {
            sink.newline();
            0
        };
        sink.put(Style::Plain, &" ".repeat(start - from));
        sink.put(Style::Dim, &right);
    }
}

/// The words of a command line as they are written, including quotes.
fn unquoted_blanks(line: &str) -> Vec<&str> {
    let (mut quote, mut is_escaped) = (None, false);
    line.split(|character: char| {
        match (character, quote) {
            _ if is_escaped => is_escaped = false,
            ('\\', None | Some('"')) => is_escaped = true,
            ('"' | '\'', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            (' ', None) => return true,
            _ => {}
        }
        false
    })
    .collect()
}

/// Returns `text` cut to at most `columns` columns.
pub fn elided(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |character: &char| left.checked_sub(cell(*character)).map(|rest| left = rest).is_some();
    let mut out: String = text.chars().take_while(fits).collect();
    out.push('…');
    out
}

/// Returns the columns that `text` takes. Each hidden character counts as one column.
pub fn width(text: &str) -> usize {
    text.chars().map(cell).sum()
}

fn cell(character: char) -> usize {
    if is_hidden(character) { 1 } else { character.width().unwrap_or(1) }
}

#[cfg(test)]
mod tests {
    use super::{Row, Screen, Style};

    fn at(columns: usize, text: &str, right: &str) -> String {
        let mut out = String::new();
        let row = Row::new(2).with(Style::Plain, "○ ").with(Style::Plain, text).right(Some(right));
        row.put(Screen { columns: Some(columns), lines: None }, &mut out);
        out
    }

    // P-51
    #[test]
    fn words_are_wrapped_and_the_id_stands_at_the_right() {
        assert_eq!(at(20, "Short", "a-1"), "○ Short          a-1\n");
        assert_eq!(at(20, "Write the operator handbook", "a-1"), "○ Write the operator\n  handbook       a-1\n");
        assert_eq!(at(20, "Write the operator", "long-id-1"), "○ Write the operator\n           long-id-1\n");
        assert_eq!(at(20, "日本語の領収書を印刷する", "a-1"), "○ 日本語の領収書を印\n  刷する         a-1\n");
        assert_eq!(at(12, "x", "an-id-that-is-long-1"), "○ x\n  an-id-tha…\n");
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let text = "Größer als 80 mm 日本語の領収書 a\u{202e}b verylongwordwithoutanyspacewhatsoever — end";
        for columns in 12..130 {
            for line in at(columns, text, "an-id-1").lines() {
                assert!(super::width(line) <= columns.min(100), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn a_wrapped_command_can_be_pasted() {
        let line = "plan goal set a-1 --add-may-change 'my test.sh' --because \"a \\\" why\"";
        let at = |columns: Option<usize>| {
            let mut out = String::new();
            Row::command(2, line).put(Screen { columns, lines: None }, &mut out);
            out
        };
        assert_eq!(at(None), format!("  {line}\n"));
        assert_eq!(
            at(Some(40)),
            "  plan goal set a-1 --add-may-change \\\n    'my test.sh' --because \"a \\\" why\"\n"
        );
        for columns in 26..90 {
            assert!(at(Some(columns)).lines().all(|line| super::width(line) <= columns), "{columns}");
            assert_eq!(at(Some(columns)).replace(" \\\n    ", " "), format!("  {line}\n"), "{columns}");
        }
    }

    #[test]
    fn without_a_terminal_nothing_is_cut() {
        let mut out = String::new();
        Row::new(2).with(Style::Plain, "a  b").right(Some("id-1")).put(Screen::default(), &mut out);
        assert_eq!(out, "a  b  id-1\n");
    }
}
