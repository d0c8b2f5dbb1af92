//! `alone`: runs the tests that were red at the start without the other tests. They must be green by themselves too, and a
//! few of them one by one; otherwise they are green only because of calls that other tests made before.

mod red_tests;

use std::path::Path;

use self::red_tests::RedTests;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, pass_if};
use super::source_text::indent;
use super::{GateFinding, GateLevel, goal_text, never_red};
use crate::lang::failed_assertions::{self, FailedAssertion};
use crate::plan::model::GoalKind;
use crate::replay::{Replay, Stop};
use crate::repo::export::Layout;
use crate::verify::stage1::CommandLine;

const ROW: &str = "alone";
/// The words by which a goal declares that a test cannot run by itself.
const NEEDS: &str = "needs other tests";
/// Words for code that runs before the tests, and for state that is kept between them.
const SHARED: [&str; 8] =
    ["setUpClass", "setUpModule", "beforeAll", "before(", "TestMain", "global ", "static mut ", "scope="];
/// Beginnings of lines that only compare or only open a block.
const HARMLESS: [&str; 12] =
    ["assert", "self.assert", "expect", "if ", "with ", "for ", "t.Helper", "t.Run", "//", "#", "\"", "}"];

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    idle_if(candidate.request.kind == GoalKind::Docs, "a goal of kind docs changes no behaviour")?;
    idle_if(candidate.has_changed_as_allowed(), "the goal allows its tests to change")?;
    let red = never_red::red_without_work(probe, base)?.ok_or_else(|| idle("verify is not red without the work"))?;
    let output = probe.replay.output_of(&red, "the files of the start")?;
    let then = failed(probe.replay, &output);
    let Some(tests) = RedTests::of(candidate.request.replay.line, &output).filter(|_| !then.is_empty()) else {
        return Ok(idle("the runner named no test that failed at the start and that it can run by itself"));
    };
    let may_need = |said: &String| tests.are_named(said) && said.contains(NEEDS);
    idle_if(candidate.request.said.iter().any(may_need), "the goal says that a test needs other tests")?;
    let tried = candidate.approved().unwrap_or(&candidate.last).clone();
    let Some(back) = still_failing(probe.replay, &tests.line, &tried, &then, |_, _| true)? else {
        return one_by_one(probe, &tests, [&tried, &red], &then);
    };
    let is_other = still_failing(probe.replay, &tests.line, &red, &then, is_as_before)?.is_none();
    idle_if(is_other, "the tests that failed at the start need other tests")?;
    // Repeated, to exclude chance.
    pass_if(still_failing(probe.replay, &tests.line, &tried, &then, |_, _| true)?.is_none())?;
    probe.confirm_export()?;
    Ok(finding(candidate, &tests.line, tests.first(), &back).into())
}

/// Runs each test by itself, after all the tests that failed at the start were green together.
fn one_by_one(
    probe: &mut Probe<'_, '_>,
    tests: &RedTests,
    [tried, red]: [&Layout; 2],
    then: &[FailedAssertion],
) -> Result<RowResult, EarlyEnd> {
    let mut found = None;
    for (name, line) in tests.singles() {
        let Some(back) = still_failing(probe.replay, line, tried, then, |_, _| true)? else { continue };
        let is_other = still_failing(probe.replay, line, red, then, is_as_before)?.is_none();
        // Repeated, to exclude chance.
        if is_other || still_failing(probe.replay, line, tried, then, |_, _| true)?.is_none() {
            continue;
        }
        // With the same values as at the start, something is missing that an earlier test has to create.
        let is_missing = then.iter().any(|then| is_as_before(then, &back));
        let text = probe.candidate.bytes(tried, Path::new(&back.path))?.unwrap_or_default();
        let is_shared = shares_state(&String::from_utf8_lossy(&text), back.line);
        let level = if is_missing || is_shared { GateLevel::Note } else { GateLevel::Block };
        found = Some(finding(probe.candidate, line, name, &back).level(level));
        if level == GateLevel::Block {
            break;
        }
    }
    let found = found.ok_or_else(RowResult::default)?;
    probe.confirm_export()?;
    Ok(found.into())
}

/// Whether both failed with the same values. A test that needs the leftovers of others fails with other values alone, even without the work.
fn is_as_before(one: &FailedAssertion, other: &FailedAssertion) -> bool {
    one.values.len() > 1 && one.values == other.values
}

