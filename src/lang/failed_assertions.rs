//! Finds the place of each failed assertion in the output of a test runner. Lines from compilers and linters do not
//! count, because these tools do not run the code.

use std::path::Path;

use super::TOOLCHAINS;
pub use super::printed::FailedAssertion;

/// The maximum number of assertions of one run.
const MOST: usize = 100;
/// Returns the failed assertions of a run in the work tree or export `top`, with paths below `top`, and then the lines through
/// which other errors passed. Files elsewhere are left out.
pub fn below(top: &Path, output: &str) -> Vec<FailedAssertion> {
    let below = |failed: FailedAssertion| {
        let path = Path::new(&failed.path);
        let path = if path.is_absolute() { path.strip_prefix(top).ok()? } else { path };
        Some(FailedAssertion { path: path.to_str()?.to_owned(), ..failed })
    };
    let mut found: Vec<FailedAssertion> = assertions(output).into_iter().filter_map(below).collect();
    found.sort_by_key(|failed| failed.is_error);
    found.truncate(MOST);
    found
}

/// Returns all assertions and error lines in `output`, in the order of the ecosystems.
fn assertions(output: &str) -> Vec<FailedAssertion> {
    let lines: Vec<&str> = output.lines().collect();
    TOOLCHAINS.iter().flat_map(|toolchain| (toolchain.failures)(&lines)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_kind(output: &str, is_error: bool) -> Vec<String> {
        let found = assertions(output).into_iter().filter(|failed| failed.is_error == is_error);
        found.map(|failed| format!("{}:{}", failed.path, failed.line)).collect()
    }

    fn places(output: &str) -> Vec<String> {
        of_kind(output, false)
    }

    #[test]
    fn a_runner_names_the_line_of_an_assertion() {
        let python = "Traceback (most recent call last):\n  File \"/x/test_a.py\", line 9, in test_off\n    self.assertEqual(off(50), 90)\nAssertionError: 100 != 90\n\nRan 2 tests\n";
        assert_eq!(places(python), ["/x/test_a.py:9"]);
        assert!(!assertions(python)[0].is_top);
        let script = "  Traceback (most recent call last):\n    File \"/x/checks/off.py\", line 3, in <module>\n      assert off(1) == 2\n             ^^^^^\n  AssertionError\n";
        assert!(assertions(script)[0].is_top);
        assert_eq!(places("E       assert 100 == 90\n\ntests/test_a.py:4: AssertionError\n"), ["tests/test_a.py:4"]);
        assert_eq!(
            places("tests/test_a.py:4: in test_a\n    assert f() == 1\nE   assert 2 == 1\n"),
            ["tests/test_a.py:4"]
        );
        let rust = "thread 'off' (78) panicked at price/tests/off.rs:3:5:\nassertion `left == right` failed\n";
        assert_eq!(places(rust), ["price/tests/off.rs:3"]);
        let go = "--- FAIL: TestOff (0.00s)\n    --- FAIL: TestOff/ten (0.00s)\n        price_test.go:7: got 100, want 90\nFAIL\nFAIL\texample.org/shop/price\t0.007s\nok  \texample.org/shop/stock\t0.003s\n";
        assert_eq!(places(go), ["price_test.go:7"]);
        assert_eq!(assertions(go)[0].package.as_deref(), Some("example.org/shop/price"));
        let tap = "  location: '/x/price.test.js:5:1'\n  code: 'ERR_ASSERTION'\n  stack: |-\n    TestContext.<anonymous> (/x/price.test.js:6:10)\n    Test.run (node:internal/test_runner/test:796:25)\n";
        assert_eq!(places(tap), ["/x/price.test.js:6"]);
        let plain = "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n100 !== 90\n\n    at file:///x/off.mjs:3:8\n    at node:internal/a.js:1:2\n  code: 'ERR_ASSERTION',\n}\n";
        assert_eq!(places(plain), ["/x/off.mjs:3"]);
        let c = "check: check.c:12: main: Assertion `n == 4' failed.\n";
        assert_eq!(places(c), ["check.c:12"]);
        let ruby = "  1) Failure:\nTestOff#test_ten [test/test_off.rb:5]:\nExpected: 90\n  Actual: 100\n";
        assert_eq!(places(ruby), ["test/test_off.rb:5"]);
    }

    // P-5
    #[test]
    fn a_runner_names_the_lines_that_an_error_went_through() {
        let python = "Traceback (most recent call last):\n  File \"/x/test_a.py\", line 9, in test_off\n    self.assertEqual(off(50), 90)\n  File \"/x/a.py\", line 2, in off\n    raise NotImplementedError\nNotImplementedError\n";
        let long = "tests/test_a.py:8: \n_ _ _ _\n>       raise NotImplementedError\nE       NotImplementedError\n\na.py:4: NotImplementedError\n";
        let short = "tests/test_a.py:8: in test_off\n    assert a.off(1) == 2\na.py:4: in off\n    raise NotImplementedError\nE   NotImplementedError\n";
        let ruby = "  2) Error:\nTestOff#test_off:\nNotImplementedError: NotImplementedError\n    /x/off.rb:3:in `off'\n    test/test_off.rb:13:in `test_off'\n\n2 runs\n";
        for (output, lines) in [
            (python, ["/x/a.py:2", "/x/test_a.py:9"]),
            (long, ["a.py:4", "tests/test_a.py:8"]),
            (short, ["a.py:4", "tests/test_a.py:8"]),
            (ruby, ["/x/off.rb:3", "test/test_off.rb:13"]),
        ] {
            assert_eq!((of_kind(output, true), places(output)), (lines.map(str::to_owned).to_vec(), Vec::new()));
        }
        for output in [
            "tests/test_a.py:4: error: Argument 1 to \"off\" has incompatible type\n",
            "tests/test_a.py:4:5: E501 line too long\n",
            "tests/test_a.py:8: in test_off\n    check(1)\ntests/test_a.py:4: in check\n    assert off(1) == 2\nE   assert 1 == 2\n",
            "Traceback (most recent call last):\n  File \"/x/a.py\", line 9, in f\n    f()\nTypeError: f() takes 1\n\nDuring handling of the above exception, another exception occurred:\n",
            "test/test_off.rb:13:in `test_off': warning: old\n    test/test_off.rb:13:in `test_off'\n",
        ] {
            assert_eq!(of_kind(output, true), [""; 0], "{output}");
        }
        let both = below(Path::new("/x"), &format!("{python}E   assert 1 == 2\n\ntests/a.py:4: AssertionError\n"));
        assert_eq!(both.iter().map(|one| one.is_error).collect::<Vec<_>>(), [false, true, true]);
    }

    #[test]
    fn what_lies_elsewhere_is_left_out() {
        let at = |path: &str| format!("E       assert 1 == 2\n\n{path}:4: AssertionError\n");
        let told = |path: &str| below(Path::new("/x"), &at(path)).into_iter().map(|one| one.path).collect::<Vec<_>>();
        assert_eq!(told("/x/tests/a.py"), ["tests/a.py"]);
        assert_eq!(told("tests/a.py"), ["tests/a.py"]);
        assert_eq!(told("/y/tests/a.py"), [""; 0]);
    }

    #[test]
    fn what_is_said_of_a_line_that_was_not_run_is_no_failure() {
        for output in [
            "tests/test_a.py:4:5: E501 line too long\n",
            "tests/test_a.py:4: error: Argument 1 to \"off\" has incompatible type\n    assert off(\"1\") == 90\n",
            "error[E0061]: wrong\n --> tests/off.rs:3:5\n  |\n3 |     assert_eq!(off(1), 90);\n",
            "./price_test.go:7:5: undefined: Off\nFAIL\texample.org/shop [build failed]\n",
            "=== RUN   TestA\n    a_test.go:5: a note\n--- PASS: TestA (0.00s)\nFAIL\tx\t0.1s\n",
            "Traceback (most recent call last):\n  File \"/x/a.py\", line 9, in f\n    f()\nTypeError: f() takes 1\n",
            "Traceback (most recent call last):\n  File \"/x/a.py\", line 9, in f\n    assert f() == 1\nAssertionError\n\nDuring handling of the above exception, another exception occurred:\n",
            "TypeError: off is not a function\n    at Object.<anonymous> (/x/tests/off.js:3:8)\n",
            "thread 'off' panicked at src/lib.rs:3:5:\nindex out of bounds\n",
        ] {
            assert_eq!(places(output), [""; 0], "{output}");
        }
    }
}
