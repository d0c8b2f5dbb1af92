//! `skip-added`: tests that were marked as not to be run, or as expected to fail.

use super::{added, at, shown, sources};
use crate::signoff::gate::Finding;
use crate::signoff::gate::facts::Facts;

const MARKS: [&str; 27] = [
    "@unittest.skip",
    "@skip",
    "self.skipTest(",
    "expectedFailure",
    "pytest.mark.skip",
    "pytest.mark.xfail",
    "pytest.skip(",
    "pytest.importorskip(",
    "#[ignore",
    "#[should_panic",
    "t.Skip(",
    "t.Skipf(",
    "t.SkipNow(",
    "it.skip(",
    "test.skip(",
    "describe.skip(",
    "it.only(",
    "test.only(",
    "describe.only(",
    "xit(",
    "xdescribe(",
    "test.todo(",
    "@Disabled",
    "@Ignore",
    "markTestSkipped",
    "[Fact(Skip",
    "XCTSkip",
];

/// What this scan found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let lines = sources(facts, true).flat_map(|file| added(file).into_iter().map(move |line| (file, line)));
    lines
        .filter(|(_, (_, line))| MARKS.iter().any(|mark| line.contains(mark)))
        .map(|(file, (number, line))| {
            let seen = format!("added since the goal's start: `{}`", shown(line));
            at(
                file,
                number,
                "skip-added",
                "tests that run as they did",
                seen,
                "let the test run, or say in the goal why not",
            )
        })
        .take(super::MOST)
        .collect()
}
