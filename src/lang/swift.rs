//! Swift.

use super::closing::{TestTally, tally};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain =
    Toolchain { runners: &[SWIFT], dependencies: &["Pods"], builds: &[".build"], ..NOTHING };

const SWIFT: TestRunner = TestRunner {
    name: "swift test",
    is_called: |program, args| program == "swift" && args.first() == Some(&"test"),
    lists: &["test list", "--list-tests", "-l"],
    closes: Closes::Often,
    read: Read::EachLine(swift),
    selection: None,
};

/// `Executed 3 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.1 (0.1) seconds`; `✔ Test run with 3 tests in 1 suite passed after …`
fn swift(line: &str) -> Option<TestTally> {
    if let Some((_, rest)) = line.split_once("Test run with ") {
        let (number, rest) = rest.split_once(' ')?;
        (rest.contains(" passed after ") || rest.contains(" failed after ")).then_some(())?;
        return tally(number.parse().ok()?, 0);
    }
    let (number, rest) = line.strip_prefix("Executed ")?.split_once(" test")?;
    let total: u64 = number.parse().ok()?;
    rest.contains(" failure").then_some(())?;
    let skipped = rest.split_once("with ").map_or(0, |(_, rest)| match rest.split_once(' ') {
        Some((number, rest)) if rest.starts_with("test skipped") || rest.starts_with("tests skipped") => {
            number.parse().unwrap_or(0)
        }
        _ => 0,
    });
    tally(total.saturating_sub(skipped), skipped)
}
