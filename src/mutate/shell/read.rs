//! Reads a script as words and operators, in one pass, without recursion, even if quotes are open at the end.

use std::ops::Range;

use crate::mutate::source::readable;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShellTokenKind {
    Word,
    Op,
    Newline,
}

/// A word, an operator or a line end.
#[derive(Clone, Debug)]
pub(super) struct ShellToken {
    pub(super) kind: ShellTokenKind,
    pub(super) range: Range<usize>,
    /// The text of a word without quotes; none if the word has an expansion.
    pub(super) literal: Option<Range<usize>>,
    pub(super) line: usize,
}

/// A function: `name() { … }`, `@test "…" { … }`.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Range<usize>,
    /// The token `{`.
    pub(super) open: usize,
    /// The token `}`.
    pub(super) close: usize,
}

/// A script with its tokens.
pub(super) struct Script<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: Vec<ShellToken>,
    pub(super) functions: Vec<Function>,
}

impl<'a> Script<'a> {
    /// None if the source is not text.
    pub(super) fn of(source: &'a [u8]) -> Option<Script<'a>> {
        let text = readable(source)?;
        let mut reader = Reader { bytes: source, at: 0, line: 1, pieces: Vec::new(), documents: Vec::new() };
        reader.read();
        let mut script = Script { text, pieces: reader.pieces, functions: Vec::new() };
        script.functions = functions(&script);
        Some(script)
    }

    /// The text of token `at`; empty past the end.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |piece| &self.text[piece.range.clone()])
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.word(at) == text
    }

    /// Whether a command ends at `at`.
    pub(super) fn ends(&self, at: usize) -> bool {
        self.pieces.get(at).is_none_or(|piece| {
            piece.kind == ShellTokenKind::Newline
                || matches!(self.word(at), ";" | "&&" | "||" | "|" | "&" | ")" | ";;" | "|&")
        })
    }

    /// Whether a command begins at `at`.
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

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    pieces: Vec<ShellToken>,
    /// Here documents that begin on the next line: the end word of each, and whether leading tabs are removed.
    documents: Vec<(Vec<u8>, bool)>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn step(&mut self) {
        if self.peek(0) == b'\n' {
            self.line += 1;
        }
        self.at = (self.at + 1).min(self.bytes.len());
    }

    fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn push(&mut self, kind: ShellTokenKind, start: usize, line: usize, literal: Option<Range<usize>>) {
        self.pieces.push(ShellToken { kind, range: start..self.at, literal, line });
    }

    fn read(&mut self) {
        while !self.is_done() {
            let (start, line) = (self.at, self.line);
            match self.peek(0) {
                b' ' | b'\t' | b'\r' => self.step(),
                b'\\' if self.peek(1) == b'\n' => {
                    self.step();
                    self.step();
                }
                b'#' => {
                    while !self.is_done() && self.peek(0) != b'\n' {
                        self.step();
                    }
                }
                b'\n' => {
                    self.step();
                    self.push(ShellTokenKind::Newline, start, line, None);
                    self.skip_documents();
                }
                b'<' if self.peek(1) == b'<' && self.peek(2) != b'<' => self.document(),
                b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => {
                    let pair = [self.peek(0), self.peek(1)];
                    self.step();
                    if matches!(
                        &pair,
                        b"&&" | b"||" | b";;" | b"|&" | b">>" | b">&" | b"<&" | b"&>" | b"<<" | b">|" | b"<>"
                    ) {
                        self.step();
                    }
                    self.push(ShellTokenKind::Op, start, line, None);
                }
                _ => self.word(),
            }
        }
    }

    /// `<<'EOF'`: remembered until the end of the line.
    fn document(&mut self) {
        let (start, line) = (self.at, self.line);
        self.step();
        self.step();
        let tabs = self.peek(0) == b'-';
        if tabs {
            self.step();
        }
        while matches!(self.peek(0), b' ' | b'\t') {
            self.step();
        }
        let from = self.at;
        while !self.is_done() && !matches!(self.peek(0), b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b')' | b'<' | b'>')
        {
            self.step();
        }
        let end: Vec<u8> =
            self.bytes[from..self.at].iter().copied().filter(|b| !matches!(b, b'\'' | b'"' | b'\\')).collect();
        self.push(ShellTokenKind::Op, start, line, None);
        if !end.is_empty() {
            self.documents.push((end, tabs));
        }
    }

    fn skip_documents(&mut self) {
        for (end, tabs) in std::mem::take(&mut self.documents) {
            while !self.is_done() {
                let from = self.at;
                while !self.is_done() && self.peek(0) != b'\n' {
                    self.step();
                }
                let line = &self.bytes[from..self.at];
                let blank = line.iter().take_while(|b| tabs && **b == b'\t').count();
                self.step();
                if line[blank..] == end[..] {
                    break;
                }
            }
        }
    }

    /// Reads a word with all its quotes and expansions.
    fn word(&mut self) {
        let (start, line) = (self.at, self.line);
        let mut nested: Vec<u8> = Vec::new();
        let mut expands = false;
        while !self.is_done() {
            let byte = self.peek(0);
            let inside = nested.last().copied();
            match (inside, byte) {
                (None, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') => break,
                (_, b'\\') => self.step(),
                (Some(b'"'), b'"') => drop(nested.pop()),
                (Some(b')'), b')') | (Some(b'}'), b'}') | (Some(b'`'), b'`') => drop(nested.pop()),
                (Some(b')'), b'(') => nested.push(b')'),
                (Some(b'"'), b'\'') => {}
                (_, b'\'') => {
                    self.step();
                    while !self.is_done() && self.peek(0) != b'\'' {
                        self.step();
                    }
                }
                (_, b'"') => nested.push(b'"'),
                (_, b'`') => {
                    expands = true;
                    nested.push(b'`');
                }
                (_, b'$') => {
                    expands = true;
                    match self.peek(1) {
                        b'(' => {
                            self.step();
                            nested.push(b')');
                        }
                        b'{' => {
                            self.step();
                            nested.push(b'}');
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
            self.step();
        }
        let literal = (!expands).then(|| literal(&self.bytes[start..self.at], start)).flatten();
        self.push(ShellTokenKind::Word, start, line, literal);
    }
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
