//! Reads shell text as words, operators and line ends, in one pass without recursion. It refuses nothing: it reports an open
//! quote, an expansion or a here document, and the caller decides what to do about it.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShellTokenKind {
    /// A word with all its quotes and expansions.
    #[default]
    Word,
    /// `&&`, `|`, `;`, `(`, `>`, …
    Op,
    /// `<<` of a here document, with its end word.
    Document,
    /// The end of a line.
    Newline,
}

/// A token of shell text.
#[derive(Clone, Debug, Default)]
pub struct ShellToken {
    /// Its kind.
    pub kind: ShellTokenKind,
    /// Its position in the text, in bytes.
    pub range: Range<usize>,
    /// The number of its line, from 1.
    pub line: usize,
    /// The text of a word without quotes and backslashes, but with expansions unchanged.
    pub text: String,
    /// Some part of the word is quoted or escaped.
    pub quoted: bool,
    /// The word has a `$` or a backtick that is neither escaped nor in single quotes.
    pub expands: bool,
    /// The commands in the substitutions of a word, `$(…)` or between backticks; for a here document, its lines.
    pub inner: Vec<Range<usize>>,
    /// The text ends inside a quote or a substitution of this word.
    pub open: bool,
}

impl ShellToken {
    /// Whether it holds text that may run anything: a substitution, a here document, or an open quote.
    pub fn may_run(&self) -> bool {
        self.open || !self.inner.is_empty() || self.kind == ShellTokenKind::Document
    }
}

/// Returns all tokens of `text`, without comments and the lines of here documents. Lines are counted from 1.
pub fn tokens(text: &str) -> Vec<ShellToken> {
    let mut cursor = Cursor::new(text);
    cursor.read();
    cursor.tokens
}

/// Operators of two characters.
const PAIRS: [&[u8; 2]; 11] = [b"&&", b"||", b";;", b"|&", b">>", b">&", b"<&", b"&>", b"<<", b">|", b"<>"];

/// Walks over the bytes of a source and collects tokens.
pub(crate) struct Cursor<'a, T> {
    pub(crate) text: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    pub(crate) line: usize,
    pub(crate) tokens: Vec<T>,
}

impl<'a, T> Cursor<'a, T> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, bytes: text.as_bytes(), at: 0, line: 1, tokens: Vec::new() }
    }

    /// The byte `ahead` of here; 0 past the end.
    pub(crate) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Advances one byte and counts lines.
    pub(crate) fn step(&mut self) {
        if self.peek(0) == b'\n' {
            self.line += 1;
        }
        self.at = (self.at + 1).min(self.bytes.len());
    }

    pub(crate) fn skip(&mut self, bytes: usize) {
        for _ in 0..bytes {
            self.step();
        }
    }

    pub(crate) fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while !self.is_done() && wanted(self.peek(0)) {
            self.step();
        }
    }
}

struct HereDocument {
    /// The index of its token.
    token: usize,
    /// The line that ends it.
    end: Vec<u8>,
    /// Whether leading tabs are removed.
    tabs: bool,
}

