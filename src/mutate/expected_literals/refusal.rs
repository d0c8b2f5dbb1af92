//! Code that must raise an error. The code after the error is rightly never reached, so no test expects its literals.

use std::ops::Range;

use crate::mutate::language::Language;
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Returns the tokens in the brackets of `assert.throws(…)` and `expect(…).to.throw()`, and below `with self.assertRaises(…):`.
pub(super) fn ranges(source: &TokenizedSource<'_>) -> Vec<Range<usize>> {
    let bracketed = (1..source.len()).filter(|at| source.is(*at, "(")).filter_map(|open| {
        let close = source.close(open)?;
        // `if (got !== 3) throw …` is no chain.
        let is_chain = |at: &usize| source.is(close + 1, ".") && (source.is_word(*at) || source.is(*at, "."));
        let mut names = (close + 1..source.len()).take_while(is_chain).chain([open - 1]);
        names.any(|at| is_refusal(source.word(at))).then_some(open..close)
    });
    let blocks = (0..source.len()).filter(|at| source.language == Language::Python && source.is(*at, "with"));
    let blocks = blocks.filter_map(|with| {
        let head = with..source.line_end(with);
        let own = column(source, with).or_else(|| column(source, with.checked_sub(1)?))?;
        let end = (head.end..source.len()).find(|at| column(source, *at).is_some_and(|column| column <= own));
        head.clone().any(|at| is_refusal(source.word(at))).then(|| head.end..end.unwrap_or(source.len()))
    });
    bracketed.chain(blocks).collect()
}

pub(super) fn is_refusal(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["raise", "throw", "reject"].iter().any(|part| name.contains(part))
}

/// The indent of a token that begins a line, in bytes; `None` for any other token. `async with` begins with `async`.
fn column(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    if source.kind(at) == TokenKind::Newline {
        return None;
    }
    let before = &source.text[..source.tokens.get(at)?.range.start];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    line.trim().is_empty().then_some(line.len())
}
