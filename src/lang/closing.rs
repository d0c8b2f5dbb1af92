//! Shared code for reading the closing lines of runners.

use serde::{Deserialize, Serialize};

/// The counts in the closing lines of the runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestTally {
    /// Tests that ran, green or red.
    pub ran: u64,
    /// Tests that were skipped or ignored.
    pub skipped: u64,
    /// Tests that the command line left out: filtered, deselected.
    #[serde(default)]
    pub left_out: u64,
    /// Tests that ran and are expected to fail.
    #[serde(default)]
    pub excused: u64,
}

impl TestTally {
    /// All tests, whether they ran or not.
    pub const fn all(self) -> u64 {
        self.ran + self.skipped + self.left_out
    }

    pub(super) const fn and(self, other: TestTally) -> TestTally {
        TestTally {
            ran: self.ran.saturating_add(other.ran),
            skipped: self.skipped.saturating_add(other.skipped),
            left_out: self.left_out.saturating_add(other.left_out),
            excused: self.excused.saturating_add(other.excused),
        }
    }
}

pub(super) fn tally(ran: u64, skipped: u64) -> Option<TestTally> {
    Some(TestTally { ran, skipped, ..TestTally::default() })
}

/// The maximum count of tests, more than any project has. The limit keeps sums of printed numbers small.
pub(super) const MOST: u64 = 1 << 40;

/// Returns the number before a word in a list like `3 passed, 1 skipped`; 0 if the word is missing.
pub(super) fn before(list: &str, word: &str) -> u64 {
    list.split([',', ';', '|'])
        .find_map(|part| {
            let (number, rest) = part.trim().split_once(' ')?;
            (rest.split([' ', '(']).next()? == word).then(|| number.parse().ok())?
        })
        .map_or(0, |number: u64| number.min(MOST))
}

/// Returns the number after a label in a list like `Failed: 0, Passed: 12`.
pub(super) fn behind(list: &str, label: &str) -> Option<u64> {
    list.split([',', '-']).find_map(|part| {
        let number: u64 =
            part.trim().strip_prefix(label)?.trim_start_matches(':').trim().trim_end_matches('.').parse().ok()?;
        Some(number.min(MOST))
    })
}

/// A closing line that lists counts, each before its word: `3 runs, 4 assertions, 0 failures, 1 skips`.
pub(super) struct Counts {
    /// A text that the line must contain.
    pub(super) needs: &'static str,
    /// The words whose counts make up all tests.
    pub(super) all: &'static [&'static str],
    /// The words among these tests that did not run.
    pub(super) skipped: &'static [&'static str],
}

impl Counts {
    pub(super) fn read(&self, line: &str) -> Option<TestTally> {
        // The first count is of tests, so that a sentence with such a word in it is no closing line.
        let (number, rest) = line.split_once(' ')?;
        let is_list = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_closing = is_list && line.contains(self.needs) && self.all.contains(&rest.split_once(',')?.0);
        is_closing.then_some(())?;
        let sum = |words: &[&str]| words.iter().map(|word| before(line, word)).sum();
        let (all, skipped): (u64, u64) = (sum(self.all), sum(self.skipped));
        tally(all.saturating_sub(skipped), skipped)
    }
}
