//! The tests that a run reported as failed, and the command line that runs only these.

use crate::lang::runner_of;
use crate::verify::stage1::CommandLine;

/// How many tests one line runs.
const MOST: usize = 50;
/// How many tests are run one by one.
const SINGLES: usize = 6;

pub(super) struct RedTests {
    names: Vec<String>,
    /// Verify with these tests alone.
    pub(super) line: CommandLine,
    /// Verify with each of a few tests by itself; empty if there is only one, or too many.
    singles: Vec<CommandLine>,
}

impl RedTests {
    /// Returns `None` unless verify is one call of a runner that can select tests and does not select any yet.
    pub(super) fn of(verify: &CommandLine, output: &str) -> Option<RedTests> {
        let argvs = verify.sequence.argvs();
        let [argv] = &argvs[..] else { return None };
        let runner = runner_of(argv)?;
        let mut names: Vec<String> = Vec::new();
        for name in output.lines().filter_map(|line| runner.failed_test(line)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() || names.len() > MOST {
            return None;
        }
        let only = |names: &[String]| CommandLine::read(&runner.selecting(argv, &verify.text, names)?).ok();
        let is_few = (2..=SINGLES).contains(&names.len());
        let singles = if is_few { names.chunks(1).map(only).collect::<Option<Vec<_>>>()? } else { Vec::new() };
        Some(RedTests { line: only(&names)?, names, singles })
    }

    pub(super) fn first(&self) -> &str {
        &self.names[0]
    }

    pub(super) fn are_named(&self, said: &str) -> bool {
        self.names.iter().any(|name| said.contains(name.as_str()))
    }

    /// Each test with the line that runs it by itself.
    pub(super) fn singles(&self) -> impl Iterator<Item = (&str, &CommandLine)> {
        self.names.iter().map(String::as_str).zip(&self.singles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(verify: &str, output: &str) -> Option<String> {
        RedTests::of(&CommandLine::read(verify).unwrap(), output).map(|tests| tests.line.text)
    }

    // P-5
    #[test]
    fn the_tests_that_failed_run_alone() {
        let unittest = "FAIL: test_a (test_shop.Shop.test_a) (i=2)\nFAIL: test_a (test_shop.Shop.test_a)\nERROR: test_b (test_shop.Shop)\n";
        assert_eq!(
            alone("A=1 python3 -m unittest -q", unittest).unwrap(),
            "A=1 python3 -m unittest -q -k '*test_shop.Shop.test_a' -k '*test_shop.Shop.test_b'"
        );
        let pytest = "FAILED tests/test_a.py::T::test_x - assert 1 == 2\nERROR tests/test_b.py\n";
        assert_eq!(alone("python3 -m pytest -q", pytest).unwrap(), "python3 -m pytest -q tests/test_a.py::T::test_x");
        let go = "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n--- FAIL: TestB (0.00s)\n";
        assert_eq!(alone("go test ./...", go).unwrap(), "go test ./... -run '^(TestA|TestB)$'");
        let cargo = "---- tests::a stdout ----\nfailures:\n    tests::a\n";
        assert_eq!(alone("cargo test --offline -q", cargo).unwrap(), "cargo test --offline -q tests::a -- --exact");
        let node = "not ok 1 - adds (x)\n    not ok 1 - in\n";
        assert_eq!(
            alone("node --test test/", node).unwrap(),
            "node --test --test-name-pattern '^(adds \\(x\\)|in)$' test/"
        );
    }

    // P-5
    #[test]
    fn a_few_tests_run_one_by_one() {
        let singles = |output: &str| {
            let tests = RedTests::of(&CommandLine::read("python3 -m unittest").unwrap(), output).unwrap();
            tests.singles().map(|(_, line)| line.text.clone()).collect::<Vec<_>>()
        };
        let failed = |count: usize| (0..count).map(|one| format!("FAIL: test_{one} (a.T)\n")).collect::<String>();
        assert_eq!(
            singles(&failed(2)),
            ["python3 -m unittest -k '*a.T.test_0'", "python3 -m unittest -k '*a.T.test_1'"]
        );
        assert_eq!([1, 6, 7].map(|count| singles(&failed(count)).len()), [0, 6, 0]);
    }

    // P-5
    #[test]
    fn a_line_that_selects_tests_or_starts_several_runners_stays() {
        let unittest = "FAIL: test_a (test_shop.Shop.test_a)\n";
        for verify in ["python3 -m unittest -k test_b", "python3 -m unittest && ruff check", "make test", "sh test.sh"]
        {
            assert_eq!(alone(verify, unittest), None, "{verify}");
        }
        assert_eq!(alone("python3 -m unittest", "OK\n"), None);
        assert_eq!(alone("cargo test --test a", "---- a stdout ----\n"), None);
        assert_eq!(alone("go test -run TestA", "--- FAIL: TestA (0.00s)\n"), None);
        assert_eq!(alone("python3 -m pytest tests", "FAILED tests/a.py::b - x\n"), None);
    }
}
