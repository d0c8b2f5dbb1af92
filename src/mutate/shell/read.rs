//! A script with its tokens and functions.

use std::ops::Range;

use crate::mutate::source::readable;
use crate::shell::lex::{ShellToken, ShellTokenKind, tokens};

/// A function: `name() { … }`, `@test "…" { … }`.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Range<usize>,
    pub(super) open: usize,
    pub(super) close: usize,
}

pub(in crate::mutate) struct Script<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: Vec<ShellToken>,
    pub(super) functions: Vec<Function>,
}

impl<'a> Script<'a> {
    /// Reads a script; `None` if the source is not text.
    pub(in crate::mutate) fn of(source: &'a [u8]) -> Option<Script<'a>> {
        let text = readable(source)?;
        let mut script = Script { text, pieces: tokens(text), functions: Vec::new() };
        script.functions = functions(&script);
        Some(script)
    }

    /// The text of token `at`; empty past the end.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |piece| &self.text[piece.range.clone()])
    }

    /// The text of word `at` without the quotes around it; `None` if it has an expansion or is only partly quoted.
    pub(super) fn literal(&self, at: usize) -> Option<Range<usize>> {
        let piece = self.pieces.get(at).filter(|piece| piece.kind == ShellTokenKind::Word && !piece.expands)?;
        literal(self.word(at).as_bytes(), piece.range.start)
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.word(at) == text
    }

    pub(super) fn ends(&self, at: usize) -> bool {
        self.pieces.get(at).is_none_or(|piece| {
            piece.kind == ShellTokenKind::Newline
                || matches!(self.word(at), ";" | "&&" | "||" | "|" | "&" | ")" | ";;" | "|&")
        })
    }

    pub(super) fn begins(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        self.pieces.get(at).is_some_and(|piece| piece.kind == ShellTokenKind::Word)
            && (self.ends(before) && !self.is(before, ")") || self.is(before, "(") || is_keyword(self.word(before)))
    }
}

pub(super) fn is_keyword(word: &str) -> bool {
    matches!(word, "if" | "then" | "elif" | "else" | "while" | "until" | "do" | "{" | "!" | "time")
}

fn functions(script: &Script<'_>) -> Vec<Function> {
    let mut found: Vec<Function> = Vec::new();
    let mut open: Vec<(usize, Option<Range<usize>>)> = Vec::new();
    for at in 0..script.pieces.len() {
        let name = |at: usize| script.pieces.get(at).map(|piece| piece.range.clone());
        if script.is(at, "{") {
            let before = (0..at).rev().take(4).find(|at| script.pieces[*at].kind != ShellTokenKind::Newline);
            let named = match before {
                Some(close) if script.is(close, ")") && close >= 2 && script.is(close - 1, "(") => name(close - 2),
                Some(name_at) if name_at >= 1 && matches!(script.word(name_at - 1), "function" | "@test") => {
                    name(name_at)
                }
                _ => None,
            };
            open.push((at, named));
        } else if script.is(at, "}")
            && let Some((start, named)) = open.pop()
            && let Some(name) = named
        {
            found.push(Function { name, open: start, close: at });
        }
    }
    found.sort_by_key(|function| function.open);
    found
}

/// The text between the quotes of a fully quoted word, or the word itself if it has no special characters.
fn literal(word: &[u8], start: usize) -> Option<Range<usize>> {
    let end = start + word.len();
    match word {
        [quote @ (b'\'' | b'"'), body @ .., last] if quote == last => {
            (!body.contains(quote) && !body.contains(&b'\\')).then_some(start + 1..end - 1)
        }
        word => {
            let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_./:,=+@%-".contains(b) || *b >= 0x80;
            (!word.is_empty() && word.iter().all(plain)).then_some(start..end)
        }
    }
}
