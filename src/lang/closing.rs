//! What the closing lines of several runners have in common.

use super::Tally;

pub(super) fn tally(ran: u64, skipped: u64) -> Option<Tally> {
    Some(Tally { ran, skipped, ..Tally::default() })
}

/// More tests than anyone has. The limit keeps sums of printed numbers small.
pub(super) const MOST: u64 = 1 << 40;

/// The number before a word, in a list like `3 passed, 1 skipped`; 0 if the word is missing.
pub(super) fn before(list: &str, word: &str) -> u64 {
    list.split([',', ';', '|'])
        .find_map(|part| {
            let (number, rest) = part.trim().split_once(' ')?;
            (rest.split([' ', '(']).next()? == word).then(|| number.parse().ok())?
        })
        .map_or(0, |number: u64| number.min(MOST))
}

/// The number after a label, in a list like `Failed: 0, Passed: 12`.
pub(super) fn behind(list: &str, label: &str) -> Option<u64> {
    list.split([',', '-']).find_map(|part| {
        let number: u64 =
            part.trim().strip_prefix(label)?.trim_start_matches(':').trim().trim_end_matches('.').parse().ok()?;
        Some(number.min(MOST))
    })
}
