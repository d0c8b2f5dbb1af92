//! Functions of JavaScript and TypeScript.

use super::Function;
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Words that stand before `(` or a name and define no function.
const KEYWORDS: [&str; 11] =
    ["if", "for", "while", "switch", "catch", "with", "function", "await", "return", "super", "of"];
/// The most tokens of a type that are read at its own level.
const TYPE: usize = 60;
/// The most tokens of a value that are read at its own level, and the most line ends in a row.
const VALUE: usize = 400;
const BLANK: usize = 100;
/// Words that end a line of code which looks like a function with a type: `a ? f(b) : c`.
const STATEMENTS: [&str; 15] = [
    "if", "for", "while", "switch", "const", "let", "var", "try", "class", "case", "else", "do", "function", "return",
    "new",
];

/// Returns the function whose name is at `at`: `function f() {`, a method `f() {`, `f = () => {`, `f = function () {`,
/// `f = (a) => a + 1`, each with or without types.
pub(super) fn function(source: &TokenizedSource<'_>, at: usize) -> Option<Function> {
    if !source.is_word(at) || KEYWORDS.contains(&source.word(at)) {
        return None;
    }
    let mut open = at + 1;
    let is_value = source.is(open, "=");
    let mut is_named = !is_value;
    if is_value {
        open += 1;
        open += usize::from(source.is(open, "async"));
        is_named = source.is(open, "function");
        open += usize::from(is_named);
    }
    open = after_parameters_of_types(source, open)?;
    let end = if source.is(open, "(") { source.close(open)? } else { open };
    let body = after_type(source, end + 1)?;
    if is_value && source.is(body, "=>") {
        let is_block = source.is(body + 1, "{");
        let end = if is_block { source.close(body + 1)? + 1 } else { end_of_value(source, body + 1)? };
        return Some(Function { name: at, open: body + usize::from(is_block), end });
    }
    let is_function = is_named && source.is(open, "(") && source.is(body, "{");
    is_function.then_some(Function { name: at, open: body, end: source.close(body)? + 1 })
}

/// Returns the token behind `<T>`, or `at` if there is none.
fn after_parameters_of_types(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    if !source.is(at, "<") {
        return Some(at);
    }
    let mut depth = 0;
    (at..at + TYPE).find(|here| angles(source, *here, &mut depth) == 0).map(|end| end + 1)
}

/// Adds the angle bracket at `at` to their depth.
fn angles(source: &TokenizedSource<'_>, at: usize, depth: &mut i32) -> i32 {
    *depth += match source.word(at) {
        "<" => 1,
        ">" => -1,
        ">>" => -2,
        _ => 0,
    };
    *depth
}

/// Returns the `{` or `=>` behind a declared type, or `at` if none is declared there.
fn after_type(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    if !source.is(at, ":") {
        return Some(at);
    }
    // A type of a function has an arrow of its own.
    if source.is(at + 1, "(") {
        return None;
    }
    let (mut here, mut depth) = (at + 1, 0);
    for _ in 0..TYPE {
        let is_outside = angles(source, here, &mut depth) == 0;
        let is_in_type = || matches!(source.word(here - 1), ":" | "|" | "&");
        match source.word(here) {
            "=>" if is_outside => return Some(here),
            "{" if is_outside && !is_in_type() => return Some(here),
            "" | ";" | "=" | "}" | "?" => return None,
            word if STATEMENTS.contains(&word) => return None,
            _ => here = source.close(here).unwrap_or(here) + 1,
        }
    }
    None
}

/// Returns the token behind the value of an arrow function without braces.
fn end_of_value(source: &TokenizedSource<'_>, first: usize) -> Option<usize> {
    let is_bracket = |at: usize| matches!(source.word(at), ")" | "]" | "}");
    let goes_on = |at: usize| source.kind(at) == TokenKind::Op && !is_bracket(at);
    let (mut at, mut last) = (first, first.checked_sub(1)?);
    for _ in 0..VALUE {
        match source.kind(at) {
            TokenKind::Op if is_bracket(at) || matches!(source.word(at), ";" | ",") => break,
            TokenKind::Newline => {
                let next = (at..source.len().min(at + BLANK)).find(|at| source.kind(*at) != TokenKind::Newline);
                match next.filter(|next| goes_on(last) || goes_on(*next)) {
                    Some(next) => at = next,
                    None => break,
                }
            }
            _ => {
                last = source.close(at).unwrap_or(at);
                at = last + 1;
            }
        }
    }
    (at > first && last >= first).then_some(at)
}
