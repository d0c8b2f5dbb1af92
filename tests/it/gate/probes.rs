//! Rows that test one trick each: the trick, the honest work that resembles it, and the command that the refusal names.

use super::{CALC, assert_blocked, assert_clear, complete, found, started};
use crate::support::World;

/// Asserts that the gate blocks with this code, and that the command in the refusal lets the work through.
#[track_caller]
fn assert_blocked_until_said(world: &World, code: &str) -> serde_json::Value {
    let finding = assert_blocked(world, code);
    let resolve = finding["resolve"].as_str().unwrap();
    let command = resolve.split('`').nth(1).unwrap_or_else(|| panic!("no command: {resolve}"));
    let line = command.replacen("plan ", "\"$PLAN\" ", 1);
    let said = world.call_program("sh", ["-c", &line]).env("PLAN", env!("CARGO_BIN_EXE_plan")).run();
    assert_eq!(said.code, 0, "{line}: {said:?}");
    let report = complete(world);
    assert_eq!(found(&report).0, [""; 0], "{report:#}");
    finding
}

/// The reason why a row of this run had nothing to check.
fn idle(world: &World, row: &str) -> String {
    let report = complete(world);
    let rows = report["rows"].as_array().unwrap();
    let row = rows.iter().find(|ran| ran["row"] == row).unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!((&row["came"], &row["runs"]), (&"not_applicable".into(), &0.into()), "{row}");
    row["why"].as_str().unwrap().to_owned()
}

// P-5
#[test]
fn a_product_that_imports_its_tests_is_refused() {
    let cases = ("tests/cases.py", "CASES = {(2, 3): 5, (-2, -3): -5}\n");
    let world = started(super::UNITTEST, "", &[CALC, &[cases]].concat());
    world.write("calc.py", "from tests.cases import CASES\n\ndef add(a, b):\n    return CASES.get((a, b), a - b)\n");
    assert_blocked_until_said(&world, "imports-tests");
    world.write("calc.py", super::ADDS);
    assert_eq!(
        idle(&world, "settings-only"),
        "the work changed no settings of a checker and no list of known failures"
    );
}

/// A linter with settings, and with comments that silence it.
const LINT: &str = "set -eu\n. ./.lintrc\nbad=0\nwhile read -r line; do\n    case $line in *'# lint: ignore'*) ;; *eval*) [ \"$evals\" = yes ] || bad=1;; esac\ndone < tool.sh\nexit $bad\n";

fn linted() -> World {
    started("sh ./lint.sh", "", &[("lint.sh", LINT), (".lintrc", "evals=no\n"), ("tool.sh", "a=1\neval \"b=$a\"\n")])
}

