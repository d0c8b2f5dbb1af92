//! Changes that an honest test must notice: a literal that an assertion expects, an operator on a changed line, a file that no
//! longer loads (`SIGNOFF.md` §3, `canary-survived` and `no-mutant-killed`); and one that it must not: a comment.
//!
//! Pure, and sparing: what cannot be told surely from single tokens is left out, because a mutant that nobody could notice
//! would speak against honest work.

mod comment;
mod expected_literals;
mod inline;
mod language;
mod lex;
mod lines;
mod literal;
mod load;
mod mutant;
mod shell;
mod source;
#[cfg(test)]
mod tests;
mod token;
mod units;

use std::ops::Range;

pub use comment::with_comment;
pub use inline::{inline_tests, with_inline_tests_of};
pub use language::Language;
pub use lines::{changed_lines, line_now};
pub use load::{break_syntax, only_raises};

use source::Source;

/// What is read of a source: longer ones give nothing.
pub const LONGEST: usize = 1024 * 1024;

/// One change of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What is replaced, in bytes of the source, at borders of characters.
    pub range: Range<usize>,
    /// By what.
    pub replacement: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// For people: "`==` to `!=`".
    pub what: String,
}

impl Mutation {
    /// The source with this change.
    pub fn apply(&self, source: &[u8]) -> Vec<u8> {
        let end = self.range.end.min(source.len());
        let start = self.range.start.min(end);
        [&source[..start], self.replacement.as_bytes(), &source[end..]].concat()
    }

    fn new(text: &str, range: Range<usize>, line: usize, replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        let what = match (short(&text[range.clone()]), short(&replacement)) {
            (old, new) if old.is_empty() => format!("{new} put in"),
            (old, new) if new.is_empty() => format!("{old} taken out"),
            (old, new) => format!("{old} to {new}"),
        };
        Mutation { range, replacement, line, what }
    }
}

/// In backticks, on one line, of 40 characters at most.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return line;
    }
    let mut cut: String = line.chars().take(40).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    format!("`{cut}`")
}

/// Literals on the expected side of assertions, each bumped so that the assertion must fail; at most `most`, of different
/// tests where there are so many, none in a test that is skipped or where the assertion would still hold. The best come first.
pub fn expected_literals(path: &str, source: &[u8], most: usize) -> Vec<Mutation> {
    let found = match Language::of(path, source) {
        Some(Language::Shell) => shell::expected_literals(source, most),
        Some(language) => {
            Source::of(language, source).map(|source| expected_literals::find(&source, most)).unwrap_or_default()
        }
        None => Vec::new(),
    };
    placed(source, found)
}

/// The literal whose equality fails where a runner names `line` (counted from 1) for a failed assertion, bumped as a canary
/// is. None where it is not surely the one: the shell, whose failures name no lines, included.
pub fn expected_literal_at(path: &str, source: &[u8], line: usize) -> Option<Mutation> {
    let language = Language::of(path, source).filter(|language| *language != Language::Shell)?;
    let found = expected_literals::at_line(&Source::of(language, source)?, line)?;
    placed(source, vec![found]).pop()
}

/// Each with the line that it changes: a text or a word may begin lines before it.
fn placed(source: &[u8], mut found: Vec<Mutation>) -> Vec<Mutation> {
    for mutation in &mut found {
        mutation.line = 1 + memchr::memchr_iter(b'\n', &source[..mutation.range.start]).count();
    }
    found
}

/// Changes of behaviour on the changed lines of a source (counted from 1, the end excluded), at most `most`, spread over the
/// lines: operators, literals, returned values, single statements; none in comments, types, imports, logging or tests.
pub fn mutants(path: &str, source: &[u8], changed: &[Range<usize>], most: usize) -> Vec<Mutation> {
    let found = match Language::of(path, source) {
        Some(Language::Shell) => shell::mutants(source, changed, most),
        Some(language) => {
            Source::of(language, source).map(|source| mutant::find(&source, changed, most)).unwrap_or_default()
        }
        None => Vec::new(),
    };
    placed(source, found)
}
