//! Commands that rule out failure modes run with their files as they were at the start.

use super::{ADDS, CALC, GREET, GREETS, UNITTEST, assert_blocked, assert_clear, assert_open, complete, found, started};
use crate::support::World;

const MODE: &str = "failure_modes:\n- greets nobody by name (check: sh guards/names.sh)\n";
const GUARD: (&str, &str) = ("guards/names.sh", "[ \"$(sh ./greet.sh nobody)\" = 'Hello, you' ]\n");

fn guarded(fields: &str) -> World {
    let world = started("sh ./test.sh", &format!("{fields}{MODE}"), &[GREET, &[GUARD]].concat());
    world.write("greet.sh", GREETS);
    world
}

// P-5, SIGNOFF.md §3
#[test]
fn a_check_that_passes_only_since_it_was_changed_blocks() {
    for other in ["# not needed any more\nexit 0\n", "[ \"$(sh ./greet.sh nobody)\" ]\n"] {
        let world = guarded("");
        world.write(GUARD.0, other);
        let block = assert_blocked(&world, "approved-tests-red");
        assert_eq!(block["place"], GUARD.0);
        assert!(
            block["seen"].as_str().unwrap().contains("the check of F1, `sh guards/names.sh`, fails with"),
            "{block:#}"
        );
    }
    // Output of the work excuses nothing.
    let world = guarded("");
    world.write("greet.sh", format!("echo 'ERROR: not found: 1' >&2\n{GREETS}"));
    world.write(GUARD.0, "[ \"$(sh ./greet.sh nobody)\" ]\n");
    assert_blocked(&world, "approved-tests-red");
    let world = guarded("may_change: guards/*\n");
    world.write(GUARD.0, "[ \"$(sh ./greet.sh nobody)\" ]\n");
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}

// P-5
#[test]
fn a_check_that_the_work_passes_as_it_stood_may_be_changed() {
    let world = guarded("");
    world.write(
        "greet.sh",
        GREETS.replace("then n=nobody; fi", "then n=nobody; elif [ \"$n\" = nobody ]; then n=you; fi"),
    );
    world.write(GUARD.0, format!("{}[ \"$(sh ./greet.sh nobody)\" ]\n", GUARD.1));
    assert_clear(&world);
}

// P-5
#[test]
fn a_check_that_runs_the_work_itself_is_told_from_its_script() {
    let mode = "failure_modes:\n- is silent (check: sh greet.sh)\n";
    let world = started("sh ./test.sh", mode, &[("greet.sh", "echo hi\nfalse\n"), GREET[1]]);
    world.write("greet.sh", GREETS);
    assert_clear(&world);
    let world = started("sh ./test.sh", mode, &[("greet.sh", "echo hi\nexit 1\n"), GREET[1]]);
    world.write("greet.sh", GREETS);
    assert_open(&world, "`greet.sh` has changed since the start: it may be the work or its check");
}

// P-5, P-50
#[test]
fn a_script_that_cannot_fail_rules_nothing_out() {
    let world = guarded("may_change: guards/*\n");
    world.write(GUARD.0, "# not needed any more\nexit 0\n");
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert!(output.stdout.contains("F1 is not ruled out: `sh guards/names.sh` cannot fail"), "{output:?}");
}

// P-5, P-50: the natural way to write a check is to name the test that comes with the work
#[test]
fn a_check_may_name_a_test_that_is_still_to_be_written() {
    let test = "import unittest\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n";
    let mode = "failure_modes:\n- ignores signs (check: python3 -m unittest -q test_calc.Add.test_signs)\n";
    let world = started(UNITTEST, mode, &[CALC[0], ("test_calc.py", test), (".gitignore", "__pycache__/\n")]);
    world.write("calc.py", ADDS);
    let signs = "\n    def test_signs(self):\n        self.assertEqual(add(2, 3), 5)\n        self.assertEqual(add(-2, 3), 1)\n";
    world.write("test_calc.py", format!("{test}{signs}"));
    assert_clear(&world);
    // A file that the check named at the start must be as it was then.
    let mode = mode.replace("test_signs", "test_zero");
    let world = started(UNITTEST, &mode, &[CALC[0], ("test_calc.py", test), (".gitignore", "__pycache__/\n")]);
    world.write("calc.py", "def add(a, b): return a + b + 1\n");
    world.write("test_calc.py", test.replace("add(0, 0), 0", "add(0, 0), 1"));
    assert_blocked(&world, "approved-tests-red");
}
