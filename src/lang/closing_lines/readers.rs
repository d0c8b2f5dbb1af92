//! The closing lines of each runner, as of 2026.

use super::Tally;
use super::kinds::RunnerKind;

/// The closing lines of one runner, in order.
pub(super) fn read(kind: RunnerKind, lines: &[String]) -> Vec<Tally> {
    let each = |reader: fn(&str) -> Option<Tally>| lines.iter().filter_map(|line| reader(line)).collect();
    match kind {
        RunnerKind::Pytest => each(pytest),
        RunnerKind::Unittest => unittest(lines),
        RunnerKind::Cargo => each(cargo),
        RunnerKind::Nextest => each(nextest),
        RunnerKind::Go => go(lines),
        RunnerKind::Jest => each(jest),
        RunnerKind::Vitest => each(vitest),
        RunnerKind::Mocha => mocha(lines),
        RunnerKind::Node => node(lines),
        RunnerKind::Dotnet => each(dotnet),
        RunnerKind::Gradle => gradle(lines),
        RunnerKind::Maven => each(maven),
        RunnerKind::Ctest => ctest(lines),
        RunnerKind::Rspec => each(rspec),
        RunnerKind::Phpunit => each(phpunit),
        RunnerKind::Swift => each(swift),
    }
}

fn tally(ran: u64, skipped: u64) -> Option<Tally> {
    Some(Tally { ran, skipped, ..Tally::default() })
}

/// More tests than anyone has. The limit keeps sums of printed numbers small.
const MOST: u64 = 1 << 40;

/// The number before a word, in a list like `3 passed, 1 skipped`; 0 if the word is missing.
fn before(list: &str, word: &str) -> u64 {
    list.split([',', ';', '|'])
        .find_map(|part| {
            let (number, rest) = part.trim().split_once(' ')?;
            (rest.split([' ', '(']).next()? == word).then(|| number.parse().ok())?
        })
        .map_or(0, |number: u64| number.min(MOST))
}

/// The number after a label, in a list like `Failed: 0, Passed: 12`.
fn behind(list: &str, label: &str) -> Option<u64> {
    list.split([',', '-']).find_map(|part| {
        let number: u64 =
            part.trim().strip_prefix(label)?.trim_start_matches(':').trim().trim_end_matches('.').parse().ok()?;
        Some(number.min(MOST))
    })
}

/// `==== 3 passed, 1 skipped in 0.12s ====`, with `-q` without the frame; `no tests ran in 0.01s`.
fn pytest(line: &str) -> Option<Tally> {
    let inner = line.trim_matches('=').trim();
    let (counts, time) = inner.rsplit_once(" in ")?;
    if !time.starts_with(|c: char| c.is_ascii_digit()) || !time.contains('s') {
        return None;
    }
    if counts == "no tests ran" {
        return tally(0, 0);
    }
    let known = |part: &str| {
        part.trim().split_once(' ').is_some_and(|(number, word)| {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && matches!(
                    word,
                    "passed"
                        | "failed"
                        | "skipped"
                        | "deselected"
                        | "xfailed"
                        | "xpassed"
                        | "error"
                        | "errors"
                        | "warning"
                        | "warnings"
                        | "rerun"
                )
        })
    };
    if !counts.split(',').all(known) {
        return None;
    }
    let ran =
        ["passed", "failed", "xfailed", "xpassed", "error", "errors"].iter().map(|word| before(counts, word)).sum();
    let excused = before(counts, "xfailed");
    Some(Tally { ran, skipped: before(counts, "skipped"), left_out: before(counts, "deselected"), excused })
}

