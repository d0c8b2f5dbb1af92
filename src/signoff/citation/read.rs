//! The forms of a citation.
//!
//! ```text
//! citations = citation, { ( ";" | "," | "and" ), citation }, [ remark ]
//! citation  = location, quoted | "absent ", glob, quoted | "gone ", path | "check ", number
//! location  = ( path | "verify" ), ":", number, [ "-", number ]
//! quoted    = '"' text '"' | "“" text "”"
//! ```
//!
//! Backticks may stand around a location, a glob or a path. A quote may hold quotation marks: it ends where the text ends,
//! where another citation follows, else at the last mark.

use super::Citation;

/// More is no citation.
const MAX: usize = 4096;

/// All citations of a text, at least one.
pub(super) fn citations(text: &str) -> Result<Vec<Citation>, String> {
    let unreadable = || {
        let shown: String = text.chars().take(120).collect();
        format!("`{shown}` is no citation; expected `path:line \"quote\"` or one of its kin")
    };
    if text.len() > MAX {
        return Err(unreadable());
    }
    list(unquoted(text.trim())).ok_or_else(unreadable)
}

fn list(text: &str) -> Option<Vec<Citation>> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix("check ") {
        let digits = rest.trim_start();
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits[..end].parse().ok()?;
        return Some(with_rest(Citation::Check { number }, &digits[end..]));
    }
    if let Some(rest) = text.strip_prefix("gone ") {
        let (path, rest) = path(rest.trim_start())?;
        return Some(with_rest(Citation::Gone { path: path.to_owned() }, rest));
    }
    let open = text.find(['"', '“'])?;
    let before = unquoted(text[..open].trim());
    // Before what follows: in a quote that is a list of strings, every mark could open one more citation.
    let place = match text.starts_with("absent ") {
        true => Place::Files(unquoted(before.strip_prefix("absent ")?.trim())),
        false => Place::at_line(before)?,
    };
    let (quote, more) = quoted(&text[open..])?;
    Some(std::iter::once(place.with(quote)).chain(more).collect())
}

/// What stands before a quote.
enum Place<'t> {
    Files(&'t str),
    Line(&'t str, usize),
}

impl<'t> Place<'t> {
    fn at_line(text: &'t str) -> Option<Self> {
        let (path, line) = text.rsplit_once(':').filter(|(path, _)| !path.is_empty())?;
        let line = line.split_once('-').map_or(line, |(from, _)| from).parse().ok()?;
        Some(Place::Line(path, line))
    }

    fn with(self, quote: &str) -> Citation {
        let quote = quote.to_owned();
        match self {
            Place::Files(glob) => Citation::Absent { glob: glob.to_owned(), text: quote },
            Place::Line("verify", line) => Citation::Verify { line, quote },
            Place::Line(path, line) => Citation::File { path: path.to_owned(), line, quote },
        }
    }
}

/// `first` and what follows it after a separator, where that is a citation.
fn with_rest(first: Citation, rest: &str) -> Vec<Citation> {
    std::iter::once(first).chain(following(rest).unwrap_or_default()).collect()
}

fn following(rest: &str) -> Option<Vec<Citation>> {
    let rest = rest.trim_start();
    list(rest.strip_prefix([';', ',', '&']).or_else(|| rest.strip_prefix("and "))?)
}

/// The quoted text at the start, and the citations that follow it.
fn quoted(text: &str) -> Option<(&str, Vec<Citation>)> {
    let open = text.chars().next()?;
    let close = if open == '“' { '”' } else { '"' };
    let inner = &text[open.len_utf8()..];
    let mut last = None;
    for (at, mark) in inner.match_indices(close) {
        let rest = &inner[at + mark.len()..];
        if rest.trim().is_empty() {
            return Some((&inner[..at], Vec::new()));
        }
        if let Some(more) = following(rest) {
            return Some((&inner[..at], more));
        }
        last = Some(at);
    }
    Some((&inner[..last?], Vec::new()))
}

/// A path up to white space or a separator, or between backticks or quotation marks.
fn path(text: &str) -> Option<(&str, &str)> {
    if let Some(mark @ ('`' | '"')) = text.chars().next() {
        let (path, rest) = text[1..].split_once(mark)?;
        return (!path.is_empty()).then_some((path, rest));
    }
    let end = text.find([' ', '\t', ';', ',']).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Without the backticks around it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')).unwrap_or(text)
}
