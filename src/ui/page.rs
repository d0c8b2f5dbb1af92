//! A page of styled text on stdout, for the views of the plan room.

use anstyle::{AnsiColor, Style as Ansi};

use super::{Ui, clean_line};
use crate::plan::view::{Sink, Style};

/// Puts pieces of text on stdout, in colour where that is wanted. A line without colour is cleaned and written whole:
/// a list of thousands of goals has several pieces in each.
#[derive(Debug)]
pub struct Page<'u> {
    ui: &'u Ui,
    /// The present line, without colour and not yet cleaned.
    line: String,
}

impl<'u> Page<'u> {
    pub(super) fn new(ui: &'u Ui) -> Self {
        Page { ui, line: String::new() }
    }

    fn end_line(&mut self) {
        self.ui.raw(&clean_line(&self.line));
        self.line.clear();
    }
}

impl Sink for Page<'_> {
    fn put(&mut self, style: Style, text: &str) {
        if !self.ui.styled {
            return self.line.push_str(text);
        }
        if text.is_empty() {
            return;
        }
        let text = clean_line(text);
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

/// How a piece of text looks on a terminal with 16 colours.
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
