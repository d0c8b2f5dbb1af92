//! .NET.

use super::closing::{TestTally, behind, tally};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain { runners: &[DOTNET], ..NOTHING };

const DOTNET: TestRunner = TestRunner {
    name: "dotnet test",
    is_called: |program, args| program == "dotnet" && args.first() == Some(&"test"),
    lists: &["--list-tests", "-t", "--help"],
    closes: Closes::Often,
    read: Read::EachLine(dotnet),
    selection: None,
};

/// `Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: …`; `Test summary: total: 3, failed: 0, succeeded: 3,
/// skipped: 0, …`; `No test is available in …`
fn dotnet(line: &str) -> Option<TestTally> {
    if line.starts_with("No test is available in ") || line.starts_with("No test matches the given testcase filter") {
        return tally(0, 0);
    }
    if let Some(counts) = line.strip_prefix("Test summary: ") {
        return tally(behind(counts, "failed")? + behind(counts, "succeeded")?, behind(counts, "skipped")?);
    }
    let (_, counts) = line.split_once("!  - ").or_else(|| line.split_once("! - "))?;
    tally(behind(counts, "Failed")? + behind(counts, "Passed")?, behind(counts, "Skipped")?)
}
