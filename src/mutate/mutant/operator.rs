//! Replaces one operator or literal with another.

use super::{FAIR, GOOD, LAST, Rank, SURE, WEAK};
use crate::mutate::Mutation;
use crate::mutate::language::Language::{self, C, Cpp, Go, Php, Python, Ruby, Rust};
use crate::mutate::literal::{Distance, bump, flipped, opposite};
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Pairs of operators that decide or calculate the opposite of each other.
const OPPOSITES: [&str; 9] = ["== !=", "=== !==", "< >=", "> <=", "&& ||", "and or", "++ --", "+= -=", "*= /="];

pub(super) fn at(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let made = |rank: Rank, new: &str| {
        let token = &source.tokens[at];
        Some((rank, Mutation::new(source.text, token.range.clone(), token.line, new)))
    };
    let word = source.word(at);
    match source.kind(at) {
        TokenKind::Op => match word {
            "!" => negation(source, at),
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "===" | "!==" => made(SURE, compared(source, at)?),
            "&&" | "||" => made(SURE, joined(source, at)?),
            "+" | "-" | "*" | "/" | "%" | "//" => made(GOOD, calculated(source, at)?),
            "+=" | "-=" | "*=" | "/=" => made(GOOD, added(source, at)?),
            "++" | "--" => made(FAIR, opposite(&OPPOSITES, word)?),
            _ => None,
        },
        TokenKind::Word => match word {
            "and" | "or" if matches!(source.language, Python | Ruby | Php) => made(SURE, opposite(&OPPOSITES, word)?),
            "not" if source.language == Python => not(source, at),
            "in" if source.language == Python && is_membership(source, at) => made(SURE, "not in"),
            "is" if source.language == Python && !source.is(at + 1, "not") => made(SURE, "is not"),
            "unless" if source.language == Ruby => made(SURE, "if"),
            _ => {
                let named = at > 0 && source.is(at - 1, "=") && source.language == Python;
                made(if named { WEAK } else { SURE }, flipped(word)?)
            }
        },
        TokenKind::Number => number(source, at),
        TokenKind::Text | TokenKind::Char => text(source, at),
        _ => None,
    }
}

fn before(source: &TokenizedSource<'_>, at: usize) -> usize {
    source.before(at).unwrap_or(usize::MAX)
}

/// True if a value ends before the token and another begins after it, at the same bracket level.
fn is_binary(source: &TokenizedSource<'_>, at: usize) -> bool {
    let next = source.after(at + 1);
    let begins = source.is_value(next) && !matches!(source.word(next), ")" | "]")
        || source.kind(next) == TokenKind::Op && matches!(source.word(next), "(" | "[" | "-" | "!" | "*" | "&" | "$")
        || source.is_word(next) && matches!(source.word(next), "await" | "not" | "new" | "typeof");
    source.is_value(before(source, at)) && begins
}

