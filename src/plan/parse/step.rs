//! Reads the text after a checkbox: number, text, `(after …)`, `(run: …)`, outcome (`FORMAT.md`, step).

use std::ops::Range;

/// The parts of a step's line, as byte ranges of the text after the checkbox and one space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The number of `N. ` at the start.
    pub number: Option<u32>,
    /// The text, trimmed.
    pub text: Range<usize>,
    /// The command of `(run: …)`, trimmed.
    pub run: Option<Range<usize>>,
    /// The text between `(after ` and `)`.
    pub after: Option<Range<usize>>,
    /// One past the last visible byte before the dash: text, `(run: …)` and `(after …)`.
    pub head_end: usize,
    /// The text after the first ` — `, trimmed; `None` if there is none.
    pub outcome: Option<Range<usize>>,
}

const DASH: &str = "\u{2014}";

/// Returns the place of the dash that ends the text: the first dash between spaces. White space at the end of a line
/// does not matter, and the space before the first word belongs to the checkbox.
fn dash(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    memchr::memchr_iter(DASH.as_bytes()[0], bytes).find(|&at| {
        let spaced = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b' ');
        let Some(behind) = bytes[at..].strip_prefix(DASH.as_bytes()) else { return false };
        spaced(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && (spaced(behind.first()) || behind.trim_ascii().is_empty())
    })
}

/// Splits a step's line into its parts. The text ends at its first ` — `; `(after 1, 3)` and `(run: …)` are read from
/// the end of the text, in any order, once each. An option with a backslash before its parenthesis is plain text.
pub fn split(rest: &str) -> Parts {
    let (head, outcome) = match dash(rest) {
        Some(at) => (&rest[..at], Some(trimmed(rest, at + DASH.len()..rest.len()))),
        None => (rest, None),
    };
    let (number, from) = number(head);
    let mut parts = Parts { number, outcome: outcome.filter(|range| !range.is_empty()), ..Parts::default() };
    let head = trimmed(rest, from..head.len());
    parts.head_end = if head.is_empty() { from.min(head.end) } else { head.end };
    let mut end = head.end;
    while let Some((kind, opening, inner)) = tail(&rest[head.start..end]) {
        let inner = inner.start + head.start..inner.end + head.start;
        let slot = if kind == Tail::After { &mut parts.after } else { &mut parts.run };
        if slot.is_some() {
            break;
        }
        *slot = Some(inner);
        end = trimmed(rest, head.start..head.start + opening).end;
    }
    parts.text = head.start..end.max(head.start);
    parts
}

/// The contents of the `(after …)` and the `(run: …)` at the end of a step's text. A command that is given a text with
/// such an option keeps it as plain text.
pub fn options_at_end(text: &str) -> (Option<&str>, Option<&str>) {
    let parts = split(text);
    let inside = |range: Option<Range<usize>>| range.and_then(|range| text.get(range));
    (inside(parts.after), inside(parts.run))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    After,
    Run,
}

/// The `(after …)` or `(run: …)` at the end of `text`: its opening, and the range of its content.
fn tail(text: &str) -> Option<(Tail, usize, Range<usize>)> {
    let body = text.strip_suffix(')')?;
    let opening = |word: &str| body.rfind(word).filter(|&at| !body[..at].ends_with('\\'));
    if let Some(at) = opening("(after ") {
        let inner = &body[at + "(after ".len()..];
        let list = inner.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'\t'));
        if list && inner.bytes().any(|byte| byte.is_ascii_digit()) {
            return Some((Tail::After, at, at + "(after ".len()..body.len()));
        }
    }
    let at = opening("(run:")?;
    let inner = trimmed(text, at + "(run:".len()..body.len());
    (!inner.is_empty()).then_some((Tail::Run, at, inner))
}

/// The number of `N. ` before the text, and where the text begins.
fn number(head: &str) -> (Option<u32>, usize) {
    let from = head.len() - head.trim_ascii_start().len();
    let digits = head[from..].bytes().take_while(u8::is_ascii_digit).count();
    let dot = from + digits;
    let spaced = matches!(head.as_bytes().get(dot + 1), None | Some(b' ' | b'\t' | b'\r'));
    if !(1..=9).contains(&digits) || head.as_bytes().get(dot) != Some(&b'.') || !spaced {
        return (None, from);
    }
    (head[from..dot].parse().ok(), dot + 1)
}

/// `range` of `text` without white space around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let front = inner.len() - inner.trim_ascii_start().len();
    let length = inner.trim_ascii().len();
    range.start + front..range.start + front + length
}