/// A line of dashes, `Ran 3 tests in 0.001s`, then `OK (skipped=3)` or `NO TESTS RAN`. If one block has the line of
/// dashes, blocks without it are printed text: Python holds back what tests print, so it follows the runner's own
/// lines.
fn unittest(lines: &[String]) -> Vec<Tally> {
    let mut closings = Vec::new();
    let is_ruled =
        |index: usize| index > 0 && !lines[index - 1].is_empty() && lines[index - 1].bytes().all(|byte| byte == b'-');
    for (index, line) in lines.iter().enumerate() {
        let Some(ran) = line.strip_prefix("Ran ").and_then(|rest| {
            let (number, rest) = rest.split_once(' ')?;
            (rest.starts_with("test in ") || rest.starts_with("tests in ")).then(|| number.parse::<u64>().ok())?
        }) else {
            continue;
        };
        let result = lines[index + 1..].iter().find(|line| !line.is_empty()).map_or("", String::as_str);
        let count = |label: &str| {
            result.split(['(', ',', ')']).find_map(|part| part.trim().strip_prefix(label)?.parse().ok()).unwrap_or(0)
        };
        let skipped: u64 = count("skipped=");
        let excused = count("expected failures=");
        closings.push((is_ruled(index), Tally { ran: ran.saturating_sub(skipped), skipped, left_out: 0, excused }));
    }
    let ruled = closings.iter().any(|(ruled, _)| *ruled);
    closings.into_iter().filter(|(own, _)| *own || !ruled).map(|(_, tally)| tally).collect()
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn cargo(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    if !counts.contains(" passed; ") || !counts.contains(" ignored; ") {
        return None;
    }
    let ran = before(counts, "passed") + before(counts, "failed") + before(counts, "measured");
    let left_out = before(counts, "filtered");
    Some(Tally { ran, skipped: before(counts, "ignored"), left_out, excused: 0 })
}

/// `Summary [   0.005s] 5 tests run: 5 passed, 2 skipped`
fn nextest(line: &str) -> Option<Tally> {
    let (time, counts) = line.strip_prefix("Summary [")?.split_once(']')?;
    let (ran, rest) = counts.split_once(" run:")?;
    let ran = ran.trim().split(['/', ' ']).next()?.parse().ok()?;
    time.trim().ends_with('s').then_some(())?;
    // The runner counts ignored tests and filtered tests together.
    Some(Tally { ran, left_out: before(rest, "skipped"), ..Tally::default() })
}

/// `ok  \tpkg\t0.005s`, `ok  \tpkg\t0.005s [no tests to run]`, `?   \tpkg\t[no test files]`, `pkg\t\tcoverage: 0.0% of
/// statements`, `FAIL\tpkg\t0.005s`. With `-v`, the lines of the tests say whether all were skipped.
fn go(lines: &[String]) -> Vec<Tally> {
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
        closings.push(Tally { ran: u64::from(tested && !verbose), skipped: 0, ..Tally::default() });
    }
    if verbose && let Some(last) = closings.last_mut() {
        *last = Tally { ran, skipped, ..Tally::default() };
    }
    closings
}

/// `0.005s`
fn is_seconds(time: &str) -> bool {
    time.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok())
}

/// `Tests:       1 skipped, 3 passed, 4 total`; `No tests found, exiting with code 0`
fn jest(line: &str) -> Option<Tally> {
    if line == "No tests found, exiting with code 0" {
        return tally(0, 0);
    }
    let counts = line.strip_prefix("Tests: ")?;
    counts.trim_end().ends_with(" total").then_some(())?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "skipped") + before(counts, "todo"))
}

/// `Tests  3 passed | 1 skipped (4)`; `No test files found, exiting with code 0`; `Tests  no tests`
fn vitest(line: &str) -> Option<Tally> {
    if line == "No test files found, exiting with code 0" {
        return tally(0, 0);
    }
    let counts = line.strip_prefix("Tests  ")?.trim();
    if counts == "no tests" {
        return tally(0, 0);
    }
    counts.ends_with(')').then_some(())?;
    tally(before(counts, "passed") + before(counts, "failed"), before(counts, "skipped") + before(counts, "todo"))
}

/// `3 passing (5ms)`, then `1 pending`, `1 failing`
fn mocha(lines: &[String]) -> Vec<Tally> {
    let mut closings: Vec<Tally> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((number, rest)) = line.split_once(" passing (") else { continue };
        let Ok(passing) = number.parse::<u64>().map(|number| number.min(MOST)) else { continue };
        if !rest.ends_with(')') {
            continue;
        }
        let after = &lines[index + 1..lines.len().min(index + 3)];
        let count = |word: &str| {
            after
                .iter()
                .find_map(|line| line.strip_suffix(word)?.trim().parse::<u64>().ok())
                .map_or(0, |number| number.min(MOST))
        };
        closings.push(Tally { ran: passing + count("failing"), skipped: count("pending"), ..Tally::default() });
    }
    closings
}

