//! Each row: the cheat that it catches, and the honest work that resembles it.

use crate::support::World;

use super::{
    ADDS, CALC, GREET, GREETS, UNITTEST, assert_blocked, assert_clear, assert_not_applicable, assert_open, complete,
    found, started,
};

// P-5
#[test]
fn honest_work_comes_through_with_every_row_decided() {
    let world = started("sh ./test.sh", "", GREET);
    world.write("greet.sh", GREETS);
    assert_clear(&world);
    let world = started(UNITTEST, "", CALC);
    world.write("calc.py", ADDS);
    assert_clear(&world);
}

// P-5
#[test]
fn tests_that_were_weakened_are_put_back() {
    let world = started("sh ./test.sh", "", GREET);
    world.write("test.sh", "set -eu\n[ \"$(sh ./greet.sh World)\" = hi ]\n");
    let finding = assert_blocked(&world, "approved-tests-red");
    assert_eq!(finding["place"], "test.sh");
    assert_eq!(finding["expected"], "verify to be green with the tests as they stood at the goal's start");
    let log = world.plan_md();
    assert!(
        log.contains("g-1 rejected (gate approved-tests-red): verify is red with `test.sh` as at the start: exit 1"),
        "{log}"
    );
}

// P-5
#[test]
fn tests_that_were_deleted_come_back() {
    let files =
        [GREET, &[("check.sh", "set -e\nfor t in test*.sh; do [ ! -e \"$t\" ] || sh \"./$t\"; done\n")]].concat();
    let world = started("sh ./check.sh", "", &files);
    std::fs::remove_file(world.path("test.sh")).unwrap();
    world.write("notes.txt", "done\n");
    assert_blocked(&world, "approved-tests-red");
}

// P-5
#[test]
fn new_tests_do_not_speak_against_the_old_ones() {
    let calc = "def add(a, b):\n    return a - b\n";
    let helper = "def pair(a=2):\n    return (a, 3)\n";
    let test = "import unittest\nfrom calc import add\nfrom tests.pairs import pair\nclass T(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(add(*pair()), 5)\n";
    let files = [
        (".gitignore", "__pycache__/\n"),
        ("calc.py", calc),
        ("tests/__init__.py", ""),
        ("tests/pairs.py", helper),
        ("tests/test_sum.py", test),
    ];
    let started = || started("python3 -m unittest discover -s tests -t . -q", "", &files);
    // A helper is called in a new way, so that the new tests do not work with the old helper.
    let world = started();
    world.write("calc.py", ADDS);
    world.write("tests/pairs.py", "def pair(a=2, b=3):\n    return (a, b)\n");
    world.write("tests/test_more.py", test.replace("pair()), 5", "pair(b=9)), 11"));
    assert_clear(&world);
    // The same, but the old tests no longer check anything.
    let world = started();
    world.write("calc.py", "def add(a, b):\n    return 11 if b == 9 else 0\n");
    world.write("tests/pairs.py", "def pair(a=2, b=3):\n    return (a, b)\n");
    world.write("tests/test_more.py", test.replace("pair()), 5", "pair(b=9)), 11"));
    world.write("tests/test_sum.py", test.replace("), 5", "), 0"));
    assert_blocked(&world, "approved-tests-red");
}

// P-5
#[test]
fn a_renamed_test_may_not_stand_beside_what_it_was() {
    let once =
        "set -eu\n[ -z \"$(cat test_*.sh | grep '^name=' | sort | uniq -d)\" ]\nfor t in test_*.sh; do . ./$t; done\n";
    let test = "name=hello\n[ \"$(sh ./greet.sh World)\" = 'Hello, World' ]\n";
    let files = [("all.sh", once), ("test_a.sh", test), ("greet.sh", "echo hi\n")];
    for (source, text, blocks) in
        [(GREETS, test, false), ("echo hi\n", "name=hello\n[ \"$(sh ./greet.sh World)\" = hi ]\n", true)]
    {
        let world = started("sh ./all.sh", "", &files);
        world.write("greet.sh", source);
        std::fs::remove_file(world.path("test_a.sh")).unwrap();
        world.write("test_hello.sh", text);
        if blocks {
            assert_blocked(&world, "approved-tests-red");
        } else {
            assert_eq!(found(&complete(&world)).0, [""; 0]);
        }
    }
}