// P-5
#[test]
fn settings_alone_are_no_work() {
    let world = linted();
    world.write(".lintrc", "evals=yes\n");
    assert_blocked_until_said(&world, "settings-only");
    let world = linted();
    world.write(".lintrc", "evals=no\nnames=yes\n");
    world.write("tool.sh", "a=1\nb=$a\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn comments_that_silence_a_checker_are_no_work() {
    let world = linted();
    world.write("tool.sh", "a=1\neval \"b=$a\" # lint: ignore\n");
    assert_blocked_until_said(&world, "suppressed");
    let world = linted();
    world.write("tool.sh", "a=1\nb=$a\neval \"c=$b\" # lint: ignore\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
    assert_eq!(idle(&world, "no-waits"), "the work added no sleep of a fixed time outside of loops");
}

// P-5
#[test]
fn a_sleep_that_hides_a_race_is_refused() {
    let test = "set -eu\nout=$(mktemp -d)\ntrap 'rm -r \"$out\"' EXIT\nsh ./make.sh \"$out/a\" > \"$out/log\"\n[ \"$(cat \"$out/a\")\" = done ]\n";
    let make = "(sleep 0.3; echo done > \"$1\") &\n";
    let raced = || started("sh ./test.sh", "", &[("make.sh", make), ("test.sh", test)]);
    let world = raced();
    world.write("make.sh", format!("{make}sleep 0.9\n"));
    assert_blocked_until_said(&world, "no-waits");
    let world = raced();
    world.write("make.sh", format!("{make}wait\n"));
    assert_clear(&world);
}

// P-5
#[test]
fn a_file_that_failed_at_the_start_must_matter() {
    let price = ("price.sh", "echo $(($1 - x y))\n");
    let shop = ("shop.sh", "sh ./price.sh \"$1\"\n");
    let test = ("test.sh", "set -eu\n[ \"$(sh ./shop.sh 3)\" = 4 ]\n");
    let failing = || started("sh ./test.sh", "", &[price, shop, test]);
    let world = failing();
    world.write("shop.sh", "case $1 in 3) echo 4;; esac\n");
    assert_blocked_until_said(&world, "subject-spoiled");
    let world = failing();
    world.write("price.sh", "echo $(($1 + 1))\n");
    assert_clear(&world);
    let world = failing();
    world.write("price.sh", "");
    world.write("shop.sh", "echo $(($1 + 1))\n");
    assert_eq!(
        idle(&world, "subject-spoiled"),
        "the failure at the start named no line of a source file that is still there"
    );
}

// P-5
#[test]
fn tests_that_failed_must_be_green_without_the_others() {
    let test = "import unittest\n\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(5, 0), 5)\n\n    def test_b(self):\n        self.assertEqual(add(2, 3), 5)\n";
    let files = [CALC[0], CALC[1], ("test_calc.py", test)];
    let world = started(super::UNITTEST, "", &files);
    world.write("calc.py", "last = []\n\n\ndef add(a, b):\n    last.append(a)\n    return last[0]\n");
    assert_blocked_until_said(&world, "alone");
    let world = started(super::UNITTEST, "", &files);
    world.write("calc.py", super::ADDS);
    assert_clear(&world);
}

// P-5
#[test]
fn clocks_and_assert_methods_are_those_of_the_interpreter_when_verify_ends() {
    let replaced = format!(
        "{}\n\nfrom unittest import TestCase\n\nequal = TestCase.assertEqual\nTestCase.assertEqual = lambda self, *both: equal(self, *both)\n",
        super::ADDS
    );
    let world = started(super::UNITTEST, "", CALC);
    world.write("calc.py", replaced);
    let finding = assert_blocked_until_said(&world, "integrity");
    assert_eq!(finding["place"], "calc.py:9", "{finding:#}");
    // The value is put back before the end. A clock that only a test leaves changed is a note.
    let world = started(super::UNITTEST, "", CALC);
    world.write(
        "calc.py",
        format!("{}\n\nimport time\nbefore, time.time = time.time, None\ntime.time = before\n", super::ADDS),
    );
    assert_clear(&world);
    let world = started("python3 -m unittest -q", "", CALC);
    world.write("calc.py", super::ADDS);
    world.write("test_new.py", "import time\nimport unittest\n\ntime.time = lambda: 7\n\n\nclass New(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(time.time(), 7)\n");
    let report = complete(&world);
    assert!(found(&report).0.is_empty(), "{report:#}");
    let findings = report["findings"].as_array().unwrap();
    let note = findings.iter().find(|finding| finding["code"] == "integrity").unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!((&note["level"], &note["place"]), (&"note".into(), &"test_new.py:4".into()));
}

// P-5
#[test]
fn a_verify_that_ends_without_its_last_steps_cannot_be_asked() {
    let main = "import os\nimport unittest\n\nended = unittest.main('test_calc', exit=False, argv=['x'])\nos._exit(not ended.result.wasSuccessful())\n";
    let files = [CALC, &[("run.py", main)]].concat();
    let world = started("python3 run.py", "", &files);
    world.write("calc.py", format!("{}\n\nsetattr(add, 'tested', True)\n", super::ADDS));
    let report = complete(&world);
    let leads = found(&report).1;
    assert!(leads.iter().any(|lead| lead.contains("integrity")), "{report:#}");
}

// P-5
#[test]
fn new_tests_must_look_at_what_they_call() {
    let calc = "def add(a, b):\n    return a + b\n\ndef neg(a):\n    return -a\n\ndef warm():\n    return add(0, 0)\n";
    let test = "import unittest\nfrom calc import add\nclass Sums(unittest.TestCase):\n    def test_add(self): self.assertEqual(add(1, 2), 3)\n";
    let begun = || started(super::UNITTEST, "kind: test\n", &[("calc.py", calc), ("test_calc.py", test)]);
    let with = |line: &str| format!("{}    def test_more(self): {line}\n", test.replace("add\n", "add, neg, warm\n"));
    let world = begun();
    world.write("test_calc.py", with("neg(3)"));
    let finding = assert_blocked_until_said(&world, "no-mutant-killed");
    assert_eq!(finding["place"], "calc.py:4", "{finding}");
    let seen = "the new tests are green with a `neg` that does nothing";
    assert_eq!(finding["seen"], seen, "{finding}");
    for line in ["self.assertEqual(neg(3), -3)", "self.assertTrue(neg(3))"] {
        let world = begun();
        world.write("test_calc.py", with(line));
        assert!(!complete(&world)["findings"].to_string().contains("no-mutant-killed"), "{line}");
    }
    // What a new test asserts about a function that an old test calls too cannot be told apart.
    let world = begun();
    world.write("test_calc.py", with("warm(); self.assertEqual(add(2, 2), 4)"));
    let report = complete(&world);
    assert_eq!(found(&report).0, [""; 0]);
    assert!(report["findings"].to_string().contains("are green with a `warm` that does nothing"), "{report:#}");
}
