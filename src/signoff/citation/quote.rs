//! Finding a quote near a line, white space folded.

use super::NEAR;
use crate::signoff::plain::one_line;

/// Why a quote does not stand where it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Miss {
    Invisible,
    NoSuchLine { last: usize },
    NotThere { quote: String },
}

impl Miss {
    /// As one line about `path:line`.
    pub(super) fn at(&self, path: &str, line: usize) -> String {
        match self {
            Miss::Invisible => format!("the quote from `{path}:{line}` has no visible character"),
            Miss::NoSuchLine { last } => format!("`{path}` has no line {line}, it ends at {last}"),
            Miss::NotThere { quote } => format!("`{quote}` does not stand within {NEAR} lines of `{path}:{line}`"),
        }
    }
}

/// Finds `quote` within [`NEAR`] lines of `line` in a text whose first line has the number `first`.
pub(super) fn near(text: &str, first: usize, line: usize, quote: &str) -> Result<(), Miss> {
    let needle = Needle::new(quote).ok_or(Miss::Invisible)?;
    let count = text.lines().count();
    let last = (first + count).saturating_sub(1);
    if line < first || line > last {
        return Err(Miss::NoSuchLine { last });
    }
    let skip = (line - first).saturating_sub(NEAR);
    let take = (line - first) + NEAR + 1 - skip;
    let window: Vec<&str> = text.lines().skip(skip).take(take).collect();
    match needle.stands_in(&window.join("\n")) {
        true => Ok(()),
        false => Err(Miss::NotThere { quote: needle.forms[0].chars().take(120).collect() }),
    }
}

/// A text to be looked for, as given and with `\"` and `\\` resolved: judges write both.
pub(super) struct Needle {
    forms: Vec<String>,
}

impl Needle {
    /// Nothing where `text` shows nothing.
    pub(super) fn new(text: &str) -> Option<Self> {
        let folded = one_line(text);
        if !folded.chars().any(is_visible) {
            return None;
        }
        let plain = folded.replace("\\\"", "\"").replace("\\\\", "\\");
        let forms = if plain == folded { vec![folded] } else { vec![folded, plain] };
        Some(Needle { forms })
    }

    pub(super) fn stands_in(&self, text: &str) -> bool {
        let folded = one_line(text);
        self.forms.iter().any(|form| folded.contains(form.as_str()))
    }
}

/// Not one of the characters that are no white space and show nothing by themselves.
fn is_visible(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0100}'..='\u{e01ef}')
}