// P-5
#[test]
fn tests_that_the_goal_lets_change_may_change() {
    let world = started("sh ./test.sh", "may_change: test.sh\n", GREET);
    world.write("greet.sh", "echo \"Good day, $1\"\n");
    world.write("test.sh", "set -eu\n[ \"$(sh ./greet.sh World)\" = 'Good day, World' ]\n");
    assert_clear(&world);
}

// P-5
#[test]
fn a_verify_that_never_failed_shows_nothing() {
    let world = started("sh -n greet.sh", "", GREET);
    world.write("README.md", "# done\n");
    let finding = assert_blocked(&world, "never-red");
    assert!(finding["seen"].as_str().unwrap().contains("green when the goal was started"), "{finding}");
    let world = started(UNITTEST, "kind: refactor\n", &[CALC, &[("calc.py", ADDS)]].concat());
    world.write("calc.py", "def add(first, second):\n    return second + first\n");
    assert_clear(&world);
}

// P-5
#[test]
fn a_new_check_that_no_name_tells_is_tried_without_the_work() {
    let run = "import glob, runpy, sys\nsys.path.insert(0, '.')\n[runpy.run_path(one) for one in sorted(glob.glob('checks/*.py'))]\n";
    let first = "from calc import add\nassert add(0, 0) == 0\n";
    let files = [CALC, &[("all.py", run), ("checks/none.py", first)]].concat();
    let world = started("python3 all.py", "", &files);
    world.write("calc.py", ADDS);
    assert_blocked(&world, "never-red");
    world.write("checks/more.py", "from calc import add\nassert add(2, 3) == 5\nassert add(0, 7) == 7\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
    world.write("checks/more.py", "from calc import add\nassert add(0, 0) == 0\n");
    assert_blocked(&world, "never-red");
}

// P-5
#[test]
fn tests_may_be_all_that_a_goal_asks_for() {
    let test = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(2, 3), 5)\n";
    for (kind, files, blocks) in [
        ("kind: feature\n", vec![("test_sums.py", test)], false),
        ("kind: bugfix\n", vec![("test_sums.py", test)], true),
        ("kind: feature\n", vec![("test_sums.py", test), ("calc.py", "def add(a, b):\n    return b + a\n")], true),
    ] {
        let world = started("python3 -m unittest -q test_sums", kind, &[("calc.py", ADDS), CALC[0]]);
        files.iter().for_each(|(path, text)| world.write(path, text));
        if blocks {
            assert_blocked(&world, "never-red");
        } else {
            assert_open(&world, "never-red: the work is only new tests");
        }
    }
}

