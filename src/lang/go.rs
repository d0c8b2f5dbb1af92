//! Go.

use super::closing::TestTally;
use super::printed::{FailedAssertion, located};
use super::toolchain::{Closes, NOTHING, Read, Selection, TestRunner, Toolchain, any_of};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["go"],
    runners: &[GO],
    loaders: &["GOENV", "GOFLAGS", "GOPATH", "GOROOT", "GOTOOLCHAIN", "GOWORK"],
    failures,
    uncompiled: |lines, _| {
        lines.iter().any(|line| line.ends_with(" [build failed]") || line.ends_with(" [setup failed]"))
    },
    ..NOTHING
};

const GO: TestRunner = TestRunner {
    name: "go test",
    is_called: |program, args| program == "go" && args.first() == Some(&"test"),
    lists: &["-list", "--list", "-n"],
    closes: Closes::Often,
    read: Read::AllLines(go),
    selection: Some(Selection {
        failed: |line| Some(line.strip_prefix("--- FAIL: ")?.split(' ').next()?.to_owned()),
        line: |verify, tests| {
            let is_free = !verify.has(&["-run", "--run", "-args"]);
            is_free.then(|| format!("{} -run {}", verify.text, any_of(tests)))
        },
    }),
};

/// `ok  \tpkg\t0.005s`, `ok  \tpkg\t0.005s [no tests to run]`, `?   \tpkg\t[no test files]`, `pkg\t\tcoverage: 0.0% of
/// statements`, `FAIL\tpkg\t0.005s`. With `-v`, the lines of the tests say whether all were skipped.
fn go(lines: &[String]) -> Vec<TestTally> {
    let verbose = lines.iter().any(|line| line.starts_with("=== RUN "));
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count() as u64;
    let (ran, skipped) = (count("--- PASS: ") + count("--- FAIL: "), count("--- SKIP: "));
    let mut closings = Vec::new();
    for line in lines {
        let mut parts = line.split_whitespace();
        let tested = match (parts.next(), parts.next(), parts.next()) {
            (Some("ok"), Some(_), Some(time)) if time == "(cached)" || is_seconds(time) => {
                !line.ends_with("[no tests to run]")
            }
            (Some("FAIL"), Some(_), Some(time)) if is_seconds(time) => true,
            (Some("?"), Some(_), Some("[no")) if line.ends_with("[no test files]") => false,
            _ => continue,
        };
        closings.push(TestTally { ran: u64::from(tested && !verbose), skipped: 0, ..TestTally::default() });
    }
    if verbose && let Some(last) = closings.last_mut() {
        *last = TestTally { ran, skipped, ..TestTally::default() };
    }
    closings
}

/// `0.005s`
fn is_seconds(time: &str) -> bool {
    time.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok())
}

/// `    price_test.go:7: got 100, want 90` below `--- FAIL: TestOff`; the line with the package comes last.
fn failures(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found: Vec<FailedAssertion> = Vec::new();
    let (mut is_failing, mut told) = (false, 0);
    for line in lines {
        let text = line.trim_start();
        if text.starts_with("--- FAIL:") {
            is_failing = true;
        } else if let Some(package) = line.strip_prefix("FAIL\t") {
            let package = package.split('\t').next().map(str::to_owned);
            found[told..].iter_mut().for_each(|failed| failed.package.clone_from(&package));
            (is_failing, told) = (false, found.len());
        } else if text.starts_with("--- ") || text.starts_with("=== ") || text.len() == line.len() {
            is_failing = false;
        } else if let Some((failed, rest)) = located(text).filter(|_| is_failing) {
            found.extend(Some(failed.comparing(rest)).filter(|failed| failed.path.ends_with("_test.go")));
        }
    }
    found.retain(|failed| failed.package.is_some());
    found
}
