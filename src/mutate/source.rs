//! A source as tokens, with the queries that the searches for literals and mutants use.

use std::ops::Range;

use super::language::Language;
use super::lex;
use super::token::{Token, TokenKind};

/// The longest source that is read, in bytes; a longer one gives no results.
const LONGEST: usize = 1024 * 1024;

pub(super) struct TokenizedSource<'a> {
    pub(super) text: &'a str,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token>,
    partner: Vec<Option<usize>>,
}

impl<'a> TokenizedSource<'a> {
    /// Reads a source; `None` if it is too long, not UTF-8 or not text.
    pub(super) fn of(language: Language, source: &'a [u8]) -> Option<TokenizedSource<'a>> {
        let text = readable(source)?;
        let tokens = lex::tokens(language, text);
        let partner = partners(text, &tokens);
        Some(TokenizedSource { text, language, tokens, partner })
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The text of token `at`; empty past the end.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    pub(super) fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::Newline, |token| token.kind)
    }

    /// True if token `at` is the operator or word `text`; a string with this text does not count.
    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        matches!(self.kind(at), TokenKind::Op | TokenKind::Word) && self.word(at) == text
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == TokenKind::Word
    }

    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partner.get(at).copied().flatten()
    }

    /// The closing bracket of the one that opens at `at`.
    pub(super) fn close(&self, at: usize) -> Option<usize> {
        self.partner(at).filter(|close| *close > at)
    }

    /// The brackets around the body of a program's main function.
    pub(super) fn main_brackets(&self) -> Option<(usize, usize)> {
        let main = (0..self.len()).find(|at| self.is(*at, "main") && self.is(at + 1, "("))?;
        let open = self.after(self.close(main + 1)?);
        // Java may declare exceptions in between.
        let open = (open..open + 8).find(|at| self.is(*at, "{"))?;
        Some((open, self.close(open)?))
    }

    /// The last token before `at` that is not a line end.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|at| self.kind(*at) != TokenKind::Newline)
    }

    /// The first token from `at` on that is not a line end.
    pub(super) fn after(&self, at: usize) -> usize {
        (at..self.len()).find(|at| self.kind(*at) != TokenKind::Newline).unwrap_or(self.len())
    }

    /// True if a value is at `at`: a name that is not a keyword, a literal, or a closing bracket.
    pub(super) fn is_value(&self, at: usize) -> bool {
        match self.kind(at) {
            TokenKind::Word => !is_keyword(self.word(at)),
            TokenKind::Number | TokenKind::Text | TokenKind::Char => true,
            TokenKind::Op => matches!(self.word(at), ")" | "]"),
            TokenKind::Newline | TokenKind::Other => false,
        }
    }

    /// The tokens of `range` at its own level, without the content of brackets and without line ends.
    pub(super) fn top(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let here = at;
                at = self.close(at).map_or(at, |close| close.min(range.end)) + 1;
                if self.kind(here) != TokenKind::Newline {
                    return Some(here);
                }
            }
            None
        })
    }

    /// Splits `range` at those tokens of its own level whose text is in `at`.
    pub(super) fn split(&self, range: Range<usize>, at: &[&str]) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for piece in self.top(range.clone()).filter(|piece| at.iter().any(|text| self.is(*piece, text))) {
            parts.push(start..piece);
            start = piece + 1;
        }
        parts.push(start..range.end);
        parts.into_iter().map(|part| self.trimmed(part)).filter(|part| !part.is_empty()).collect()
    }

    /// The range without line ends around it.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (range.start, range.end.min(self.len()));
        while start < end && self.kind(start) == TokenKind::Newline {
            start += 1;
        }
        while start < end && self.kind(end - 1) == TokenKind::Newline {
            end -= 1;
        }
        start..end.max(start)
    }

    pub(super) fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        self.close(open).map(|close| self.split(open + 1..close, &[","])).unwrap_or_default()
    }

    /// The end of the logical line of `at`: its line end outside brackets, the bracket that closes around it, or the
    /// end of the source. `at` itself if the line is too long.
    pub(super) fn line_end(&self, at: usize) -> usize {
        self.stop(at, |here| {
            self.kind(here) == TokenKind::Newline
                || self.kind(here) == TokenKind::Op && matches!(self.word(here), ")" | "]" | "}")
        })
    }

    /// The first token from `at` on, outside nested brackets, that satisfies `last`; `at` if it is too far away.
    pub(super) fn stop(&self, at: usize, last: impl Fn(usize) -> bool) -> usize {
        let mut here = at;
        for _ in 0..STATEMENT {
            if here >= self.len() {
                return self.len();
            }
            if last(here) {
                return here;
            }
            here = self.close(here).unwrap_or(here) + 1;
        }
        at
    }

    /// The bytes from the first to the last token of `range`.
    pub(super) fn bytes(&self, range: Range<usize>) -> Option<Range<usize>> {
        let range = self.trimmed(range);
        let (first, last) = (self.tokens.get(range.start)?, self.tokens.get(range.end.checked_sub(1)?)?);
        (last.range.end > first.range.start).then_some(first.range.start..last.range.end)
    }

    /// True for each side of the token, before and after, that has a space.
    pub(super) fn spaces(&self, at: usize) -> [bool; 2] {
        let Some(token) = self.tokens.get(at) else { return [false; 2] };
        let is_space = |at: usize| self.text.as_bytes().get(at).is_some_and(u8::is_ascii_whitespace);
        [token.range.start.checked_sub(1), Some(token.range.end)].map(|at| at.is_some_and(is_space))
    }

    pub(super) fn is_spaced(&self, at: usize) -> bool {
        self.spaces(at) == [true; 2]
    }
}

/// The most tokens of a statement that are read at its own level, so that a file of one line takes linear time.
const STATEMENT: usize = 400;

/// Returns the text of a source that is short enough, UTF-8, and without NUL.
pub(super) fn readable(source: &[u8]) -> Option<&str> {
    if source.len() > LONGEST || memchr::memchr(0, source).is_some() {
        return None;
    }
    std::str::from_utf8(source).ok()
}

fn partners(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Op) {
        let word = &text[token.range.clone()];
        if let Some((_, close)) = [("(", ")"), ("[", "]"), ("{", "}")].iter().find(|(bracket, _)| *bracket == word) {
            open.push((at, close));
        }
        if !matches!(word, ")" | "]" | "}") {
            continue;
        }
        // A bracket without a partner is skipped, so that one error does not affect the rest of the file.
        while word == "}" && open.last().is_some_and(|(_, wanted)| *wanted != "}") {
            open.pop();
        }
        if let Some((start, _)) = open.pop_if(|(_, wanted)| *wanted == word) {
            partner[start] = Some(at);
            partner[at] = Some(start);
        }
    }
    partner
}

/// Words that are followed by an operand, in any of the languages.
const KEYWORDS: [&str; 55] = [
    "return", "if", "elif", "else", "while", "for", "in", "is", "not", "and", "or", "case", "match", "assert", "yield",
    "await", "throw", "raise", "let", "const", "var", "mut", "ref", "new", "typeof", "delete", "del", "lambda",
    "import", "from", "as", "use", "do", "then", "when", "unless", "until", "def", "fn", "func", "fun", "function",
    "switch", "break", "continue", "default", "instanceof", "of", "void", "static", "print", "echo", "puts", "expect",
    "move",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
