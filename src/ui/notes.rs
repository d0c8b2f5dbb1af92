//! Notes and errors on stderr: their first word in colour, wrapped at the width of the terminal.

use super::page::ansi;
use crate::plan::view::{Row, Screen, Sink, Style};

const LABELS: [(&str, Style); 4] =
    [("error:", Style::Bad), ("help:", Style::Good), ("note:", Style::Dim), ("warning:", Style::Warning)];

/// Formats `text`, which is clean already, for a screen.
pub(super) fn shown(text: &str, screen: Screen, styled: bool) -> String {
    if !styled && screen.columns.is_none() {
        return text.to_owned();
    }
    let mut sink = Shown { text: String::with_capacity(text.len() + 64), styled };
    text.split('\n').for_each(|line| row(line).put(screen, &mut sink));
    sink.text.truncate(sink.text.trim_end_matches('\n').len());
    sink.text
}

/// Returns a line as a row: what does not fit is indented below its text.
fn row(line: &str) -> Row {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    let label = LABELS.into_iter().find(|(label, _)| rest.starts_with(label));
    let (label, style) = label.unwrap_or(("", Style::Plain));
    let hang = indent + if label.is_empty() { 2 } else { label.len() + 1 };
    let row = Row::new(hang).with(Style::Plain, &line[..indent]);
    row.with(style, label).with(Style::Plain, &rest[label.len()..])
}

struct Shown {
    text: String,
    styled: bool,
}

impl Sink for Shown {
    fn put(&mut self, style: Style, text: &str) {
        let ansi = ansi(style);
        if !self.styled || ansi.is_plain() || text.is_empty() {
            return self.text.push_str(text);
        }
        self.text += &format!("{ansi}{text}{ansi:#}");
    }

    fn newline(&mut self) {
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERROR: &str =
        "error: no goal has the id or subject `cahce-lookups-1`\n  help: did you mean `cache-lookups-1`?";

    #[test]
    fn an_error_is_wrapped_below_its_text() {
        let screen = Screen { columns: Some(30), lines: None };
        let expected = "error: no goal has the id or\n       subject\n       `cahce-lookups-1`\n  help: did you mean\n        `cache-lookups-1`?";
        assert_eq!(shown(ERROR, screen, false), expected);
        assert_eq!(shown(ERROR, Screen::default(), false), ERROR);
    }

    #[test]
    fn only_the_label_is_in_colour() {
        let styled = shown(ERROR, Screen::default(), true);
        assert!(styled.starts_with("\u{1b}[31merror:\u{1b}[0m no goal"), "{styled:?}");
        assert_eq!(anstream::adapter::strip_str(&styled).to_string(), ERROR);
        assert_eq!(shown("  error-free\n\nx", Screen::default(), true), "  error-free\n\nx");
    }
}
