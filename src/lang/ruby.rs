//! Ruby: rspec, minitest and test-unit.

use super::closing::Counts;
use super::printed::{FailedAssertion, located};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["ruby", "rspec", "rake", "bundle"],
    runners: &[RSPEC, MINITEST, TEST_UNIT],
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
    // `3 examples, 0 failures, 1 pending`
    read: Read::EachLine(|line| {
        Counts { needs: " failure", all: &["example", "examples"], skipped: &["pending"] }.read(line)
    }),
    selection: None,
};

/// Tests of this library run in a script of their own, so no call tells that it is used.
const MINITEST: TestRunner = TestRunner {
    name: "minitest",
    is_called: |_, _| false,
    lists: &[],
    closes: Closes::Once,
    // `2 runs, 1 assertions, 0 failures, 0 errors, 1 skips`
    read: Read::EachLine(|line| Counts { needs: " assertions, ", all: &["runs"], skipped: &["skips"] }.read(line)),
    selection: None,
};

const TEST_UNIT: TestRunner = TestRunner {
    name: "test-unit",
    // `3 tests, 1 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications`
    read: Read::EachLine(|line| {
        Counts { needs: " assertions, ", all: &["tests"], skipped: &["pendings", "omissions"] }.read(line)
    }),
    ..MINITEST
};

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
