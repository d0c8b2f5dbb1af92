//! C and C++: make and ctest.

use super::closing::{TestTally, before, tally};
use super::printed::{FailedAssertion, position};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    runners: &[CTEST, GTEST, CATCH2],
    failures: |lines| lines.iter().filter_map(|line| c_assert(line)).collect(),
    autoloads: &[(&["ctest"], |file| file.name == "CTestCustom.cmake")],
    uncompiled: |lines, _| lines.iter().any(|line| is_uncompiled(line)),
    ..NOTHING
};

const CTEST: TestRunner = TestRunner {
    name: "ctest",
    is_called: |program, _| program == "ctest",
    lists: &["-N", "--show-only", "--print-labels", "--help", "--version"],
    closes: Closes::Once,
    read: Read::AllLines(ctest),
    selection: None,
};

/// Test programs have names of their own, so no call tells which library they use.
const GTEST: TestRunner = TestRunner {
    name: "GoogleTest",
    is_called: |_, _| false,
    lists: &[],
    closes: Closes::Often,
    read: Read::AllLines(gtest),
    ..CTEST
};

const CATCH2: TestRunner = TestRunner { name: "Catch2 or doctest", read: Read::EachLine(catch2), ..GTEST };

/// `[==========] 3 tests from 1 test suite ran. (0 ms total)`, followed by `[  SKIPPED ] 1 test, listed below:`
fn gtest(lines: &[String]) -> Vec<TestTally> {
    let count = |text: &str| text.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    let mut closings: Vec<TestTally> = Vec::new();
    for line in lines {
        if line.contains(" ran. (") {
            let all = line.strip_prefix("[==========] ").and_then(count);
            closings.extend(all.and_then(|all| tally(all, 0)));
        } else if line.ends_with(", listed below:")
            && let (Some(skipped), Some(last)) =
                (line.strip_prefix("[  SKIPPED ] ").and_then(count), closings.last_mut())
        {
            (last.ran, last.skipped) = (last.ran.saturating_sub(skipped), skipped);
        }
    }
    closings
}

/// `All tests passed (5 assertions in 2 test cases)`; `test cases: 3 | 2 passed | 1 skipped`, with `[doctest]` before it;
/// `No tests ran`
fn catch2(line: &str) -> Option<TestTally> {
    if line == "No tests ran" {
        return tally(0, 0);
    }
    if let Some(counts) = line.strip_prefix("All tests passed (") {
        let cases = counts.split_once(" in ")?.1.split_once(" test case")?.0;
        return tally(cases.parse().ok()?, 0);
    }
    let counts =
        line.trim_start_matches("[doctest] ").strip_prefix("test cases: ").filter(|counts| counts.contains(" | "))?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "skipped"))
}

/// `100% tests passed, 0 tests failed out of 5`, followed by the skipped tests; `No tests were found!!!`
fn ctest(lines: &[String]) -> Vec<TestTally> {
    let mut closings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line == "No tests were found!!!" {
            closings.push(TestTally::default());
        }
        let Some((head, total)) = line.rsplit_once(" tests failed out of ") else { continue };
        let (Ok(total), true) = (total.parse::<u64>(), head.contains("% tests passed")) else { continue };
        let idle =
            |line: &&String| line.ends_with("(Skipped)") || line.ends_with("(Disabled)") || line.ends_with("(Not Run)");
        let skipped = lines[index + 1..].iter().filter(idle).count() as u64;
        closings.push(TestTally { ran: total.saturating_sub(skipped), skipped, ..TestTally::default() });
    }
    closings
}

/// `calc.cpp:3:5: error: …`. Test libraries print no column in their errors.
fn is_uncompiled(line: &str) -> bool {
    let place = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: ")).map(|(place, _)| place);
    let file = place.and_then(position).map(|(path, _, _)| path.rsplit('.').next().unwrap_or_default());
    file.is_some_and(|ending| matches!(ending, "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx"))
}

/// ``check: check.c:12: main: Assertion `n == 4' failed.``
fn c_assert(line: &str) -> Option<FailedAssertion> {
    let (head, _) = line.split_once(": Assertion `").filter(|(_, rest)| rest.contains("' failed"))?;
    let (place, function) = head.split_once(": ").and_then(|(_, rest)| rest.split_once(": "))?;
    let (path, line) = place.rsplit_once(':')?;
    Some(FailedAssertion {
        is_top: function == "main" || function.starts_with("int main("),
        ..FailedAssertion::at(path, line)?
    })
}