/// `# tests 3` … `# pass 3`, `# fail 0`, `# skipped 0`, `# todo 0`; with the spec reporter `ℹ` in place of `#`.
fn node(lines: &[String]) -> Vec<Tally> {
    let number = |line: &str, word: &str| -> Option<u64> {
        let rest = line.strip_prefix('#').or_else(|| line.strip_prefix('ℹ'))?.trim_start();
        rest.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
    };
    let mut closings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(tests) = number(line, "tests") else { continue };
        let after = &lines[index + 1..lines.len().min(index + 9)];
        let count = |word: &str| after.iter().find_map(|line| number(line, word));
        let (Some(_), Some(skipped)) = (count("pass"), count("skipped")) else { continue };
        let idle = skipped.min(MOST) + count("todo").unwrap_or(0).min(MOST);
        closings.push(Tally { ran: tests.saturating_sub(idle), skipped: idle, ..Tally::default() });
    }
    closings
}

/// `Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: …`; `Test summary: total: 3, failed: 0, succeeded: 3,
/// skipped: 0, …`; `No test is available in …`
fn dotnet(line: &str) -> Option<Tally> {
    if line.starts_with("No test is available in ") || line.starts_with("No test matches the given testcase filter") {
        return tally(0, 0);
    }
    if let Some(counts) = line.strip_prefix("Test summary: ") {
        return tally(behind(counts, "failed")? + behind(counts, "succeeded")?, behind(counts, "skipped")?);
    }
    let (_, counts) = line.split_once("!  - ").or_else(|| line.split_once("! - "))?;
    tally(behind(counts, "Failed")? + behind(counts, "Passed")?, behind(counts, "Skipped")?)
}

/// `> Task :test NO-SOURCE`. A task that gradle took from its cache ran before.
fn gradle(lines: &[String]) -> Vec<Tally> {
    let mut closings = Vec::new();
    for line in lines {
        let Some(task) = line.strip_prefix("> Task ") else { continue };
        let (name, state) = task.split_once(' ').unwrap_or((task, ""));
        if name.rsplit(':').next().is_some_and(|name| name == "test" || name.ends_with("Test")) {
            closings.push(Tally {
                ran: u64::from(!matches!(state, "NO-SOURCE" | "SKIPPED")),
                skipped: 0,
                ..Tally::default()
            });
        }
    }
    closings
}

/// `[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1` (a line with a time is one class and is not counted); `No
/// tests to run.`
fn maven(line: &str) -> Option<Tally> {
    let rest =
        ["[INFO]", "[WARNING]", "[ERROR]"].iter().find_map(|level| line.strip_prefix(level)).unwrap_or(line).trim();
    if matches!(rest, "No tests to run." | "Tests are skipped.") {
        return tally(0, 0);
    }
    if rest.contains("Time elapsed") || !rest.starts_with("Tests run: ") {
        return None;
    }
    let (run, skipped) = (behind(rest, "Tests run")?, behind(rest, "Skipped")?);
    tally(run.saturating_sub(skipped), skipped)
}

/// `100% tests passed, 0 tests failed out of 5`, followed by the skipped ones; `No tests were found!!!`
fn ctest(lines: &[String]) -> Vec<Tally> {
    let mut closings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line == "No tests were found!!!" {
            closings.push(Tally::default());
        }
        let Some((head, total)) = line.rsplit_once(" tests failed out of ") else { continue };
        let (Ok(total), true) = (total.parse::<u64>(), head.contains("% tests passed")) else { continue };
        let idle =
            |line: &&String| line.ends_with("(Skipped)") || line.ends_with("(Disabled)") || line.ends_with("(Not Run)");
        let skipped = lines[index + 1..].iter().filter(idle).count() as u64;
        closings.push(Tally { ran: total.saturating_sub(skipped), skipped, ..Tally::default() });
    }
    closings
}

/// `3 examples, 0 failures, 1 pending`
fn rspec(line: &str) -> Option<Tally> {
    let (number, rest) = line.split_once(" example")?;
    let total: u64 = number.parse().ok()?;
    rest.contains(" failure").then_some(())?;
    let pending = before(rest.split_once(", ")?.1, "pending");
    tally(total.saturating_sub(pending), pending)
}

/// `OK (3 tests, 5 assertions)`; `Tests: 3, Assertions: 0, Skipped: 3.`; `No tests executed!`
fn phpunit(line: &str) -> Option<Tally> {
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

/// `Executed 3 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.1 (0.1) seconds`; `✔ Test run with 3 tests in 1 suite passed after …`
fn swift(line: &str) -> Option<Tally> {
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
