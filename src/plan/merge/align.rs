//! Aligns two sequences: parts that occur once in both are anchors (patience diff), and the parts between anchors are
//! compared one by one. The work is bounded for all sequences.

use std::collections::HashMap;
use std::ops::Range;

/// The most comparisons between two anchors. A longer stretch counts as replaced.
const MAX_TABLE: usize = 1 << 20;
/// How often anchors are searched again between anchors.
const MAX_DEPTH: u32 = 16;

/// Returns for each part of `old` the place of the same part in `new`. The places ascend.
pub(super) fn align(old: &[u32], new: &[u32]) -> Vec<Option<usize>> {
    let mut found = vec![None; old.len()];
    let mut open = vec![(0..old.len(), 0..new.len(), 0)];
    while let Some((mut a, mut b, depth)) = open.pop() {
        while !a.is_empty() && !b.is_empty() && old[a.start] == new[b.start] {
            found[a.start] = Some(b.start);
            (a.start, b.start) = (a.start + 1, b.start + 1);
        }
        while !a.is_empty() && !b.is_empty() && old[a.end - 1] == new[b.end - 1] {
            (a.end, b.end) = (a.end - 1, b.end - 1);
            found[a.end] = Some(b.end);
        }
        if a.is_empty() || b.is_empty() {
            continue;
        }
        let anchors = if depth < MAX_DEPTH { anchors(old, new, &a, &b) } else { Vec::new() };
        if anchors.is_empty() {
            table(old, new, a, b, &mut found);
            continue;
        }
        let (mut from_a, mut from_b) = (a.start, b.start);
        for (at, place) in anchors {
            found[at] = Some(place);
            open.push((from_a..at, from_b..place, depth + 1));
            (from_a, from_b) = (at + 1, place + 1);
        }
        open.push((from_a..a.end, from_b..b.end, depth + 1));
    }
    found
}

/// Returns the parts that occur once in both, as the longest run of ascending places.
fn anchors(old: &[u32], new: &[u32], a: &Range<usize>, b: &Range<usize>) -> Vec<(usize, usize)> {
    let (first, second) = (once(old, a), once(new, b));
    let pairs: Vec<(usize, usize)> = a
        .clone()
        .filter_map(|at| Some((at, (*second.get(&old[at])?)?)).filter(|_| first[&old[at]].is_some()))
        .collect();
    // Patience sorting: `ends[n]` is the pair with the lowest place that ends a run of n + 1.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (index, (_, place)) in pairs.iter().enumerate() {
        let at = ends.partition_point(|&end| pairs[end].1 < *place);
        before[index] = at.checked_sub(1).map(|at| ends[at]);
        if at == ends.len() {
            ends.push(index);
        } else {
            ends[at] = index;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = before[index];
    }
    run.reverse();
    run
}

/// Returns the place of each part; `None` if the part occurs more than once.
fn once(parts: &[u32], range: &Range<usize>) -> HashMap<u32, Option<usize>> {
    let mut places = HashMap::with_capacity(range.len());
    for at in range.clone() {
        places.entry(parts[at]).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

/// Aligns two ranges by the textbook algorithm for the longest common subsequence.
fn table(old: &[u32], new: &[u32], a: Range<usize>, b: Range<usize>, found: &mut [Option<usize>]) {
    let width = b.len() + 1;
    if (a.len() + 1).saturating_mul(width) > MAX_TABLE {
        return;
    }
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if old[a.start + i] == new[b.start + j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if old[a.start + i] == new[b.start + j] {
            found[a.start + i] = Some(b.start + j);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn what_is_the_same_is_found_in_order() {
        assert_eq!(align(&[1, 2, 3], &[1, 3]), [Some(0), None, Some(1)]);
        assert_eq!(align(&[1, 2, 3], &[3, 1, 2]), [Some(1), Some(2), None]);
        assert_eq!(align(&[7, 7, 7], &[7, 8, 7]), [Some(0), None, Some(2)]);
        assert_eq!(align(&[], &[1]), []);
    }

    #[test]
    fn long_sequences_of_the_same_few_are_no_burden() {
        let (old, new): (Vec<u32>, Vec<u32>) = (0..200_000).map(|n| (n % 3, n % 5)).unzip();
        assert_eq!(align(&old, &new).len(), 200_000);
    }
}
