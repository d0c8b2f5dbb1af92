//! Ruby: `it`, `test`, `specify` and `def`, each up to the next one.

use super::{Skip, Unit};
use crate::mutate::source::Source;
use crate::mutate::token::TokenKind;

pub(super) fn find(source: &Source<'_>) -> Vec<Unit> {
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
