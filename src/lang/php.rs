//! PHP: phpunit.

use super::closing::{TestTally, before, behind, tally};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["php", "phpunit"],
    runners: &[PHPUNIT],
    loaders: &["PHPRC", "PHP_INI_SCAN_DIR"],
    dependencies: &["vendor"],
    autoloads: &[(&["phpunit"], |file| matches!(file.name, "phpunit.xml" | "phpunit.xml.dist"))],
    ..NOTHING
};

const PHPUNIT: TestRunner = TestRunner {
    name: "phpunit",
    is_called: |program, _| program == "phpunit",
    lists: &["--list-tests", "--list-suites", "--list-groups", "--version", "--help"],
    closes: Closes::Once,
    read: Read::EachLine(phpunit),
    selection: None,
};

/// `OK (3 tests, 5 assertions)`; `Tests: 3, Assertions: 0, Skipped: 3.`; `No tests executed!`
fn phpunit(line: &str) -> Option<TestTally> {
    if line == "No tests executed!" {
        return tally(0, 0);
    }
    if let Some(counts) = line.strip_prefix("OK (").and_then(|rest| rest.strip_suffix(')')) {
        counts.contains(" assertion").then_some(())?;
        return tally(before(counts, "test") + before(counts, "tests"), 0);
    }
    let tests = behind(line.strip_suffix('.').filter(|line| line.starts_with("Tests: "))?, "Tests")?;
    behind(line, "Assertions")?;
    let skipped = behind(line, "Skipped").unwrap_or(0) + behind(line, "Incomplete").unwrap_or(0);
    tally(tests.saturating_sub(skipped), skipped)
}
