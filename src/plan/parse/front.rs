//! The front matter: flat `key: value` lines between two `---` lines at the very top.

use super::{Parser, refuse};
use crate::error::Result;
use crate::plan::model::{FrontEntry, Span};

impl Parser<'_> {
    /// Reads the front matter that begins at `from`, if there is any; returns where the rest begins.
    pub(super) fn front(&mut self, from: usize) -> Result<usize> {
        let source = self.plan.source;
        let (text, mut at) = line(source, from);
        if text.trim_ascii_end() != b"---" {
            return Ok(from);
        }
        let first = at;
        loop {
            if at >= source.len() {
                self.plan.front_entries.clear();
                return Ok(from);
            }
            let (text, next) = line(source, at);
            if text.trim_ascii_end() == b"---" {
                self.plan.front = Some(Span::new(from..next));
                break;
            }
            at = next;
        }
        let (mut at, end) = (first, at);
        while at < end {
            let (text, next) = line(source, at);
            if let Some(entry) = entry(text, at) {
                if self.plan.whole.is_none() {
                    refuse::not_utf8(source, at, at + text.len())?;
                }
                self.plan.front_entries.push(FrontEntry { line: Span::new(at..next), ..entry });
            }
            at = next;
        }
        Ok(self.plan.front.map_or(from, |front| front.end as usize))
    }
}

/// The line at `at` without its ending, and where the next line begins.
fn line(source: &[u8], at: usize) -> (&[u8], usize) {
    let rest = source.get(at..).unwrap_or_default();
    let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let text = &rest[..length];
    (text.strip_suffix(b"\r").unwrap_or(text), (at + length + 1).min(source.len()))
}

/// `key: value` at column 0, the value bare or quoted, ` #` starting a comment.
fn entry(text: &[u8], at: usize) -> Option<FrontEntry> {
    let colon = memchr::memchr(b':', text)?;
    let key = text[..colon].trim_ascii_end();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let spaced = matches!(text.get(colon + 1), None | Some(b' ' | b'\t'));
    if key.is_empty() || !key.iter().all(word) || !spaced {
        return None;
    }
    let rest = &text[colon + 1..];
    let start = colon + 1 + (rest.len() - rest.trim_ascii_start().len());
    let value = &text[start..];
    let quote = value.first().filter(|byte| matches!(byte, b'"' | b'\''));
    let closed = quote.and_then(|quote| memchr::memchr(*quote, &value[1..]));
    let (start, length) = match closed {
        Some(length) => (start + 1, length),
        None => (start, bare(value)),
    };
    Some(FrontEntry {
        line: Span::default(),
        key: Span::new(at..at + key.len()),
        value: Span::new(at + start..at + start + length),
    })
}

/// Length of a bare value, up to its comment.
fn bare(value: &[u8]) -> usize {
    let comment = (0..value.len())
        .find(|&at| value[at] == b'#' && at.checked_sub(1).is_none_or(|before| matches!(value[before], b' ' | b'\t')));
    value[..comment.unwrap_or(value.len())].trim_ascii_end().len()
}
