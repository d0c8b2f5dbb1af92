//! Splits three sequences into stretches that no side changed, that one side changed, or that both sides changed.

use std::ops::Range;

use super::align::align;

/// A stretch of three sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// As in the base on both sides: a range of the base.
    Same(Range<usize>),
    /// One side changed it: the side, and the range there.
    One(usize, Range<usize>),
    /// Both sides changed it: the ranges of base, ours, theirs.
    Both([Range<usize>; 3]),
}

/// A change of one side: a range of the base, and the range on that side that replaces it.
#[derive(Clone, Debug)]
struct Hunk {
    side: usize,
    base: Range<usize>,
    new: Range<usize>,
}

/// Aligns both sides with the base. Changes that are only adjacent stay apart, unless `sticks` (side, range of the base,
/// range of the side) is true for both: then their lines belong together.
pub(super) fn stretches(
    order: &[Vec<u32>; 3],
    sticks: impl Fn(usize, &Range<usize>, &Range<usize>) -> bool,
) -> Vec<Stretch> {
    let mut hunks: Vec<Hunk> = (1..3).flat_map(|side| hunks(side, &order[0], &order[side])).collect();
    hunks.sort_by_key(|hunk| (hunk.base.start, hunk.base.end, hunk.side));
    let mut out = Vec::new();
    let mut at = 0;
    let mut next = 0;
    while next < hunks.len() {
        let first = &hunks[next];
        let mut group = vec![first];
        let mut base = first.base.clone();
        while let Some(hunk) = hunks.get(next + group.len()).filter(|hunk| {
            let joined = |one: &&Hunk| {
                one.side != hunk.side
                    && (meets(&one.base, &hunk.base)
                        || one.base.end == hunk.base.start
                            && sticks(one.side, &one.base, &one.new)
                            && sticks(hunk.side, &hunk.base, &hunk.new))
            };
            group.iter().any(joined) || meets(&base, &hunk.base)
        }) {
            base.end = base.end.max(hunk.base.end);
            group.push(hunk);
        }
        if at < base.start {
            out.push(Stretch::Same(at..base.start));
        }
        at = base.end;
        next += group.len();
        out.push(match group.as_slice() {
            [one] => Stretch::One(one.side, one.new.clone()),
            several => Stretch::Both([base.clone(), span(several, 1, &base), span(several, 2, &base)]),
        });
    }
    if at < order[0].len() {
        out.push(Stretch::Same(at..order[0].len()));
    }
    out
}

/// True if two changes affect the same place: they overlap, or both insert at the same point.
fn meets(a: &Range<usize>, b: &Range<usize>) -> bool {
    a == b || a.start < b.end && b.start < a.end
}

/// Returns the range on one side that corresponds to the stretch `base`.
fn span(group: &[&Hunk], side: usize, base: &Range<usize>) -> Range<usize> {
    let mut own = group.iter().filter(|hunk| hunk.side == side);
    let Some(first) = own.next() else { return 0..0 };
    let last = own.next_back().unwrap_or(first);
    first.new.start - (first.base.start - base.start)..last.new.end + (base.end - last.base.end)
}

fn hunks(side: usize, base: &[u32], new: &[u32]) -> Vec<Hunk> {
    let same = align(base, new);
    let mut hunks = Vec::new();
    let (mut from_base, mut from_new) = (0, 0);
    let ends = std::iter::once((base.len(), new.len()));
    for (at, place) in same.iter().enumerate().filter_map(|(at, place)| Some((at, (*place)?))).chain(ends) {
        if from_base < at || from_new < place {
            hunks.push(Hunk { side, base: from_base..at, new: from_new..place });
        }
        (from_base, from_new) = (at + 1, place + 1);
    }
    hunks
}
