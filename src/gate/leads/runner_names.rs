//! `test-aware`: source code that asks whether a test runner is running.

use super::{AddedLine, at_each, lines, sources};
use crate::gate::Finding;
use crate::gate::facts::Facts;

/// Names that only a program uses that wants to know whether it is being tested.
const NAMES: [&str; 16] = [
    "PYTEST_CURRENT_TEST", "PYTEST_VERSION", "JEST_WORKER_ID", "VITEST_WORKER_ID", "process.env.VITEST",
    "MOCHA_COLORS", "NODE_TEST_CONTEXT", "NEXTEST", "RUST_TEST_THREADS", "testing.Testing()", "flag.Lookup(\"test.",
    "BATS_TEST", "RSPEC_", "defined?(RSpec)", "PHPUNIT_", "XCTestConfigurationFilePath",
];

/// Runner modules; suspicious beside code that asks what is loaded or who calls.
const RUNNERS: [&str; 5] = ["unittest", "pytest", "jest", "mocha", "_test"];
const ASKING: [&str; 8] = [
    "sys.modules", "sys.argv", "inspect.stack", "inspect.currentframe", "_getframe", "process.argv",
    "new Error().stack", "os.Args",
];

/// Returns the leads of this scan.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let has = |line: &AddedLine<'_>, words: &[&str]| words.iter().any(|word| line.text.contains(word));
    let asking =
        lines(sources(facts, false)).filter(|line| has(line, &NAMES) || (has(line, &ASKING) && has(line, &RUNNERS)));
    let (says, resolve) = ("the source asks whether it is being tested", "make the source behave the same everywhere");
    at_each(asking, "test-aware", "source that does not detect its tests", says, resolve)
}
