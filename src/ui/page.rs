//! A page of styled text on stdout, for the views in `crate::plan::view`.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style as Ansi};

use super::{Ui, clean_line};
use crate::plan::text::is_right_to_left;
use crate::plan::view::{Sink, Style};

/// Puts pieces of text on stdout, in colour if that is wanted. A line without colour is cleaned and written whole,
/// because a list of thousands of goals has several pieces in each line.
#[derive(Debug)]
pub struct Page<'u> {
    ui: &'u Ui,
    /// The present line, without colour and not yet cleaned.
    line: String,
    /// True if a terminal shows the page: text that is read from the right must not turn the text beside it.
    isolates: bool,
    /// True if the locale certainly has only ASCII.
    is_ascii: bool,
}

impl<'u> Page<'u> {
    pub(super) fn new(ui: &'u Ui) -> Self {
        Page { ui, line: String::new(), isolates: ui.is_attached(), is_ascii: locale_is_not_utf8() }
    }

    fn end_line(&mut self) {
        self.ui.raw(&clean_line(&self.line));
        self.line.clear();
    }
}

impl Sink for Page<'_> {
    fn put(&mut self, style: Style, text: &str) {
        let text = if self.is_ascii { ascii_signs(text) } else { Cow::Borrowed(text) };
        let is_isolated = self.isolates && text.contains(is_right_to_left);
        if !self.ui.styled && !is_isolated {
            return self.line.push_str(&text);
        }
        if text.is_empty() {
            return;
        }
        let mut text = clean_line(&text);
        if is_isolated {
            self.end_line();
            text = format!("\u{2068}{text}\u{2069}").into();
        }
        if !self.ui.styled {
            return self.ui.raw(&text);
        }
        let ansi = ansi(style);
        if ansi.is_plain() {
            return self.ui.raw(&text);
        }
        self.ui.raw(&format!("{ansi}{text}{ansi:#}"));
    }

    fn newline(&mut self) {
        self.end_line();
        self.ui.raw("\n");
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        self.end_line();
    }
}

/// True if the environment names a character set other than UTF-8. A locale that nobody set says nothing about the terminal.
fn locale_is_not_utf8() -> bool {
    let mut values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    values.find(|value| !value.is_empty()).is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        !value.contains("utf-8") && !value.contains("utf8")
    })
}

/// Replaces the signs of `plan` by those for a locale without UTF-8 (`VIEWS.md` §1).
fn ascii_signs(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let sign = |character| match character {
        '●' => '*',
        '○' => 'o',
        '✓' => 'x',
        '✗' => '-',
        '→' => '>',
        other => other,
    };
    Cow::Owned(text.chars().map(sign).collect())
}

/// Returns the look of a style on a terminal with 16 colours.
pub fn ansi(style: Style) -> Ansi {
    let colour = |colour: AnsiColor| colour.on_default();
    match style {
        Style::Plain => Ansi::new(),
        Style::Title => Ansi::new().bold(),
        Style::Id => colour(AnsiColor::Cyan),
        Style::Dim => Ansi::new().dimmed(),
        Style::Active => colour(AnsiColor::Cyan).bold(),
        Style::Good | Style::Added => colour(AnsiColor::Green),
        Style::Removed => colour(AnsiColor::Red).strikethrough(),
        Style::Bad | Style::Warning => colour(AnsiColor::Red),
        Style::Heading => Ansi::new().underline(),
    }
}
