//! The output of the lexers: tokens of the source with their places, without comments.

use std::ops::Range;

use crate::shell::lex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number, including its suffix.
    Number,
    /// A string of any form, including quotes and prefix.
    Text,
    /// One character in single quotes.
    Char,
    /// An operator or a bracket.
    Op,
    /// The end of a line.
    Newline,
    /// A token to leave alone: a regular expression, a lifetime, a here document.
    Other,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Its place, in bytes.
    pub(super) range: Range<usize>,
    /// The text between the quotes, or the whole range if there are no quotes.
    pub(super) body: Range<usize>,
    /// A string without interpolation.
    pub(super) plain: bool,
    /// A string in which a backslash has no meaning.
    pub(super) raw: bool,
    /// Its line, counted from 1.
    pub(super) line: usize,
}

pub(super) type Cursor<'a> = lex::Cursor<'a, Token>;

impl Cursor<'_> {
    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.bytes[self.at.min(self.bytes.len())..].starts_with(text.as_bytes())
    }

    pub(super) fn skip_line(&mut self) {
        self.skip_while(|b| b != b'\n');
    }

    /// Advances past `end`, or to the end of the file.
    pub(super) fn skip_past(&mut self, end: &str) {
        while !self.is_done() && !self.starts_with(end) {
            self.step();
        }
        self.skip(end.len());
    }

    /// Adds the token from `start` to here.
    pub(super) fn push(&mut self, kind: TokenKind, start: usize, line: usize) {
        self.push_text(kind, start, start..self.at, line, true, false);
    }

    /// Adds the string from `start` to here with its `body`.
    pub(super) fn push_text(
        &mut self,
        kind: TokenKind,
        start: usize,
        body: Range<usize>,
        line: usize,
        plain: bool,
        raw: bool,
    ) {
        let body = body.start.min(self.at)..body.end.clamp(body.start.min(self.at), self.at);
        self.tokens.push(Token { kind, range: start..self.at, body, plain, raw, line });
    }

    /// Reads a string whose body begins `open` bytes from here and goes up to `end`.
    pub(super) fn text(&mut self, open: usize, end: &str, raw: bool) {
        let (start, line) = (self.at, self.line);
        self.skip(open);
        let body = self.at;
        while !self.is_done() && !self.starts_with(end) {
            self.skip(if !raw && self.peek(0) == b'\\' { 2 } else { 1 });
        }
        let body = body..self.at;
        self.skip(end.len());
        self.push_text(TokenKind::Text, start, body, line, true, raw);
    }

    /// Reads a line end, if there is one here.
    pub(super) fn newline(&mut self) -> bool {
        if self.peek(0) != b'\n' {
            return false;
        }
        let (start, line) = (self.at, self.line);
        self.step();
        self.push(TokenKind::Newline, start, line);
        true
    }

    /// Reads a number such as `1`, `0xff_u8`, `1.5e-3` or `1_000n`, if there is one here.
    pub(super) fn number(&mut self) -> bool {
        let (start, line) = (self.at, self.line);
        if !self.peek(0).is_ascii_digit() {
            return false;
        }
        let hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        loop {
            let byte = self.peek(0);
            let exponent = !hex && matches!(byte, b'e' | b'E') && matches!(self.peek(1), b'+' | b'-');
            let fraction = byte == b'.' && self.peek(1).is_ascii_digit();
            let separator = byte == b'\'' && self.peek(1).is_ascii_hexdigit() && self.peek(2) != b'\'';
            if exponent || separator {
                self.skip(2);
            } else if byte.is_ascii_alphanumeric() || byte == b'_' || fraction {
                self.step();
            } else {
                break;
            }
        }
        // `1.` is a number too; `1..2` and `1.abs()` are not.
        if self.peek(0) == b'.' && !is_word(self.peek(1)) && self.peek(1) != b'.' {
            self.step();
        }
        self.push(TokenKind::Number, start, line);
        true
    }

    /// Reads a name, if there is one here.
    pub(super) fn word(&mut self) -> bool {
        let (start, line) = (self.at, self.line);
        self.skip_while(is_word);
        if self.at == start {
            return false;
        }
        self.push(TokenKind::Word, start, line);
        true
    }

    /// Reads any other character as the longest operator that fits.
    pub(super) fn operator(&mut self) {
        let (start, line) = (self.at, self.line);
        let length = OPERATORS.iter().find(|op| self.starts_with(op)).map_or(1, |op| op.len());
        self.skip(length);
        self.push(TokenKind::Op, start, line);
    }

    /// The last token that is not a line end.
    pub(super) fn last(&self) -> Option<&Token> {
        self.tokens.iter().rev().find(|token| token.kind != TokenKind::Newline)
    }
}

/// Operators of three and two characters, the longest first.
const OPERATORS: [&str; 46] = [
    ">>>=", "<<=", ">>=", ">>>", "===", "!==", "**=", "...", "..=", "<=>", "&&=", "||=", "??=", "//=", "=~", "!~",
    "==", "!=", "<=", ">=", "&&", "||", "??", "->", "=>", "::", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "++", "--", "..", "?.", "?:", "<-", "**", "//", "!!",
];

/// True if the byte is part of a name; every byte of a character outside ASCII is.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