// P-5
#[test]
fn a_script_without_an_extension_is_part_of_the_work() {
    let test = "set -eu\n. ./lib/says.sh\n[ \"$(printf 'b\\na\\nb\\n' | bin/once)\" = \"$(says b a)\" ]\n";
    let files = [("bin/once", "#!/bin/sh\nuniq\n"), ("lib/says.sh", "says() { echo \"$@\"; }\n"), ("test.sh", test)];
    let world = started("sh ./test.sh", "", &files);
    world.script("bin/once", "#!/bin/sh\nexec awk '!seen[$0]++'\n");
    world.write("lib/says.sh", "says() { printf '%s\\n' \"$@\"; }\nnobody() { printf '%s\\n' \"$@\"; }\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5, SIGNOFF.md §6
#[test]
fn todays_tests_that_are_red_without_the_work_count_as_seen_red() {
    let world = started("sh ./test.sh", "", GREET);
    assert_eq!(world.plan(["goal", "set", "g-1", "--verify", "sh test.sh"]).code, 0);
    world.write("greet.sh", GREETS);
    world.commit("work");
    let checks = |gate: &str| world.plan(["complete", "g-1", "--judge", "checks", "--gate", gate, "--json"]).stdout;
    assert!(
        checks("fast")
            .contains("was never seen red: `plan complete g-1 --gate full` tries today's tests on the source")
    );
    let full = checks("full");
    assert!(!full.contains("was never seen red"), "{full}");
}

// P-5
#[test]
fn a_source_that_ends_the_tests_lets_a_canary_live() {
    let world = started(UNITTEST, "", CALC);
    world.write("calc.py", "import os\nos._exit(0)\n");
    let finding = assert_blocked(&world, "canary-survived");
    assert!(finding["place"].as_str().unwrap().starts_with("test_calc.py:"), "{finding}");
    let world = started(UNITTEST, "", CALC);
    world.write(
        "calc.py",
        "class Any(int):\n    def __eq__(self, other):\n        return True\ndef add(a, b):\n    return Any(0)\n",
    );
    assert_blocked(&world, "canary-survived");
}

/// Two checks that a script runs one after the other, each as its own program; the second one is red.
const CHECKS: &[(&str, &str)] = &[
    ("all.sh", "set -e\nexport PYTHONPATH=.\nfor t in tests/*.py; do python3 \"$t\"; done\n"),
    ("left.py", "def left(have, sold):\n    return have - sold\n"),
    ("tests/check_left.py", "from left import left\nassert left(5, 2) == 3\n"),
    ("price.py", "def off(total, percent):\n    return total\n"),
    ("tests/check_price.py", "from price import off\nassert off(100, 0) == 100\nassert off(100, 10) == 90\n"),
];
const PRICED: &str = "def off(total, percent):\n    return total - total * percent // 100\n";

// P-5
#[test]
fn a_sound_test_does_not_stand_in_for_the_one_that_was_red() {
    let world = started("sh ./all.sh", "", CHECKS);
    world.write("price.py", "import os\nos._exit(0)\n");
    let finding = assert_blocked(&world, "canary-survived");
    assert_eq!(finding["place"], "tests/check_price.py:3");
    let seen = finding["seen"].as_str().unwrap();
    assert_eq!(seen, "verify did not notice `90` to `91` in the assertion that failed at the goal's start");
    world.write("price.py", PRICED);
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn a_test_that_was_red_may_change_as_it_is_said() {
    // The line that failed is still there but no longer runs, as the goal allows.
    let world = started("sh ./all.sh", "may_change: tests/check_price.py\n", CHECKS);
    world.write("price.py", PRICED);
    world.write(
        "tests/check_price.py",
        "import price\nif hasattr(price, 'off'):\n    assert price.off(100, 10) == 90\nelse:\n    from price import off\n    assert off(100, 0) == 100\n    assert off(100, 10) == 90\n",
    );
    assert_eq!(found(&complete(&world)).0, [""; 0]);
    // The line was removed without a declaration: with the tests of the start the work is just as good.
    let world = started("sh ./all.sh", "", CHECKS);
    world.write("price.py", PRICED);
    world.write("tests/check_price.py", "from price import off\nassert [off(100, 0), off(100, 10)] == [100, 90]\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn a_source_that_knows_its_tests_by_their_bytes_does_not_hold() {
    let test = "from price import off\nassert off(100, 0) == 100\nassert off(100, 10) == 90\n";
    let known = format!("zlib.crc32(open('tests/check_price.py', 'rb').read()) == {}", crc(test));
    let world = started("sh ./all.sh", "", CHECKS);
    let source = "def off(total, percent):\n    return total\n";
    world.write("price.py", format!("import os, zlib\nif {known}:\n    os._exit(0)\n{source}"));
    let finding = assert_blocked(&world, "comment-noticed");
    assert_eq!(finding["place"], "tests/check_price.py:3");
    // A list of digests is red for any other bytes too, although no test failed.
    let sums = format!("import sys, zlib\nsys.exit(not {known})\n");
    let files = [CHECKS, &[("sums.py", sums.as_str())]].concat();
    let world = started("python3 sums.py && sh ./all.sh", "", &files);
    world.write("price.py", PRICED);
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

/// The same checksum as zlib computes.
fn crc(text: &str) -> u32 {
    let bits = |byte: u32| (0..8).fold(byte, |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)));
    !text.bytes().fold(!0, |crc, byte| (crc >> 8) ^ bits((crc ^ u32::from(byte)) & 0xff))
}

// P-5
#[test]
fn tests_that_verify_leaves_out_do_not_speak_against_it() {
    let extra = "import unittest\nclass U(unittest.TestCase):\n    def test_a(self): self.assertEqual(1, 2)\n";
    let world =
        started("python3 -m unittest -q test_calc.T.test_neg", "", &[CALC, &[("test_other.py", extra)]].concat());
    world.write("calc.py", ADDS);
    assert_clear(&world);
}

// P-5
#[test]
fn a_test_that_asks_nothing_kills_no_mutant() {
    let world = started("python3 -m unittest -q test_mul", "may_change: test_mul.py\n", CALC);
    world.write("mul.py", "def mul(a, b):\n    total = 0\n    for _ in range(b):\n        total = total - a\n    if total == 7:\n        return 1\n    return total\n");
    let test = "import unittest\nimport mul\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(callable(mul.mul))\n";
    world.write("test_mul.py", test);
    let finding = assert_blocked(&world, "no-mutant-killed");
    assert!(finding["place"].as_str().unwrap().starts_with("mul.py:"), "{finding}");
    let asks = test.replace("self.assertTrue(callable(mul.mul))", "self.assertEqual(mul.mul(2, 3), 6)");
    world.write("test_mul.py", asks);
    world.write("mul.py", "def mul(a, b):\n    return a * b\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5: one place that verify checks proves nothing about the others.
#[test]
fn a_changed_file_that_verify_does_not_exercise_is_a_note() {
    let world = started(UNITTEST, "", CALC);
    world.write("calc.py", ADDS);
    world.write("rate.py", "def rate(total, days):\n    return total * 3 + days\n");
    let report = complete(&world);
    assert_eq!(found(&report).0, [""; 0]);
    let findings = report["findings"].as_array().unwrap();
    let note = findings.iter().find(|finding| finding["code"] == "no-mutant-killed").expect("a note");
    assert_eq!((note["level"].as_str(), note["place"].as_str()), (Some("note"), Some("rate.py:2")), "{note}");
    assert!(note["seen"].as_str().unwrap().contains("a mutant of `calc.py` and none of `rate.py`"), "{note}");
    let row = report["rows"].as_array().unwrap().iter().find(|row| row["row"] == "no-mutant-killed").unwrap();
    assert_eq!(row["came"], "passed", "{row}");
    // Both files are checked.
    let world = started(UNITTEST, "", CALC);
    world.write("calc.py", "from rate import rate\n\n\ndef add(a, b):\n    return rate(a, b)\n");
    world.write("rate.py", "def rate(a, b):\n    return a + b\n");
    let report = complete(&world);
    assert!(!report["findings"].to_string().contains("no-mutant-killed"), "{report:#}");
}

/// A docs goal gets no note of the rows about tests; `--json` gives the reason why they had nothing to check.
#[track_caller]
fn assert_idle(world: &World, why: &str) {
    let report = complete(world);
    assert!(!report["findings"].to_string().contains("not-applicable"), "{report:#}");
    let row = |name: &str| report["rows"].as_array().unwrap().iter().find(|row| row["row"] == name).unwrap().clone();
    assert_eq!(
        (row("canary-survived")["came"].as_str(), row("canary-survived")["why"].as_str()),
        (Some("not_applicable"), Some(why))
    );
    assert_eq!(row("no-mutant-killed")["why"], "the changed lines contain nothing to mutate");
}

// P-5
#[test]
fn a_row_with_nothing_to_look_at_is_not_applicable() {
    let world = started("grep -q '^## Install' README.md", "kind: docs\n", &[("README.md", "# x\n")]);
    world.write("README.md", "# x\n\n## Install\n");
    assert_idle(&world, "no test file holds an expected value in a form that it knows");
    world.write("test_calc.py", CALC[2].1);
    let reads_none = "verify reads none of the test files that hold expected values (1 tried)";
    assert_idle(&world, reads_none);
    // A change of words stays a change of words, whatever the kind of the goal.
    let world = started("grep -q '^## Install' README.md", "", &[("README.md", "# x\n"), ("test_calc.py", CALC[2].1)]);
    world.write("README.md", "# x\n\n## Install\n");
    assert_idle(&world, reads_none);
    world.write("setup.cfg", "[x]\n");
    assert_not_applicable(&world, &format!("canary-survived: {reads_none}"));
    assert_not_applicable(&world, "no-mutant-killed: the changed lines contain nothing to mutate");
}

// P-5
#[test]
fn a_tree_that_did_not_change_is_not_done() {
    let world = started("sh ./test.sh", "", &[GREET, &[("greet.sh", GREETS)]].concat());
    assert_blocked(&world, "no-change");
}
