//! Finds the place of each failed assertion in the output of a test runner. Lines from compilers and linters do not
//! count, because those tools do not run the code.

mod compared;

use std::path::Path;

use serde::{Deserialize, Serialize};

/// How many assertions of one run are read.
const MOST: usize = 100;
/// Longer paths are ignored, in bytes.
const LONGEST: usize = 1024;

/// An assertion that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAssertion {
    /// As printed: relative to the top or to the folder of the run, or only the end of a path.
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    /// The Go package of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// It stands in no function: the file runs as a script.
    #[serde(default)]
    pub is_top: bool,
    /// The values that it compared, as printed. One of them is the expected one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

impl FailedAssertion {
    fn at(path: &str, line: &str) -> Option<Self> {
        let line = line.trim().parse().ok()?;
        let is_path = !path.is_empty() && path.len() <= LONGEST;
        is_path.then(|| FailedAssertion {
            path: path.to_owned(),
            line,
            package: None,
            is_top: false,
            values: Vec::new(),
        })
    }
}

impl FailedAssertion {
    /// The same with the values that a line of its message shows.
    fn comparing(mut self, message: &str) -> Self {
        self.values.extend(compared::values(message));
        self
    }
}

/// The failed assertions of a run in the work tree or export `top`, with paths below it. Files elsewhere are left out.
pub fn below(top: &Path, output: &str) -> Vec<FailedAssertion> {
    let below = |failed: FailedAssertion| {
        let path = Path::new(&failed.path);
        let path = if path.is_absolute() { path.strip_prefix(top).ok()? } else { path };
        Some(FailedAssertion { path: path.to_str()?.to_owned(), ..failed })
    };
    assertions(output).into_iter().filter_map(below).take(MOST).collect()
}

/// Every failed assertion that `output` names, in the order of the runners: Python's unittest and scripts, pytest,
/// Rust, Go, JavaScript, C.
fn assertions(output: &str) -> Vec<FailedAssertion> {
    let lines: Vec<&str> = output.lines().collect();
    let mut found = Vec::new();
    // Either of the two exceptions may have made the test fail.
    if !output.contains("the above exception") {
        found.extend(traceback(&lines));
        found.extend(pytest(&lines));
    }
    for (at, pair) in lines.windows(2).enumerate() {
        let below = lines[at + 2..].iter().take(2);
        found.extend(panic(pair[0], pair[1]).map(|failed| below.fold(failed, |failed, line| failed.comparing(line))));
    }
    found.extend(go(&lines));
    found.extend(stack(&lines));
    found.extend(lines.iter().filter_map(|line| c_assert(line)));
    found
}

/// `File "x.py", line 9, in test_a` … `AssertionError: 100 != 90`: the last frame of a traceback.
fn traceback(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Option<FailedAssertion>)> = None;
    for line in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.starts_with("Traceback (most recent call last)") {
            open = Some((indent, None));
        } else if let Some((outer, last)) = open.as_mut().filter(|_| !text.is_empty()) {
            if indent > *outer {
                *last = frame(text).or(last.take());
            } else {
                let last = last.take();
                found.extend(last.filter(|_| text.starts_with("AssertionError")).map(|last| last.comparing(text)));
                open = None;
            }
        }
    }
    found
}

fn frame(text: &str) -> Option<FailedAssertion> {
    let (path, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, function) = rest.split_once(", in ")?;
    Some(FailedAssertion { is_top: function.trim() == "<module>", ..FailedAssertion::at(path, line)? })
}

/// `tests/test_a.py:4: AssertionError`; with short tracebacks, `tests/test_a.py:4: in test_a` above `E   assert 100 == 90`.
fn pytest(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found = Vec::new();
    let mut entered = None;
    let mut message = "";
    let says = |text: &str| text.starts_with("AssertionError") || text.starts_with("assert ");
    for line in lines {
        if let Some(text) = line.strip_prefix("E  ").filter(|text| says(text.trim_start())) {
            message = text;
            found.extend(entered.take().map(|entered: FailedAssertion| entered.comparing(text)));
        } else if let Some((failed, rest)) = located(line).filter(|(failed, _)| failed.path.ends_with(".py")) {
            match rest.strip_prefix("in ") {
                Some(_) => entered = Some(failed),
                None if says(rest) => found.push(failed.comparing(std::mem::take(&mut message))),
                None => {}
            }
        }
    }
    found
}

/// `path:4: rest`.
fn located(line: &str) -> Option<(FailedAssertion, &str)> {
    let (path, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once(':')?;
    Some((FailedAssertion::at(path, number)?, rest.trim_start()))
}

/// `thread 'a' panicked at tests/a.rs:3:5:` above ``assertion `left == right` failed``.
fn panic(line: &str, next: &str) -> Option<FailedAssertion> {
    let (_, place) = line.split_once(" panicked at ")?;
    let (path, line, _) = position(place.trim_end_matches(':'))?;
    next.trim_start().starts_with("assertion ").then(|| FailedAssertion::at(path, line)).flatten()
}

/// `path:3:5`.
fn position(text: &str) -> Option<(&str, &str, usize)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path, line, column.parse().ok()?))
}

/// `    price_test.go:7: got 100, want 90` below `--- FAIL: TestOff`; the package comes last.
fn go(lines: &[&str]) -> Vec<FailedAssertion> {
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

/// `at Context.<anonymous> (/x/price.test.js:6:10)`: the first frame of an assertion error.
fn stack(lines: &[&str]) -> Vec<FailedAssertion> {
    const BEGINS: [&str; 4] =
        ["AssertionError [ERR_ASSERTION]", "code: 'ERR_ASSERTION'", "AssertionError: expected ", "expect(received)"];
    let mut found = Vec::new();
    let mut is_open = false;
    let mut values: Vec<&str> = Vec::new();
    for line in lines {
        let text = line.trim();
        values.extend(Some(text).filter(|_| is_open));
        if BEGINS.iter().any(|begin| text.contains(begin)) {
            is_open = true;
        } else if matches!(text, "..." | "}") {
            is_open = false;
        } else if let Some(failed) = script_frame(text).filter(|_| is_open) {
            found.push(values.drain(..).fold(failed, FailedAssertion::comparing));
            is_open = false;
        }
    }
    found
}

fn script_frame(text: &str) -> Option<FailedAssertion> {
    const ENDINGS: [&str; 8] = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"];
    let text = text.strip_suffix(')').unwrap_or(text);
    let text = text.rsplit(['(', ' ']).next()?;
    let (path, line, _) = position(text.strip_prefix("file://").unwrap_or(text))?;
    ENDINGS.iter().any(|ending| path.ends_with(ending)).then(|| FailedAssertion::at(path, line)).flatten()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn places(output: &str) -> Vec<String> {
        assertions(output).iter().map(|failed| format!("{}:{}", failed.path, failed.line)).collect()
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
