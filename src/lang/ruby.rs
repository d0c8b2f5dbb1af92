//! Ruby: rspec.

use super::closing::{before, tally};
use super::{Closes, NOTHING, Read, Tally, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["ruby", "rspec", "rake", "bundle"],
    runners: &[RSPEC],
    loaders: &["RUBYLIB", "RUBYOPT"],
    autoloads: &[(&["rspec"], |file| file.name == ".rspec")],
    ..NOTHING
};

const RSPEC: TestRunner = TestRunner {
    name: "rspec",
    is_called: |program, _| program == "rspec",
    lists: &["--dry-run", "--version", "--help"],
    closes: Closes::Once,
    read: Read::EachLine(rspec),
    selection: None,
};

/// `3 examples, 0 failures, 1 pending`
fn rspec(line: &str) -> Option<Tally> {
    let (number, rest) = line.split_once(" example")?;
    let total: u64 = number.parse().ok()?;
    rest.contains(" failure").then_some(())?;
    let pending = before(rest.split_once(", ")?.1, "pending");
    tally(total.saturating_sub(pending), pending)
}
