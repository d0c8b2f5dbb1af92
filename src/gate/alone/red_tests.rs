//! The tests that a run named as failed, and the line that runs only these.

use crate::lang::test_runner::TestRunner;
use crate::shell::quote;
use crate::verify::stage1::Line;

/// How many tests one line runs.
const MOST: usize = 50;

/// Tests that failed.
pub(super) struct RedTests {
    names: Vec<String>,
    /// Verify with these tests alone.
    pub(super) line: Line,
}

impl RedTests {
    /// None if verify is more than one call of a runner that can select tests, or selects some already.
    pub(super) fn of(verify: &Line, output: &str) -> Option<RedTests> {
        let argvs = verify.sequence.argvs();
        let [argv] = &argvs[..] else { return None };
        let runner = TestRunner::of(argv)?;
        let mut names: Vec<String> = Vec::new();
        for name in output.lines().filter_map(|line| failed(runner, line)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() || names.len() > MOST {
            return None;
        }
        let line = Line::read(&selecting(runner, argv, &verify.text, &names)?).ok()?;
        Some(RedTests { names, line })
    }

    pub(super) fn first(&self) -> &str {
        &self.names[0]
    }
}

/// The test that a line of the output says has failed.
fn failed(runner: &TestRunner, line: &str) -> Option<String> {
    let name = match runner.name {
        // `FAIL: test_a (test_shop.Shop.test_a) (i=2)`, `ERROR: test_a (test_shop.Shop)`.
        "unittest" => {
            let (test, rest) =
                line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "))?.split_once(" (")?;
            let place = rest.split(')').next()?;
            let end = format!(".{test}");
            if place.ends_with(&end) { place.to_owned() } else { format!("{place}{end}") }
        }
        "pytest" => {
            let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
            rest.split(" - ").next().filter(|name| name.contains("::"))?.to_owned()
        }
        "go test" => line.strip_prefix("--- FAIL: ")?.split(' ').next()?.to_owned(),
        "cargo test" => line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?.to_owned(),
        "node --test" => match line.trim_start().strip_prefix("not ok ") {
            Some(rest) => rest.split_once(" - ")?.1.to_owned(),
            None => line.trim_start().strip_prefix("✖ ")?.rsplit_once(" (")?.0.to_owned(),
        },
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

/// Verify with options that select these tests.
fn selecting(runner: &TestRunner, argv: &[&str], verify: &str, names: &[String]) -> Option<String> {
    let has = |options: &[&str]| argv.iter().any(|word| options.iter().any(|option| word.starts_with(option)));
    let quoted = |begin: &str| -> String { names.iter().map(|name| format!(" {begin}{}", quote(name))).collect() };
    let any_of = |names: Vec<String>| quote(&format!("^({})$", names.join("|")));
    match runner.name {
        "unittest" if !has(&["-k"]) => {
            let patterns = names.iter().map(|name| format!(" -k {}", quote(&format!("*{name}"))));
            Some(format!("{verify}{}", patterns.collect::<String>()))
        }
        // Files on the line would run too.
        "pytest" if verify.ends_with("pytest") || verify.ends_with("pytest -q") => {
            Some(format!("{verify}{}", quoted("")))
        }
        "go test" if !has(&["-run", "--run", "-args"]) => Some(format!("{verify} -run {}", any_of(names.to_vec()))),
        "cargo test" if argv.iter().skip_while(|word| **word != "test").skip(1).all(|word| is_flag(word)) => {
            Some(format!("{verify}{} -- --exact", quoted("")))
        }
        "node --test" if !has(&["--test-name-pattern", "--test-only"]) => {
            let (before, after) = verify.split_once(" --test")?;
            let pattern = any_of(names.iter().map(|name| escaped(name)).collect());
            Some(format!("{before} --test --test-name-pattern {pattern}{after}"))
        }
        _ => None,
    }
}

/// An option of cargo without a value of its own.
fn is_flag(word: &str) -> bool {
    matches!(
        word,
        "-q" | "--quiet" | "--offline" | "--locked" | "--workspace" | "--all" | "--no-fail-fast" | "--release"
    )
}

/// The name as a pattern that matches only itself.
fn escaped(name: &str) -> String {
    let special = |c: char| ".*+?^${}()|[]\\/".contains(c);
    name.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(verify: &str, output: &str) -> Option<String> {
        RedTests::of(&Line::read(verify).unwrap(), output).map(|tests| tests.line.text)
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
