//! Finds and removes the parts of a JSON text that a client's reader does not accept.

use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};

use super::{value, within};
use crate::host::setup::JsonDialect;
use crate::settings::edit::Edit;

const BOM: &str = "\u{feff}";

/// A part of a text that belongs to no value, such as a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::settings) struct Unsupported {
    /// The position of the part, in bytes.
    range: Range<usize>,
    /// The name of the part, in words.
    pub(in crate::settings) what: &'static str,
}

impl Unsupported {
    /// Returns the line that the part begins on, from 1.
    pub(in crate::settings) fn line(&self, text: &str) -> usize {
        text[..self.range.start].matches('\n').count() + 1
    }
}

/// Returns everything in `text` that `dialect` does not allow, in the order of the text.
///
/// # Errors
/// The mistake in the text, in one line.
pub(in crate::settings) fn beyond(text: &str, dialect: JsonDialect) -> Result<Vec<Unsupported>, String> {
    let body = text.strip_prefix(BOM).unwrap_or(text);
    let front = text.len() - body.len();
    let collect = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: true };
    let parsed = parse_to_ast(body, &collect, &within()).map_err(|error| error.to_string())?;
    let tokens = parsed.tokens.unwrap_or_default();
    let is_close = |token: &Token<'_>| matches!(token, Token::CloseBrace | Token::CloseBracket);
    let trailing = tokens.windows(2).filter(|two| two[0].token == Token::Comma && is_close(&two[1].token));
    let mut found = Vec::new();
    let mut add = |range: Range<usize>, what| found.push(Unsupported { range, what });
    if front > 0 && !dialect.byte_order_mark {
        add(0..front, "a byte order mark");
    }
    if !dialect.trailing_commas {
        trailing.for_each(|two| add(front + two[0].range.start..front + two[0].range.end, "a trailing comma"));
    }
    if !dialect.comments {
        let comments = parsed.comments.iter().flatten().flat_map(|(_, few)| few.iter()).map(Ranged::range);
        comments.for_each(|range| add(front + range.start..front + range.end, "a comment"));
    }
    found.sort_by_key(|part| part.range.start);
    found.dedup();
    Ok(found)
}

/// Returns the edits that remove `parts`; a part that is alone on its lines is removed with them. The values stay the same.
///
/// # Errors
/// As [`beyond`].
pub(in crate::settings) fn without(text: &str, parts: &[Unsupported]) -> Result<Vec<Edit>, String> {
    let cut = |part: &Unsupported| {
        let range = around(text, &part.range);
        Edit { at: range.start, old: text[range].to_owned(), new: String::new() }
    };
    let edits: Vec<Edit> = parts.iter().rev().map(cut).collect();
    let after = super::apply(text, &edits).ok_or("an edit does not fit")?;
    let body = |text: &str| value(text.strip_prefix(BOM).unwrap_or(text));
    match body(&after)? == body(text)? {
        true => Ok(edits),
        false => Err("it cannot be removed without changing entries".to_owned()),
    }
}

/// Returns the whole lines of a part that is alone on them; else the part and the white space before it.
fn around(text: &str, range: &Range<usize>) -> Range<usize> {
    let front = text[..range.start].trim_end_matches([' ', '\t']);
    let rest = text[range.end..].trim_start_matches([' ', '\t', '\r']);
    match (front.is_empty() || front.ends_with('\n'), rest.strip_prefix('\n')) {
        (true, Some(rest)) => front.len()..text.len() - rest.len(),
        _ => front.len()..range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::edit::{apply, undo};

    const PLAIN: JsonDialect = JsonDialect { comments: false, trailing_commas: false, byte_order_mark: false };

    fn found(text: &str, dialect: JsonDialect) -> Vec<(usize, &'static str)> {
        beyond(text, dialect).unwrap().iter().map(|part| (part.line(text), part.what)).collect()
    }

    #[test]
    fn what_a_reader_does_not_take_is_found_by_its_line() {
        let text = "\u{feff}{\n  // a\n  \"a\": [1, /* b\n c */ 2,],\n  \"b\": \"// no, /* no */ ,]\",\n}\n";
        let all = [
            (1, "a byte order mark"),
            (2, "a comment"),
            (3, "a comment"),
            (4, "a trailing comma"),
            (5, "a trailing comma"),
        ];
        assert_eq!(found(text, PLAIN), all);
        assert_eq!(found(text, JsonDialect { comments: true, ..PLAIN }), [all[0], all[3], all[4]]);
        assert_eq!(found(text, JsonDialect { trailing_commas: true, byte_order_mark: true, ..PLAIN }), all[1..3]);
        assert_eq!(found(text, JsonDialect::ANY), []);
        assert_eq!(found("{}", PLAIN), []);
        assert!(beyond("{ \"a\": }", PLAIN).is_err());
    }

    #[test]
    fn what_is_taken_out_can_be_put_back() {
        for (text, expected) in [
            ("{\n  // mine\n  \"a\": 1, // two\n}\n", "{\n  \"a\": 1\n}\n"),
            ("\u{feff}{ /* a */ \"b\": [ 1, ], }", "{ \"b\": [ 1 ] }"),
            ("{\r\n  /* a\r\n b */\r\n  \"a\": 1\r\n}\r\n// end", "{\r\n  \"a\": 1\r\n}\r\n"),
            ("// only\n", ""),
        ] {
            let edits = without(text, &beyond(text, PLAIN).unwrap()).unwrap();
            let after = apply(text, &edits).unwrap();
            assert_eq!(after, expected);
            assert_eq!(undo(&after, &edits).as_deref(), Some(text));
            assert_eq!(found(&after, PLAIN), []);
        }
    }
}
