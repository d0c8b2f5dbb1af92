//! Finds a quote near a line, with white space folded.

use super::NEAR;
use crate::signoff::sanitize::one_line;

/// The minimum number of visible characters in each part of a quote that leaves something out.
const PART: usize = 4;

/// Finds `quote` within [`NEAR`] lines of `line` in a text whose first line has the number `first`.
///
/// # Errors
/// One line about `path:line` that says why the quote is not there.
pub(super) fn near(text: &str, first: usize, path: &str, line: usize, quote: &str) -> Result<(), String> {
    let invisible = || format!("the quote from `{path}:{line}` has no visible character");
    let needle = Needle::new(quote).ok_or_else(invisible)?.numbered(line);
    let count = text.lines().count();
    let last = (first + count).saturating_sub(1);
    if line < first || line > last {
        return Err(format!("`{path}` has no line {line}, it ends at {last}"));
    }
    let skip = (line - first).saturating_sub(NEAR);
    let take = (line - first) + NEAR + 1 - skip;
    let window: Vec<&str> = text.lines().skip(skip).take(take).collect();
    match needle.stands_in(&window.join("\n")) {
        true => Ok(()),
        false => {
            let given = needle.forms.first().and_then(|form| form.first()).map_or("", String::as_str);
            let quote: String = given.chars().take(120).collect();
            Err(format!("`{quote}` was not found within {NEAR} lines of `{path}:{line}`"))
        }
    }
}

/// A text to search for in several forms: as given, with `\"` and `\\` resolved (judges write both), without the line number
/// that a tool put in front of it, and in parts if `…` stands for omitted text.
pub(super) struct Needle {
    /// Each form is a list of parts, which must follow each other in this order.
    forms: Vec<Vec<String>>,
}

impl Needle {
    /// Returns `None` if `text` has no visible character.
    pub(super) fn new(text: &str) -> Option<Self> {
        let folded = one_line(text);
        if visible(&folded) == 0 {
            return None;
        }
        let mut needle = Needle { forms: Vec::new() };
        needle.add(&folded);
        needle.add(&folded.replace("\\\"", "\"").replace("\\\\", "\\"));
        Some(needle)
    }

    /// Adds forms without the number of a line near `line`, as tools print it.
    fn numbered(mut self, line: usize) -> Self {
        let texts: Vec<String> = self.forms.iter().filter(|form| form.len() == 1).map(|form| form[0].clone()).collect();
        texts.iter().filter_map(|text| without_number(text, line)).for_each(|text| self.add(text));
        self
    }

    fn add(&mut self, text: &str) {
        let whole = vec![text.to_owned()];
        if visible(text) == 0 || self.forms.contains(&whole) {
            return;
        }
        self.forms.push(whole);
        let parts: Vec<String> = text
            .replace("...", "…")
            .split('…')
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect();
        if text.contains('…') || text.contains("...") {
            let says_something = |part: &String| visible(part) >= PART;
            if !parts.is_empty() && parts.iter().all(says_something) {
                self.forms.push(parts);
            }
        }
    }

    pub(super) fn stands_in(&self, text: &str) -> bool {
        let folded = one_line(text);
        let in_order = |form: &Vec<String>| {
            let mut rest = folded.as_str();
            form.iter().all(|part| match rest.split_once(part.as_str()) {
                Some((_, behind)) => {
                    rest = behind;
                    true
                }
                None => false,
            })
        };
        self.forms.iter().any(in_order)
    }
}

/// Returns the text of `12: text`, `12→text`, `L12: text` or `12 | text`, if the number is that of a line near `line`.
fn without_number(text: &str, line: usize) -> Option<&str> {
    let digits = text.strip_prefix("Line ").or_else(|| text.strip_prefix('L')).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    let number: usize = digits[..end].parse().ok()?;
    let rest = &digits[end..];
    let behind = rest.trim_start().trim_start_matches([':', '|', '→', '-']);
    let is_apart = behind.len() < rest.len() && number.abs_diff(line) <= NEAR;
    is_apart.then(|| behind.trim_start())
}

pub(super) fn visible(text: &str) -> usize {
    text.chars().filter(|c| is_visible(*c)).count()
}

/// Whether a character is visible: neither white space nor one of the characters that show nothing by themselves.
fn is_visible(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0100}'..='\u{e01ef}')
}
