//! Languages without braces. In Python a unit is a `def` or `class`, by indentation, with the decorators above it. In Ruby it is an `it`,
//! `test`, `specify` or `def`, up to the next one.

use super::{Skip, Unit};
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

pub(super) fn python(source: &TokenizedSource<'_>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut pending = Skip::Runs;
    let mut whole = Skip::Runs;
    let mut at = 0;
    while at < source.len() {
        if source.kind(at) == TokenKind::Newline {
            at += 1;
            continue;
        }
        let (end, indent) = (source.line_end(at), indent(source, at));
        while open.last().is_some_and(|(outer, _)| *outer >= indent) {
            if let Some((_, unit)) = open.pop() {
                units[unit].end = at;
            }
        }
        let head = if source.is(at, "async") { at + 1 } else { at };
        if source.is(at, "@") {
            pending = pending.max(skip_of(source, at, end));
        } else if source.is(head, "def") || source.is(head, "class") {
            let colon = source.top(head..end).find(|at| source.is(*at, ":")).unwrap_or(end);
            let is_test = source.is(head, "def") && source.word(head + 1).to_lowercase().starts_with("test");
            open.push((indent, units.len()));
            let skip = std::mem::take(&mut pending).max(skips_itself(source, colon, end));
            units.push(Unit { start: at, end: source.len(), open: colon, skip, is_test, only: false });
        } else if let Some((_, unit)) = open.last() {
            units[*unit].skip = units[*unit].skip.max(skips_itself(source, at, end));
        } else if source.word(at) == "pytestmark" {
            whole = skip_of(source, at, end);
        }
        // A line that is too long is skipped in steps, so that a file of one line takes linear time.
        let closes = matches!(source.word(at), ")" | "]" | "}");
        at = if end == at && !closes { at + 400 } else { end + 1 };
    }
    units.iter_mut().for_each(|unit| unit.skip = unit.skip.max(whole));
    units
}

fn indent(source: &TokenizedSource<'_>, at: usize) -> usize {
    let start = source.tokens.get(at).map_or(0, |token| token.range.start);
    source.text[..start].bytes().rev().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// The effect of a decorator: `@unittest.skip`, `@pytest.mark.skipif(…)`, `@expectedFailure`, `@pytest.mark.xfail`.
fn skip_of(source: &TokenizedSource<'_>, at: usize, end: usize) -> Skip {
    let words = (at..end).filter(|at| source.is_word(*at)).map(|at| source.word(at));
    let of = |word: &str| match word {
        "expectedFailure" | "xfail" | "raises" => Skip::Perhaps,
        word if word.to_lowercase().starts_with("skip") || word == "SkipTest" => Skip::Skipped,
        word if word.starts_with("requires") || word.starts_with("require_") => Skip::Perhaps,
        _ => Skip::Runs,
    };
    words.map(of).max().unwrap_or(Skip::Runs)
}

/// Detects `self.skipTest(…)`, `pytest.skip(…)`, `raise SkipTest` in the body.
fn skips_itself(source: &TokenizedSource<'_>, at: usize, end: usize) -> Skip {
    let skips = |at: usize| match source.word(at) {
        "skip" => source.is(at + 1, "(") && at > 0 && source.is(at - 1, "."),
        word => matches!(word, "skipTest" | "SkipTest" | "importorskip"),
    };
    if (at..end).any(skips) { Skip::Perhaps } else { Skip::Runs }
}

pub(super) fn ruby(source: &TokenizedSource<'_>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for at in 0..source.len() {
        let first = at == 0 || source.kind(at - 1) == TokenKind::Newline;
        let word = source.word(at);
        if source.is_word(at) && matches!(word, "skip" | "pending") {
            units.iter_mut().last().into_iter().for_each(|unit| unit.skip = unit.skip.max(Skip::Perhaps));
        }
        if !first || !source.is_word(at) {
            continue;
        }
        let (is_test, skip) = match word {
            "it" | "specify" | "test" | "fit" => (true, Skip::Runs),
            "xit" | "xspecify" => (true, Skip::Skipped),
            "def" => (source.word(at + 1).starts_with("test"), Skip::Runs),
            _ => continue,
        };
        units.iter_mut().last().into_iter().for_each(|unit| unit.end = at);
        let open = source.line_end(at);
        units.push(Unit { start: at, end: source.len(), open, skip, is_test, only: word == "fit" });
    }
    units
}