fn finding(candidate: &Candidate<'_>, line: &CommandLine, name: &str, back: &FailedAssertion) -> GateFinding {
    let seen = format!(
        "without the other tests, `{}` fails as it did at {}: the result is right only after other tests have run",
        line.text, candidate.start
    );
    let criterion = format!("{name} {NEEDS}");
    let declare = goal_text::command(candidate.request.goal, &criterion);
    let resolve =
        format!("make each result depend on its own input; if the tests are meant to need each other: {declare}");
    let expected = "tests that failed at the start to be green without the others too";
    GateFinding::block(ROW, expected, seen, &resolve).at(format!("{}:{}", back.path, back.line))
}

/// Returns the assertion in which this line fails on a layout as verify did at the start, if there is one.
fn still_failing(
    replay: &mut Replay<'_>,
    line: &CommandLine,
    layout: &Layout,
    then: &[FailedAssertion],
    is_same: impl Fn(&FailedAssertion, &FailedAssertion) -> bool,
) -> Result<Option<FailedAssertion>, Stop> {
    let outcome = replay.check(line, layout, "the tests that failed at the start, without the others")?;
    if !outcome.is_red() {
        return Ok(None);
    }
    let now = failed(replay, &replay.said_all());
    let is_one = |now: &FailedAssertion| {
        then.iter().any(|then| (&then.path, then.line) == (&now.path, now.line) && is_same(then, now))
    };
    Ok(now.into_iter().find(is_one))
}

/// Returns the assertions that failed, without errors: an error says too little to tell one failure from another.
fn failed(replay: &Replay<'_>, output: &str) -> Vec<FailedAssertion> {
    let found = failed_assertions::below(replay.folder(), output);
    found.into_iter().filter(|failed| !failed.is_error).collect()
}

/// Whether the file keeps something between its tests, or the test does something before the assertion in this line.
fn shares_state(text: &str, line: usize) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    SHARED.iter().any(|word| text.contains(word)) || lines.iter().any(|line| is_kept(line)) || acts(&lines, line)
}

/// Whether the line is a variable at the top of the file that holds the result of a call: `const store = new Store();`.
fn is_kept(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return false };
    let made = value.trim_start().trim_start_matches("await ");
    let is_call = made.contains('(') && made.starts_with(|c: char| c.is_alphabetic());
    let is_plain = ["require(", "import(", "new RegExp", "re.compile"].iter().any(|word| made.starts_with(word));
    let is_made =
        is_call && !is_plain && !made.contains("=>") && !made.starts_with("function") && !made.starts_with("lambda");
    line.starts_with(|c: char| c.is_alphabetic()) && !name.contains('(') && is_made
}

/// Whether the lines of the same block above the assertion call something and ignore the result.
fn acts(lines: &[&str], line: usize) -> bool {
    let Some(asserted) = line.checked_sub(1).and_then(|at| lines.get(at)).filter(|line| indent(line) > 0) else {
        return false;
    };
    let above = lines[..line - 1].iter().rev().filter(|line| !line.trim().is_empty());
    let block = above.take_while(|line| indent(line) >= indent(asserted)).map(|line| line.trim());
    block
        .filter(|line| !HARMLESS.iter().any(|word| line.starts_with(word)))
        .any(|line| line.contains('(') && !line.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_test_that_shares_something_is_told_by_its_text() {
        let python = |body: &str| format!("import a\n\n\nclass T(a.B):\n    def test_b(self):\n{body}");
        let asserts = "        self.assertEqual(off(50, 10), 45)\n";
        for (text, line) in [
            (python(&format!("        basket.put(\"pear\")\n{asserts}")), 7),
            (format!("store = Store()\n{}", python(asserts)), 7),
            (format!("{}    def setUpClass(cls):\n        pass\n", python(asserts)), 6),
            ("const store = new Store();\ntest('a', () => assert.equal(store.size, 1));\n".to_owned(), 2),
        ] {
            assert!(shares_state(&text, line), "{text}");
        }
        for (text, line) in [
            (python(asserts), 6),
            (python(&format!("        row = off(1, 2)\n        self.assertEqual(row, 1)\n{asserts}")), 8),
            ("const { off } = require('./off');\ntest('a', () => assert.equal(off(1), 1));\n".to_owned(), 2),
            (
                "func TestA(t *testing.T) {\n\tif got := Off(1); got != 1 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
                    .to_owned(),
                3,
            ),
        ] {
            assert!(!shares_state(&text, line), "{text}");
        }
    }
}
