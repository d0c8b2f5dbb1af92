//! Changes that an honest test must notice: an expected literal, an operator on a changed line, a file that no longer loads (`SIGNOFF.md`
//! §3, `canary-survived` and `no-mutant-killed`). And a change that it must not notice: a comment.
//!
//! Pure and cautious: it skips every case that single tokens cannot decide with certainty, because a mutant that no test could notice would
//! count against honest work.

mod expected_literals;
mod failing;
mod hollow;
mod inline;
mod language;
mod lex;
mod lines;
mod literal;
mod load;
mod mutant;
mod same_code;
mod shell;
mod source;
mod spread;
mod stub;
#[cfg(test)]
mod tests;
mod token;
mod units;

use std::ops::Range;

pub use failing::{FailurePlace, failing, takes_no_arguments};
pub use hollow::{ALL_LINES, hollow};
pub use inline::{inline_tests, with_inline_tests_of};
pub use language::Language;
pub use lines::{changed_lines, is_changed, line_now, within};
pub use load::{break_syntax, only_raises, with_comment};
pub use same_code::same_code;
pub use stub::{FunctionName, Stub, function_names, stub};

use shell::Script;
use source::TokenizedSource;

/// One change of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The bytes to replace, at character boundaries.
    pub range: Range<usize>,
    /// Their replacement.
    pub replacement: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// A description for users: "`==` to `!=`".
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
            (old, new) if old.is_empty() => format!("{new} inserted"),
            (old, new) if new.is_empty() => format!("{old} removed"),
            (old, new) => format!("{old} to {new}"),
        };
        Mutation { range, replacement, line, what }
    }
}

/// Shortens a text to one line of at most 40 characters, in backticks.
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

/// Returns literals on the expected side of assertions, each changed so that the assertion must fail. At most `most`, from different tests
/// if possible, best ones first. It skips tests that do not run, and assertions that would still hold.
pub fn expected_literals(path: &str, source: &[u8], most: usize) -> Vec<Mutation> {
    let found = match Language::of(path, source) {
        Some(Language::Shell) => Script::of(source).map(|script| shell::expected_literals::find(&script, most)),
        Some(language) => TokenizedSource::of(language, source).map(|source| expected_literals::find(&source, most)),
        None => None,
    };
    found.into_iter().flatten().map(|mutation| placed(source, mutation)).collect()
}

/// Reads a source in which lines can be found by their numbers. `None` for the shell, whose failures name no lines.
fn tokenized<'a>(path: &str, source: &'a [u8]) -> Option<TokenizedSource<'a>> {
    let language = Language::of(path, source).filter(|language| *language != Language::Shell)?;
    TokenizedSource::of(language, source)
}

/// Returns the changed literal of the equality that failed in `line` (counted from 1) by a runner's report. `None` if that is not certain.
pub fn expected_literal_at(path: &str, source: &[u8], line: usize) -> Option<Mutation> {
    Some(placed(source, expected_literals::at_line(&tokenized(path, source)?, line)?))
}

/// Like [`expected_literal_at`], for an assertion whose expected value is in a row of a table: the only literal among the expected values
/// of the rows that is in `printed`, the values that the runner showed.
pub fn expected_in_table(path: &str, source: &[u8], line: usize, printed: &[String]) -> Option<Mutation> {
    Some(placed(source, expected_literals::in_table(&tokenized(path, source)?, line, printed)?))
}

/// Returns the changed literal of the plain equality in the statement around `line` (counted from 1), if an error came before the
/// comparison. `None` if the test checks how an object compares itself.
pub fn expected_literal_around(path: &str, source: &[u8], line: usize) -> Option<Mutation> {
    Some(placed(source, expected_literals::passed_through::expected(&tokenized(path, source)?, line)?))
}

/// Returns the source with an error after the statement around the byte `place`. Only that error prints the words as one.
pub fn error_behind(path: &str, source: &[u8], place: usize, words: [&str; 2]) -> Option<Vec<u8>> {
    expected_literals::passed_through::error_behind(&tokenized(path, source)?, place, words)
}

/// Changes the last letter of the last word in a text that is not source code.
pub fn other_word(source: &[u8]) -> Option<Mutation> {
    let text = std::str::from_utf8(source).ok()?;
    let end = text.rfind(|c: char| c.is_ascii_alphanumeric())? + 1;
    let word = text[..end].rsplit(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let last = if word.ends_with('x') { 'y' } else { 'x' };
    let other = format!("{}{last}", &word[..word.len() - 1]);
    Some(placed(source, Mutation::new(text, end - word.len()..end, 0, other)))
}

/// Sets the line of a change. A text or a word may begin on an earlier line.
fn placed(source: &[u8], mutation: Mutation) -> Mutation {
    let line = 1 + memchr::memchr_iter(b'\n', &source[..mutation.range.start]).count();
    Mutation { line, ..mutation }
}

/// Returns changes of behaviour on the changed lines of a source (counted from 1, the end excluded): operators, literals, returned values,
/// single statements. At most `most`, spread over the lines; never in comments, types, imports, logging or tests.
pub fn mutants(path: &str, source: &[u8], changed: &[Range<usize>], most: usize) -> Vec<Mutation> {
    let found = match Language::of(path, source) {
        Some(Language::Shell) => Script::of(source).map(|script| shell::mutant::find(&script, changed, most)),
        Some(language) => TokenizedSource::of(language, source).map(|source| mutant::find(&source, changed, most)),
        None => None,
    };
    found.into_iter().flatten().map(|mutation| placed(source, mutation)).collect()
}
