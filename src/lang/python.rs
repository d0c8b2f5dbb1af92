//! Python: pytest and unittest.

pub(crate) mod modules;

use std::path::Path;

use super::closing::{TestTally, before, tally};
use super::printed::{FailedAssertion, SHOWN, is_same, located};
use super::toolchain::{Closes, NOTHING, NamedFile, Read, Selection, TestRunner, Toolchain, words};
use crate::shell::quote;

const PROGRAMS: &[&str] = &["python", "pypy", "pytest", "py.test", "nose"];

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: PROGRAMS,
    runners: &[PYTEST, UNITTEST],
    dependencies: &[".venv", "venv", "env", ".tox", ".nox", "site-packages"],
    loaders: &["PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONUSERBASE"],
    failures,
    uncompiled,
    autoloads: &[(PROGRAMS, is_loaded), (&["pytest", "py.test", "nose", "tox", "nox"], is_loaded_by_pytest)],
    ..NOTHING
};

const PYTEST: TestRunner = TestRunner {
    name: "pytest",
    is_called: |program, args| matches!(program, "pytest" | "py.test") || module(program, args) == Some("pytest"),
    lists: &["--collect-only", "--co", "--fixtures", "--markers", "--help", "-h", "--version", "-V"],
    closes: Closes::Once,
    read: Read::EachLine(pytest),
    selection: Some(Selection {
        // `FAILED tests/test_a.py::test_x - assert 1 == 2`
        failed: |line| {
            let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
            Some(rest.split(" - ").next().filter(|name| name.contains("::"))?.to_owned())
        },
        // Files that are already on the line would run as well.
        line: |verify, tests| {
            let is_bare = verify.text.ends_with("pytest") || verify.text.ends_with("pytest -q");
            is_bare.then(|| format!("{}{}", verify.text, words(tests)))
        },
    }),
};

const UNITTEST: TestRunner = TestRunner {
    name: "unittest",
    is_called: |program, args| module(program, args) == Some("unittest"),
    lists: &["--help", "-h"],
    closes: Closes::Aside,
    read: Read::AllLines(unittest),
    selection: Some(Selection {
        // `FAIL: test_a (test_shop.Shop.test_a) (i=2)`, `ERROR: test_a (test_shop.Shop)`
        failed: |line| {
            let (test, rest) =
                line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "))?.split_once(" (")?;
            let place = rest.split(')').next()?;
            let end = format!(".{test}");
            Some(if place.ends_with(&end) { place.to_owned() } else { format!("{place}{end}") })
        },
        line: |verify, tests| {
            let patterns = tests.iter().map(|test| format!(" -k {}", quote(&format!("*{test}"))));
            (!verify.has(&["-k"])).then(|| format!("{}{}", verify.text, patterns.collect::<String>()))
        },
    }),
};

/// Returns the module of a call such as `python3 -m pytest`.
fn module<'a>(program: &str, args: &[&'a str]) -> Option<&'a str> {
    let at = args.iter().position(|arg| *arg == "-m").filter(|_| program.starts_with("python"))?;
    args.get(at + 1).copied()
}

/// The words that pytest uses in its counts.
const COUNTED: [&str; 11] = [
    "passed", "failed", "skipped", "deselected", "xfailed", "xpassed", "error", "errors", "warning", "warnings",
    "rerun",
];

/// `==== 3 passed, 1 skipped in 0.12s ====`, without the frame under `-q`; `no tests ran in 0.01s`.
fn pytest(line: &str) -> Option<TestTally> {
    let inner = line.trim_matches('=').trim();
    let (counts, time) = inner.rsplit_once(" in ")?;
    if !time.starts_with(|c: char| c.is_ascii_digit()) || !time.contains('s') {
        return None;
    }
    if counts == "no tests ran" {
        return tally(0, 0);
    }
    let known = |part: &str| {
        let (number, word) = part.trim().split_once(' ').unwrap_or_default();
        number.bytes().all(|byte| byte.is_ascii_digit()) && COUNTED.contains(&word)
    };
    if !counts.split(',').all(known) {
        return None;
    }
    let ran =
        ["passed", "failed", "xfailed", "xpassed", "error", "errors"].iter().map(|word| before(counts, word)).sum();
    let excused = before(counts, "xfailed");
    Some(TestTally { ran, skipped: before(counts, "skipped"), left_out: before(counts, "deselected"), excused })
}

/// A line of dashes, `Ran 3 tests in 0.001s`, then `OK (skipped=3)` or `NO TESTS RAN`. If one block has the line of
/// dashes, blocks without it are text that tests printed: Python buffers this text, so it follows the runner's own lines.
fn unittest(lines: &[String]) -> Vec<TestTally> {
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
        closings.push((is_ruled(index), TestTally { ran: ran.saturating_sub(skipped), skipped, left_out: 0, excused }));
    }
    let ruled = closings.iter().any(|(ruled, _)| *ruled);
    closings.into_iter().filter(|(own, _)| *own || !ruled).map(|(_, tally)| tally).collect()
}

