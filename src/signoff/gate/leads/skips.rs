//! `skip-added`: tests that were marked as not to be run, or as expected to fail.

use super::{at_each, lines, sources};
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
    let marked = lines(sources(facts, true)).filter(|line| MARKS.iter().any(|mark| line.text.contains(mark)));
    let (says, resolve) = ("added since the goal's start", "let the test run, or say in the goal why not");
    at_each(marked, "skip-added", "tests that run as they did", says, resolve)
}