impl Cursor<'_, ShellToken> {
    fn push(&mut self, kind: ShellTokenKind, start: usize, line: usize) {
        self.tokens.push(ShellToken { kind, range: start..self.at, line, ..ShellToken::default() });
    }

    fn read(&mut self) {
        // Here documents that begin on the next line.
        let mut documents = Vec::new();
        while !self.is_done() {
            let (start, line) = (self.at, self.line);
            match self.peek(0) {
                b' ' | b'\t' | b'\r' => self.step(),
                b'\\' if self.peek(1) == b'\n' => self.skip(2),
                b'#' => self.skip_while(|byte| byte != b'\n'),
                b'\n' => {
                    self.step();
                    self.push(ShellTokenKind::Newline, start, line);
                    self.skip_documents(std::mem::take(&mut documents));
                }
                b'<' if self.peek(1) == b'<' && self.peek(2) != b'<' => documents.extend(self.document()),
                b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => {
                    let pair = [self.peek(0), self.peek(1)];
                    self.step();
                    if PAIRS.contains(&&pair) {
                        self.step();
                    }
                    self.push(ShellTokenKind::Op, start, line);
                }
                _ => self.word(),
            }
        }
    }

    /// Reads `<<'EOF'`. The lines of the document follow after the end of this line.
    fn document(&mut self) -> Option<HereDocument> {
        let (start, line) = (self.at, self.line);
        self.skip(2);
        let tabs = self.peek(0) == b'-';
        if tabs {
            self.step();
        }
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        let from = self.at;
        self.skip_while(|byte| !ends_word(byte));
        let end: Vec<u8> =
            self.bytes[from..self.at].iter().copied().filter(|b| !matches!(b, b'\'' | b'"' | b'\\')).collect();
        self.push(ShellTokenKind::Document, start, line);
        (!end.is_empty()).then(|| HereDocument { token: self.tokens.len() - 1, end, tabs })
    }

    fn skip_documents(&mut self, documents: Vec<HereDocument>) {
        for HereDocument { token, end, tabs } in documents {
            let start = self.at;
            while !self.is_done() {
                let from = self.at;
                self.skip_while(|byte| byte != b'\n');
                let line = &self.bytes[from..self.at];
                let blank = line.iter().take_while(|b| tabs && **b == b'\t').count();
                let is_end = line[blank..] == end[..];
                let body = if is_end { from } else { self.at };
                self.tokens[token].inner = std::iter::once(start..body).collect();
                self.step();
                if is_end {
                    break;
                }
            }
        }
    }

    fn word(&mut self) {
        let (start, line) = (self.at, self.line);
        let mut word = Word::default();
        while !(self.is_done() || (word.nested.is_empty() && ends_word(self.peek(0)))) {
            self.part(&mut word);
        }
        word.open |= !word.nested.is_empty();
        self.push(ShellTokenKind::Word, start, line);
        if let Some(token) = self.tokens.last_mut() {
            // The bytes come from a text and are cut only at ASCII characters, so they are UTF-8.
            token.text = String::from_utf8_lossy(&word.text).into_owned();
            (token.quoted, token.expands, token.inner, token.open) = (word.quoted, word.expands, word.inner, word.open);
        }
    }

    /// Reads one character of a word, or one quoted or escaped part.
    fn part(&mut self, word: &mut Word) {
        let (byte, inside) = (self.peek(0), word.nested.last().map(|nested| nested.close));
        let mut keep = word.is_inside();
        match (inside, byte) {
            (_, b'\\') => return self.escaped(word),
            (Some(b'"'), b'\'') => keep = true,
            (_, b'\'') => return self.single(word),
            (Some(close), byte) if close == byte => word.close(self.at),
            (Some(b')'), b'(') => word.nest(b')', None),
            (_, b'"') => word.nest(b'"', None),
            (_, b'`') => word.nest(b'`', Some(self.at + 1)),
            (_, b'$') => {
                word.expands = true;
                keep = true;
                if matches!(self.peek(1), b'(' | b'{') {
                    let is_command = self.peek(1) == b'(';
                    word.text.push(byte);
                    self.step();
                    word.nest(if is_command { b')' } else { b'}' }, is_command.then_some(self.at + 1));
                }
            }
            _ => keep = true,
        }
        // Keep the marks of a substitution, but not the quotes around the word's own text.
        if keep || word.is_inside() || byte != b'"' {
            word.text.push(self.peek(0));
        }
        self.step();
    }

    fn escaped(&mut self, word: &mut Word) {
        let (next, in_double) = (self.peek(1), word.nested.last().is_some_and(|nested| nested.close == b'"'));
        word.open |= self.at + 1 >= self.bytes.len();
        word.quoted |= next != b'\n';
        let stays = word.is_inside() || (in_double && !matches!(next, b'$' | b'`' | b'"' | b'\\' | b'\n'));
        if stays {
            word.text.push(b'\\');
        }
        self.step();
        if !self.is_done() && (stays || next != b'\n') {
            word.text.push(next);
        }
        self.step();
    }

    fn single(&mut self, word: &mut Word) {
        let start = self.at;
        self.step();
        self.skip_while(|byte| byte != b'\'');
        word.open |= self.is_done();
        word.quoted = true;
        let body = start + 1..self.at;
        self.step();
        word.text.extend_from_slice(if word.is_inside() { &self.bytes[start..self.at] } else { &self.bytes[body] });
    }
}