/// Empty if the output mentions a second exception, because either of the two may have made the test fail.
fn failures(lines: &[&str]) -> Vec<FailedAssertion> {
    if lines.iter().any(|line| line.contains("the above exception")) {
        return Vec::new();
    }
    [traceback(lines), pytest_failures(lines)].concat()
}

/// `File "x.py", line 9, in test_a` … `AssertionError: 100 != 90`: returns the last frame of a traceback. For other errors
/// (`AttributeError: …`), returns all frames, the last frame first.
fn traceback(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Vec<FailedAssertion>)> = None;
    for line in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.starts_with("Traceback (most recent call last)") {
            open = Some((indent, Vec::new()));
        } else if let Some((outer, frames)) = open.as_mut().filter(|_| !text.is_empty()) {
            if indent > *outer {
                frames.extend(frame(text));
                continue;
            }
            if text.starts_with("AssertionError") {
                found.extend(frames.pop().map(|last| last.comparing(text)));
            } else if is_error(text) {
                found.extend(raised(frames));
            }
            open = None;
        }
    }
    found
}

/// Returns the lines through which an error passed, the last line first, without repetitions.
fn raised(frames: &mut Vec<FailedAssertion>) -> impl Iterator<Item = FailedAssertion> + '_ {
    frames.dedup();
    frames.drain(..).rev().map(FailedAssertion::raised)
}

/// Whether a line reports an error: `AttributeError`, `requests.exceptions.HTTPError: 404`.
fn is_error(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    name.chars().all(is_name) && (name.ends_with("Error") || name.ends_with("Exception"))
}

/// `File "x.py", line 9` above `SyntaxError: …`. A line that ends in `, in f` does not count: a function raised that error.
fn uncompiled(lines: &[&str], file: &Path) -> bool {
    let bare = |line: &str| line.trim_start_matches(['E', ' ']).to_owned();
    let is_head = |line: &str| {
        let bare = bare(line);
        let place = bare.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line "));
        place.is_some_and(|(path, number)| number.trim_end().parse::<usize>().is_ok() && is_same(path, file))
    };
    let is_error = |line: &&str| {
        let bare = bare(line);
        ["SyntaxError: ", "IndentationError: ", "TabError: "].iter().any(|error| bare.starts_with(error))
    };
    lines.iter().enumerate().any(|(at, line)| is_head(line) && lines[at + 1..].iter().take(SHOWN).any(is_error))
}

fn frame(text: &str) -> Option<FailedAssertion> {
    let (path, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, function) = rest.split_once(", in ")?;
    Some(FailedAssertion { is_top: function.trim() == "<module>", ..FailedAssertion::at(path, line)? })
}

/// `tests/test_a.py:4: AssertionError`; with short tracebacks, `tests/test_a.py:4: in test_a` above `E   assert 100 == 90`.
/// The lines of the calls, `tests/test_a.py:9: `, come before.
fn pytest_failures(lines: &[&str]) -> Vec<FailedAssertion> {
    let mut found = Vec::new();
    let mut calls: Vec<FailedAssertion> = Vec::new();
    let mut entered = false;
    let mut message = "";
    let says = |text: &str| text.starts_with("AssertionError") || text.starts_with("assert ");
    for line in lines {
        if let Some(text) = line.strip_prefix("E  ").map(str::trim_start) {
            message = if says(text) { text } else { message };
            if entered && says(text) {
                found.extend(calls.pop().map(|last| last.comparing(text)));
                entered = false;
            } else if entered && is_error(text) {
                found.extend(raised(&mut calls));
                entered = false;
            }
        } else if line.starts_with("____") {
            calls.clear();
        } else if let Some((failed, rest)) = located(line).filter(|(failed, _)| failed.path.ends_with(".py")) {
            if let Some(function) = rest.strip_prefix("in ") {
                calls.push(FailedAssertion { is_top: function == "<module>", ..failed });
                entered = true;
            } else if says(rest) {
                calls.clear();
                found.push(failed.comparing(std::mem::take(&mut message)));
            } else if rest.is_empty() {
                calls.push(failed);
            } else if is_error(rest) {
                calls.push(failed);
                found.extend(raised(&mut calls));
            }
        }
    }
    found
}

/// Whether every Python loads the file.
fn is_loaded(file: &NamedFile<'_>) -> bool {
    let name = file.name;
    matches!(name, "sitecustomize.py" | "usercustomize.py" | "pyvenv.cfg")
        || name.ends_with(".pth")
        || name.ends_with(".egg-link")
}

/// Whether pytest or a similar runner loads the file; unittest does not.
fn is_loaded_by_pytest(file: &NamedFile<'_>) -> bool {
    match file.name {
        "conftest.py" | "pytest.ini" | ".pytest.ini" | "pytest.toml" => true,
        "setup.cfg" | "tox.ini" => file.holds(&["[tool:pytest]", "[pytest]", "[nosetests]", "[unittest]"]),
        "pyproject.toml" => file.holds(&["[tool.pytest"]),
        _ => false,
    }
}
