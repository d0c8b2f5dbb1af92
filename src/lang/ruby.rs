//! Ruby: rspec, minitest and test-unit.

use super::closing::{TestTally, before, tally};
use super::printed::{FailedAssertion, located};
use super::test_runner::{Closes, Read, TestRunner};
use super::toolchain::{NOTHING, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["ruby", "rspec", "rake", "bundle"],
    runners: &[RSPEC],
    loaders: &["RUBYLIB", "RUBYOPT"],
    failures,
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
fn rspec(line: &str) -> Option<TestTally> {
    let (number, rest) = line.split_once(" example")?;
    let total: u64 = number.parse().ok()?;
    rest.contains(" failure").then_some(())?;
    let pending = before(rest.split_once(", ")?.1, "pending");
    tally(total.saturating_sub(pending), pending)
}

/// `TestOff#test_ten [test/test_off.rb:5]:` of minitest, and the calls below its `1) Error:` and below
/// `Error: test_ten(TestOff):` of test-unit, the innermost call first.
fn failures(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found = Vec::new();
    let (mut is_open, mut is_told) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let is_head = text.ends_with(") Error:") || text.starts_with("Error: ");
        if is_head {
            (is_open, is_told) = (true, false);
        } else if let Some(call) = call(text).filter(|_| is_open) {
            is_told = true;
            found.push(call.raised());
        } else if is_told {
            is_open = false;
        } else if at > 0 && lines[at - 1].ends_with(") Failure:") {
            found.extend(minitest(text));
        }
    }
    found
}

/// ``test/test_off.rb:13:in `test_off'``
fn call(text: &str) -> Option<FailedAssertion> {
    let (failed, rest) = located(text)?;
    (failed.path.ends_with(".rb") && rest.starts_with("in ")).then_some(failed)
}

fn minitest(text: &str) -> Option<FailedAssertion> {
    let (path, line) = text.strip_suffix("]:")?.rsplit_once(" [")?.1.rsplit_once(':')?;
    path.ends_with(".rb").then(|| FailedAssertion::at(path, line)).flatten()
}
