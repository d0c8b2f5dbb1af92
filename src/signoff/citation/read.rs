//! The forms of a citation.
//!
//! ```text
//! citations = citation, { ( ";" | "," | "and" ), citation }, [ remark ]
//! citation  = location, [ ":" | "-" | "," ], quoted | "absent ", glob, quoted | "gone ", path | "check ", number
//! location  = ( path | "verify" ), ( ":" | ":L" | "#L" | " line " ), number, [ ( "-" | ":" ), number ]
//! quoted    = '"' text '"' | "“" text "”" | "'" text "'" | "‘" text "’" | "`" text "`"
//! ```
//!
//! Backticks may surround a location, a glob or a path. A quote may contain quotation marks: it ends at the end of the text, or
//! in front of another citation, or else at the last mark.

use super::Citation;

/// The maximum number of bytes of a text with citations.
const MAX: usize = 4096;

/// Reads all citations of a text, at least one.
pub(crate) fn citations(text: &str) -> Result<Vec<Citation>, String> {
    let unreadable = || {
        let shown: String = text.chars().take(120).collect();
        format!("`{shown}` is not a citation; expected `path:line \"quote\"` or another form that the prompt names")
    };
    if text.len() > MAX {
        return Err(unreadable());
    }
    let text = text.trim();
    let quoted = || text.strip_prefix('`')?.strip_suffix('`');
    list(text).or_else(|| list(quoted()?)).ok_or_else(unreadable)
}

fn list(text: &str) -> Option<Vec<Citation>> {
    let text = text.trim_start();
    if let Some(rest) = keyword(text, "check") {
        let digits = rest.strip_prefix(['F', 'f']).unwrap_or(rest);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits[..end].parse().ok()?;
        return Some(with_rest(Citation::Check { number }, &digits[end..]));
    }
    if let Some(rest) = keyword(text, "gone") {
        let (path, rest) = path(rest)?;
        return Some(with_rest(Citation::Gone { path: path.to_owned() }, rest));
    }
    // Read the place before the quote, because in a quote that is a list of strings, every mark could open another citation.
    let (place, rest) = match keyword(text, "absent") {
        Some(rest) => files(rest)?,
        None => at_line(text)?,
    };
    let (quote, more) = quoted(rest)?;
    Some(std::iter::once(place.with(quote)).chain(more).collect())
}

/// Returns the text after a word that begins a citation. The word may be in any case, with or without a colon.
fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let behind = rest.strip_prefix(':').unwrap_or(rest);
    let is_word = head.eq_ignore_ascii_case(word) && behind.starts_with(char::is_whitespace);
    is_word.then(|| behind.trim_start())
}

/// The part of a citation in front of its quote.
enum CitedPlace<'t> {
    Files(&'t str),
    Line(&'t str, usize),
}

impl CitedPlace<'_> {
    fn with(self, quote: &str) -> Citation {
        let quote = quote.to_owned();
        match self {
            CitedPlace::Files(glob) => Citation::Absent { glob: glob.to_owned(), text: quote },
            CitedPlace::Line("verify", line) => Citation::Verify { line, quote },
            CitedPlace::Line(path, line) => Citation::File { path: path.to_owned(), line, quote },
        }
    }
}

/// Reads a glob, and returns it with the text from its quote on.
fn files(text: &str) -> Option<(CitedPlace<'_>, &str)> {
    let (glob, rest) = match text.strip_prefix('`') {
        Some(inner) => inner.split_once('`')?,
        None => text.split_at(text.find(opens)?),
    };
    let rest = rest.trim_start_matches(joins);
    rest.starts_with(opens).then_some((CitedPlace::Files(glob.trim()), rest))
}

/// Reads a path with a line number, and returns it with the text from its quote on: the first place that a quote follows.
fn at_line(text: &str) -> Option<(CitedPlace<'_>, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '"' | '\'' | '*'));
    let marked = mark.map_or(text, |mark| text.trim_start_matches(mark));
    // The place is before the first quotation mark. Marks that a path may contain count only from the second on.
    let second = |mark: char| marked.match_indices(mark).nth(1).map(|(at, _)| at);
    let ends = [marked.find(['"', '“']), second('`'), second('\'')];
    let end = ends.into_iter().flatten().min().unwrap_or(marked.len());
    marked[..end].match_indices([':', '#', ' ', ',', '(']).find_map(|(at, joint)| {
        // A backtick may also close the path alone: `a.rs`:3.
        let path = marked[..at].trim_end_matches([' ', '`']);
        let (line, rest) = line_number(joint, &marked[at + 1..])?;
        // A mark that opened before the place closes after it.
        let rest = match mark {
            Some(mark @ ('"' | '\'')) => rest.strip_prefix(mark)?,
            Some(mark) => rest.trim_start_matches(mark),
            None => rest,
        };
        let rest = rest.trim_start_matches(joins);
        let is_quoted =
            path.contains('`') || path.starts_with([';', ',', '&']) || path.contains('\'') && rest.starts_with('\'');
        (!path.is_empty() && !is_quoted && rest.starts_with(opens)).then_some((CitedPlace::Line(path, line), rest))
    })
}

/// Reads a line number after `joint`, and returns it with the text after it: `3`, `L3`, `line 3`, `3-9`, `3:5`.
fn line_number<'t>(joint: &str, text: &'t str) -> Option<(usize, &'t str)> {
    let word = |text: &'t str| {
        let rest = text.trim_start();
        rest.strip_prefix("lines ").or_else(|| rest.strip_prefix("line ")).or_else(|| rest.strip_prefix("Line "))
    };
    let digits = match joint {
        ":" => text.strip_prefix('L').or_else(|| word(text)).unwrap_or(text),
        "#" => text.strip_prefix('L')?,
        _ => word(text)?,
    };
    let (line, rest) = number(digits)?;
    let more = rest.strip_prefix(['-', '–', ':']).and_then(|more| number(more.strip_prefix('L').unwrap_or(more)));
    Some((line, more.map_or(rest, |(_, rest)| rest)))
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Whether a character may be between a place and its quote.
fn joins(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | ',' | '-' | '–' | '—' | '=' | ')' | '*')
}

fn opens(c: char) -> bool {
    matches!(c, '"' | '“' | '\'' | '‘' | '`')
}

/// Returns `first`, and the citations that follow it after a separator.
fn with_rest(first: Citation, rest: &str) -> Vec<Citation> {
    std::iter::once(first).chain(following(rest).unwrap_or_default()).collect()
}

fn following(rest: &str) -> Option<Vec<Citation>> {
    let rest = rest.trim_start();
    list(rest.strip_prefix([';', ',', '&']).or_else(|| rest.strip_prefix("and "))?)
}

/// Returns the quoted text at the start, and the citations after it.
fn quoted(text: &str) -> Option<(&str, Vec<Citation>)> {
    let open = text.chars().next()?;
    let close = match open {
        '“' => '”',
        '‘' => '’',
        mark => mark,
    };
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

/// Reads a path: up to white space or a separator, or between backticks or quotation marks.
fn path(text: &str) -> Option<(&str, &str)> {
    if let Some(mark @ ('`' | '"' | '\'')) = text.chars().next() {
        let (path, rest) = text[1..].split_once(mark)?;
        return (!path.is_empty()).then_some((path, rest));
    }
    let end = text.find([' ', '\t', ';', ',']).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}
