//! Text of a plan, prepared for the page.

use maud::{Markup, html};

use crate::plan::text::{is_hidden, is_joiner};

/// Text on one line, with backticks as code. It has no other markup, because the exact text matters here.
pub(super) fn inline(text: &str) -> Markup {
    html! {
        @for (index, piece) in pieces(text).into_iter().enumerate() {
            @if index % 2 == 1 { code { (piece) } } @else { (piece) }
        }
    }
}

/// Alternating pieces of plain text and code; an unclosed backtick is text.
pub(in crate::report) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, code, after)) = code(rest) {
        pieces.extend([before, code]);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

fn code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, inner) = text.split_once('`')?;
    let (code, after) = inner.split_once('`').filter(|(code, _)| !code.is_empty())?;
    Some((before, code, after))
}

/// Replaces each character that is invisible, or that turns or hides the text around it, with its code: `[U+202E]`. The
/// template itself has no such characters except line breaks.
pub(in crate::report) fn visible(page: String) -> String {
    let is_shown = |character: char| {
        matches!(character, '\n' | '\t' | '\u{ad}')
            || is_joiner(character)
            || !character.is_control() && !is_hidden(character)
    };
    if page.chars().all(is_shown) {
        return page;
    }
    let mut shown = String::with_capacity(page.len() + 64);
    for character in page.chars() {
        match character {
            character if is_shown(character) => shown.push(character),
            character => shown.push_str(&format!("[U+{:04X}]", u32::from(character))),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{inline, visible};

    #[test]
    fn only_backticks_are_markup() {
        for (text, html) in [
            ("a `b` c", "a <code>b</code> c"),
            ("`<b>` & *c*", "<code>&lt;b&gt;</code> &amp; *c*"),
            ("a ` b", "a ` b"),
            ("``a``", "``a``"),
            ("", ""),
        ] {
            assert_eq!(inline(text).into_string(), html, "{text}");
        }
    }

    #[test]
    fn what_nobody_sees_is_written_as_its_code() {
        assert_eq!(visible("a\u{202e}b\u{1b}c\rd\u{feff}".to_owned()), "a[U+202E]b[U+001B]c[U+000D]d[U+FEFF]");
        let own = "👩\u{200d}💻 — \n\tSilben\u{ad}trennung";
        assert_eq!(visible(own.to_owned()), own);
    }
}
