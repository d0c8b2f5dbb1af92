//! Changes of behaviour on changed lines, the most certain first, spread over the lines.

mod operator;
mod quiet;
mod statement;

use std::ops::Range;

use super::Mutation;
use super::lines::within;
use super::source::TokenizedSource;
use super::spread::in_turns;

/// Ranks a change: how likely a good test notices it and, in compiled languages, how likely it compiles. Lower is better.
pub(super) type Rank = u32;

/// A comparison, a condition, a returned value.
pub(super) const SURE: Rank = 0;
/// Arithmetic.
pub(super) const GOOD: Rank = 1;
/// A number, or a removed statement.
pub(super) const FAIR: Rank = 2;
/// An index, a printed line.
pub(super) const WEAK: Rank = 3;
/// A text.
pub(super) const LAST: Rank = 4;
/// In the head of a loop, because the loop might never end.
pub(super) const LOOP: Rank = 4;

pub(super) fn find(source: &TokenizedSource<'_>, changed: &[Range<usize>], most: usize) -> Vec<Mutation> {
    let quiet = quiet::pieces(source);
    let loops = quiet::loops(source);
    let is_changed = within(changed);
    let wanted = |at: &usize| !quiet[*at] && is_changed(source.tokens[*at].line);
    let mut found: Vec<(Rank, Mutation)> = Vec::new();
    for at in (0..source.len()).filter(wanted) {
        let penalty = if loops[at] { LOOP } else { 0 };
        let mutations = operator::at(source, at).into_iter().chain(statement::at(source, at, &quiet));
        found.extend(mutations.map(|(rank, mutation)| (rank + penalty, mutation)));
    }
    choose(found, most)
}

/// Takes one change per line in turn. Ranks of similar worth are taken line by line before lower ones.
pub(super) fn choose(mut found: Vec<(Rank, Mutation)>, most: usize) -> Vec<Mutation> {
    found.sort_by_key(|(rank, mutation)| (mutation.line, *rank, mutation.range.start));
    let of_line =
        |(rank, mutation): (Rank, Mutation)| (mutation.line, rank.saturating_sub(1), mutation.range.start, mutation);
    in_turns(found.into_iter().map(of_line).collect(), most, |mutation, _| Some(mutation.clone()))
}
