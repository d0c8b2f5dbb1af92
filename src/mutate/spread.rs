//! Picks a few of many changes from all over a file.

use super::Mutation;

/// Returns at most `most` changes, one of each group in turn. Each item of `sorted` has its group, its rank (0 is best) and its place.
/// `make` makes the change, unless it conflicts with the changes that are taken already.
pub(super) fn in_turns<G: PartialEq, T>(
    sorted: Vec<(G, u32, usize, T)>,
    most: usize,
    make: impl Fn(&T, &[Mutation]) -> Option<Mutation>,
) -> Vec<Mutation> {
    let mut turns: Vec<(u32, usize, usize, T)> = Vec::new();
    let (mut last, mut turn) = (None, 0);
    for (group, rank, place, one) in sorted {
        let group = Some(group);
        turn = if last == group { turn + 1 } else { 0 };
        last = group;
        turns.push((rank, turn, place, one));
    }
    turns.sort_by_key(|(rank, turn, place, _)| (*rank, *turn, *place));
    let mut chosen: Vec<Mutation> = Vec::new();
    for alike in turns.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        if chosen.len() == most {
            break;
        }
        let made: Vec<Mutation> = alike.iter().filter_map(|(.., one)| make(one, &chosen)).collect();
        chosen.extend(evenly(made, most - chosen.len()));
    }
    chosen
}

/// Picks `most` items at even distances.
pub(super) fn evenly<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if count <= most {
        return all;
    }
    let wanted: Vec<usize> = (0..most).map(|nth| nth * count / most).collect();
    all.into_iter().enumerate().filter(|(at, _)| wanted.binary_search(at).is_ok()).map(|(_, one)| one).collect()
}