fn compared(source: &TokenizedSource<'_>, at: usize) -> Option<&'static str> {
    let word = source.word(at);
    let angle = matches!(word, "<" | ">");
    let operator = source.is(before(source, at), "operator");
    if operator
        || !is_binary(source, at) && !is_next_to_keyword(source, at)
        || angle && source.language.has_generics() && !source.is_spaced(at)
    {
        return None;
    }
    opposite(&OPPOSITES, word)
}

/// True for `x == nil` and `x == {…}`, whose right side is a value too.
fn is_next_to_keyword(source: &TokenizedSource<'_>, at: usize) -> bool {
    let next = source.after(at + 1);
    source.is_value(before(source, at)) && (source.is_word(next) || source.is(next, "{") || source.is(next, "&"))
}

fn joined(source: &TokenizedSource<'_>, at: usize) -> Option<&'static str> {
    if !source.is_value(before(source, at)) && !source.is(before(source, at), "}") {
        return None;
    }
    let line = source.tokens[at].line;
    let around = at.saturating_sub(40)..(at + 40).min(source.len());
    // `if let … && …` cannot have `||`; `??` allows neither operator next to it.
    let odd =
        |other: usize| source.tokens[other].line == line && matches!(source.word(other), "let" | "??" | "matches");
    if around.into_iter().any(odd) || source.language.has_generics() && !source.is_spaced(at) {
        return None;
    }
    opposite(&OPPOSITES, source.word(at))
}

/// Replaces arithmetic between two values that are not texts.
fn calculated(source: &TokenizedSource<'_>, at: usize) -> Option<&'static str> {
    let (left, right) = (before(source, at), source.after(at + 1));
    let kinds = [source.kind(left), source.kind(right)];
    if !is_binary(source, at) || kinds.contains(&TokenKind::Text) || source.is(right, "&") {
        return None;
    }
    let number = kinds.contains(&TokenKind::Number);
    // The spaces must be even: `a - b`, `a-b`, not `f -b`.
    let [before, after] = source.spaces(at);
    let even = before == after;
    Some(match source.word(at) {
        // `+` can also join texts and lists; a language that checks types would report the error before any test.
        "+" if source.language.is_compiled() && !number && !matches!(source.language, Rust | C) => return None,
        "+" if source.is(left, "]") || source.is(right, "[") => return None,
        "+" => "-",
        "-" if !even => return None,
        "-" => "+",
        "*" if !even || matches!(source.language, C | Cpp | Go) && !source.is_spaced(at) && !number => return None,
        "*" => "/",
        "/" | "//" => "*",
        "%" if source.language == Ruby && !source.is_spaced(at) => return None,
        _ => "*",
    })
}

fn added(source: &TokenizedSource<'_>, at: usize) -> Option<&'static str> {
    let next = source.after(at + 1);
    let number = source.kind(next) == TokenKind::Number;
    let text = source.kind(next) == TokenKind::Text || source.is(next, "&") || source.is(next, "[");
    let may_be_text = text || source.language.is_compiled() && !number && !matches!(source.language, Rust | C);
    if may_be_text && source.is(at, "+=") { None } else { opposite(&OPPOSITES, source.word(at)) }
}

/// Changes `!x` to `x`; not in `x!`, `name!(…)` or `!!x`.
fn negation(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let token = &source.tokens[at];
    let glued = at > 0 && source.tokens[at - 1].range.end == token.range.start && source.is_value(at - 1);
    let operand = source.is_word(at + 1) || source.is(at + 1, "(");
    if glued || !operand || source.tokens[at + 1].range.start != token.range.end {
        return None;
    }
    Some((SURE, Mutation::new(source.text, token.range.clone(), token.line, "")))
}

/// Changes `not x` to `x`, `is not` to `is`, `not in` to `in`.
fn not(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let token = &source.tokens[at];
    let next = source.tokens.get(at + 1).filter(|next| next.line == token.line)?;
    Some((SURE, Mutation::new(source.text, token.range.start..next.range.start, token.line, "")))
}

/// True for `x in y`, except in `for x in y` and `not in`.
fn is_membership(source: &TokenizedSource<'_>, at: usize) -> bool {
    let line = source.tokens[at].line;
    let earlier = (at.saturating_sub(60)..at).rev().take_while(|other| source.tokens[*other].line == line);
    !source.is(at.wrapping_sub(1), "not") && !earlier.into_iter().any(|other| source.is(other, "for"))
}

fn number(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let (last, next) = (before(source, at), source.after(at + 1));
    let beside = |words: &[&str]| words.iter().any(|word| source.is(last, word) || source.is(next, word));
    // Patterns, labels, array lengths in types, tuple fields.
    if beside(&["=>", "|", "..", "..=", "...", "case", "."]) && !source.is(next, ".") || source.is(last, ".") {
        return None;
    }
    let index = source.is(last, "[") && source.is(next, "]");
    if source.is(last, ";") && source.is(next, "]") || index && matches!(source.language, C | Cpp | Go | Language::Java)
    {
        return None;
    }
    let weak = index || beside(&["==", "!=", "<", ">", "<=", ">=", "===", "!==", "*", "/"]);
    Some((if weak { WEAK } else { FAIR }, bump(source, at, Distance::Next)?))
}

/// Words for texts that people read: messages, help, logs.
const TELLING: [&str; 22] = [
    "raise", "throw", "expect", "panic", "context", "help", "description", "message", "msg", "usage", "Err", "bail",
    "anyhow", "exit", "die", "abort", "fatal", "Errorf", "errors", "warn", "log", "logger",
];

/// Changes a text that is a value, not a docstring, an error message or a help text.
fn text(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let last = source.before(at)?;
    let alone = source.kind(at.checked_sub(1)?) == TokenKind::Newline
        && source.kind(at + 1) == TokenKind::Newline
        && !source.is(last, ",");
    let line = source.tokens[at].line;
    let told = |other: usize| {
        let word = source.word(other);
        source.tokens[other].line == line
            && source.is_word(other)
            && (TELLING.contains(&word) || word.ends_with("Error") || word.ends_with("Exception"))
    };
    let near = at.saturating_sub(30)..at;
    if alone || near.into_iter().any(told) || source.is(last, "case") || source.is(at + 1, "=>") {
        return None;
    }
    Some((LAST, bump(source, at, Distance::Next)?))
}
