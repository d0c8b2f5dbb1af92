//! Removes a returned value or a whole statement, if the language accepts that silently.

use super::quiet::{end, is_start};
use super::{FAIR, GOOD, Rank, SURE, WEAK};
use crate::mutate::Mutation;
use crate::mutate::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::source::{TokenizedSource, is_keyword};
use crate::mutate::token::TokenKind;

pub(super) fn at(source: &TokenizedSource<'_>, at: usize, quiet: &[bool]) -> Vec<(Rank, Mutation)> {
    let all = [returned(source, at), nothing_found(source, at), call(source, at, quiet), assigned(source, at)];
    all.into_iter().flatten().collect()
}

fn mutation(source: &TokenizedSource<'_>, from: usize, to: usize, new: &str) -> Option<Mutation> {
    let range = source.bytes(from..to)?;
    Some(Mutation::new(source.text, range, source.tokens[from].line, new))
}

/// Changes `return x` to `return None`.
fn returned(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let new = match source.language {
        Python => "None",
        JavaScript => "undefined",
        Ruby => "nil",
        // PHP's declared return types reject `null`, whatever the tests check.
        Php => return None,
        Rust | Go | Shell | Java | C | Cpp => return None,
    };
    if !source.is(at, "return") {
        return None;
    }
    let end = end(source, at);
    let value = at + 1..end;
    if value.is_empty() || source.kind(at + 1) == TokenKind::Newline {
        return None;
    }
    let only = source.word(at + 1);
    let known = value.len() == 1
        && (matches!(
            only,
            "None" | "null" | "nil" | "undefined" | "NotImplemented" | "True" | "False" | "true" | "false"
        ));
    // `return a` continues if the next line starts with an operator.
    let next = source.after(end);
    let goes_on = source.language == JavaScript
        && !source.is(end, ";")
        && (source.kind(next) == TokenKind::Op && !matches!(source.word(next), "}" | ";")
            || source.kind(end - 1) == TokenKind::Op && !matches!(source.word(end - 1), ")" | "]" | "}"));
    if known
        || goes_on
        || source.language == Ruby && value.clone().any(|at| matches!(source.word(at), "if" | "unless" | "do"))
    {
        return None;
    }
    // `return x }` in a template or a one-line block ends with the block.
    Some((SURE, mutation(source, at + 1, end, new)?))
}

/// Changes `Some(x)` to `None`, if it is the value of a branch or of a block.
fn nothing_found(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    if source.language != Rust || !source.is(at, "Some") || !source.is(at + 1, "(") {
        return None;
    }
    let close = source.close(at + 1)?;
    let (last, next) = (source.before(at)?, source.after(close + 1));
    let value = source.is(last, "return") && source.is(next, ";")
        || source.is(last, "=>") && matches!(source.word(next), "," | "}")
        || matches!(source.word(last), "{" | ";" | "}") && source.is(next, "}");
    value.then(|| mutation(source, at, close + 1, "None")).flatten().map(|mutation| (GOOD, mutation))
}

/// Changes `things.append(x)` to `pass`.
fn call(source: &TokenizedSource<'_>, at: usize, quiet: &[bool]) -> Option<(Rank, Mutation)> {
    let new = match source.language {
        Python => "pass",
        JavaScript | Php | Java => "",
        Ruby => "nil",
        Rust | Go | Shell | C | Cpp => return None,
    };
    let alone = at == 0 || source.kind(at - 1) == TokenKind::Newline;
    if !alone || !is_start(source, at) || !source.is_word(at) {
        return None;
    }
    let printed = matches!(source.word(at), "print" | "puts" | "echo");
    if !printed && is_keyword(source.word(at)) || source.is(at, "super") {
        return None;
    }
    let end = end(source, at);
    let open = (at..end).find(|at| !source.is_word(*at) && !matches!(source.word(*at), "." | "->" | "::" | "?."))?;
    let whole = source.is(open, "(") && source.close(open).is_some_and(|close| close + 1 == end);
    // The call is a whole statement: `;` follows, or a new line that does not continue it.
    let ends =
        source.is(end, ";") || matches!(source.language, Python | Ruby) && source.kind(end) == TokenKind::Newline;
    let words = (at..open).filter(|at| source.is_word(*at)).count();
    if !whole || !ends || words == 0 || quiet[at] {
        return None;
    }
    Some((if printed { WEAK } else { FAIR }, mutation(source, at, end, new)?))
}

/// Changes `x = f(y)` to `x = None`.
fn assigned(source: &TokenizedSource<'_>, at: usize) -> Option<(Rank, Mutation)> {
    if source.language != Python || !is_start(source, at) || !source.is_word(at) || !source.is(at + 1, "=") {
        return None;
    }
    let end = end(source, at);
    let called = (at + 2..end).any(|at| source.is(at, "("));
    (called && source.kind(at + 2) != TokenKind::Newline)
        .then(|| mutation(source, at + 2, end, "None"))
        .flatten()
        .map(|m| (WEAK, m))
}