/// An open quote or expansion inside a word.
struct Nested {
    close: u8,
    /// The position where its commands begin; only for the outermost substitution.
    from: Option<usize>,
}

/// A word while it is read.
#[derive(Default)]
struct Word {
    text: Vec<u8>,
    nested: Vec<Nested>,
    /// The number of expansions in `nested`.
    expansions: usize,
    /// Whether a substitution is in `nested`.
    substitutes: bool,
    quoted: bool,
    expands: bool,
    inner: Vec<Range<usize>>,
    open: bool,
}

impl Word {
    /// Whether this is inside an expansion, whose text stays unchanged.
    fn is_inside(&self) -> bool {
        self.expansions > 0
    }

    fn nest(&mut self, close: u8, from: Option<usize>) {
        self.quoted |= close == b'"' && !self.is_inside();
        let from = from.filter(|_| !self.substitutes);
        self.expansions += usize::from(close != b'"');
        self.expands |= close != b'"';
        self.substitutes |= from.is_some();
        self.nested.push(Nested { close, from });
    }

    fn close(&mut self, at: usize) {
        let Some(closed) = self.nested.pop() else { return };
        self.expansions -= usize::from(closed.close != b'"');
        if let Some(from) = closed.from {
            self.substitutes = false;
            self.inner.push(from..at);
        }
    }
}

fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let is_word = |token: &ShellToken| token.kind == ShellTokenKind::Word;
        tokens(text).into_iter().filter(is_word).map(|token| token.text).collect()
    }

    #[test]
    fn quotes_go_and_expansions_stay() {
        for (text, expected) in [
            (r#"a 'b c' "d e" f\ g"#, &["a", "b c", "d e", "f g"][..]),
            (r#"a"b"'c'\d"#, &["abcd"]),
            (r#""a\"b\n" 'a\'"#, &[r#"a"b\n"#, r"a\"]),
            (r#"x$(a "b c" 'd')y "$(e "f")" `g 'h'`"#, &[r#"x$(a "b c" 'd')y"#, r#"$(e "f")"#, "`g 'h'`"]),
            ("\"it's\" ${a:-'b c'}", &["it's", "${a:-'b c'}"]),
            ("a \\\n b # c\nd#e", &["a", "b", "d#e"]),
            ("cat <<'E' >f\na b\nE\nc", &["cat", "f", "c"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn substitutions_and_documents_are_told_by_their_text() {
        for (text, expected) in [
            ("a $(b $(c)) \"$(d)\" `e`", &["b $(c)", "d", "e"][..]),
            ("cat <<E\nf\ng\nE\nh", &["f\ng\n"]),
            ("echo ${x} $y", &[]),
        ] {
            let inner = tokens(text).into_iter().flat_map(|token| token.inner);
            assert_eq!(inner.map(|range| &text[range]).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_told() {
        for (text, open) in
            [("'a", true), ("\"a", true), ("$(a", true), ("a\\", true), ("'a' \"b\" $(c) \\\\", false), ("a'b'", false)]
        {
            assert_eq!(tokens(text).iter().any(|token| token.open), open, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_one_word_again(text in "[^\\x00]{0,20}") {
            let quoted = crate::shell::quote(&text);
            let tokens = tokens(&quoted);
            prop_assert_eq!(tokens.len(), 1);
            prop_assert_eq!(&tokens[0].text, &text);
            prop_assert!(!tokens[0].open && !tokens[0].expands);
        }

        #[test]
        fn tokens_lie_in_the_text_one_behind_the_other(text in "[a-c '\"\\\\$(){}`|&;<>#\\n]{0,40}") {
            let mut end = 0;
            for token in tokens(&text) {
                prop_assert!(token.range.start >= end && token.range.end <= text.len() && !token.range.is_empty());
                end = token.range.end;
            }
        }
    }
}
