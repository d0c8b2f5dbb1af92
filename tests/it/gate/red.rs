//! The rules for a red state before the work, and the notes that a green verify gets at the start.

use super::{CALC, UNITTEST, assert_blocked, assert_clear, assert_open, complete, started};
use crate::support::World;

const RENAMED: &str = "failure_modes:\n- the old name lingers (check: test ! -e old.sh)\n";

fn renamed(fields: &str) -> World {
    let world = started("sh ./test.sh", fields, &[("old.sh", "echo 4\n"), ("test.sh", "[ \"$(sh ./*d.sh)\" = 4 ]\n")]);
    std::fs::rename(world.path("old.sh"), world.path("renamed.sh")).unwrap();
    world
}

// P-5: a check other than verify can prove that the work was done.
#[test]
fn a_check_that_was_red_at_the_start_counts() {
    assert_clear(&renamed(RENAMED));
    // A check that was added later may be about anything that exists by now.
    let world = renamed("");
    assert_eq!(world.plan(["goal", "set", "g-1", "--failure-mode", "it lingers (check: test ! -e old.sh)"]).code, 0);
    let finding = assert_blocked(&world, "never-red");
    let resolve = finding["resolve"].as_str().unwrap();
    assert!(resolve.contains("`plan goal set g-1 --kind refactor --because \"why\"`"), "{resolve}");
    assert_eq!(world.plan(["goal", "set", "g-1", "--kind", "refactor", "--because", "why"]).code, 0);
    assert_clear(&world);
}

// P-5: a new test that cannot start without the work proves nothing by that, but it does if it notices a change of the work.
#[test]
fn a_change_of_the_work_that_is_noticed_counts() {
    let green = [CALC[0], ("calc.py", super::ADDS), CALC[2]];
    let more = |asserts: &str| {
        let world = started(UNITTEST, "", &green);
        world.write("calc.py", format!("{}\n\ndef sub(a, b):\n    return a - b\n", super::ADDS));
        let test = CALC[2].1.replace("import add", "import add, sub");
        world.write("test_calc.py", format!("{test}    def test_sub(self):\n        {asserts}\n"));
        world
    };
    assert_clear(&more("self.assertEqual(sub(5, 3), 2)"));
    assert_blocked(&more("sub(5, 3)"), "no-mutant-killed");
}

// P-5, FORMAT.md "kind"
#[test]
fn a_goal_about_tests_has_nothing_else_in_it() {
    let green = [CALC[0], ("calc.py", super::ADDS), CALC[2]];
    let begin = || {
        let world = started(UNITTEST, "kind: test\n", &green);
        let more = "    def test_more(self):\n        self.assertEqual(add(20, 3), 23)\n";
        world.write("test_calc.py", format!("{}{more}", CALC[2].1));
        world
    };
    assert_clear(&begin());
    let world = begin();
    world.write("calc.py", "def add(a, b):\n    return sum((a, b))\n");
    assert_blocked(&world, "never-red");
}

/// Returns the output at the start of a goal with these fields.
#[track_caller]
fn said_at_start(world: &World, fields: &str) -> String {
    world.write("plan.md", format!("# Plan: p\n\n## Goal: G\n<!-- id: g-1 -->\nstatus: open\n{fields}"));
    world.commit("base");
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 0, "{output:?}");
    output.stderr
}

// P-5: the question comes at the start, not at the end.
#[test]
fn a_start_says_what_its_verify_will_mean() {
    let begin = |verify: &str, done_when: &str| {
        let world = World::new().file("test_old.py", "").file("README.md", "# x\n").file("green.sh", "exit 0\n");
        said_at_start(&world, &format!("done_when: {done_when}\nverify: {verify}\n"))
    };
    let green = begin("sh green.sh", "it works");
    assert!(
        green.contains("verify is green before the work: go on if the work adds tests that fail without it"),
        "{green}"
    );
    assert!(green.contains("`plan goal set g-1 --kind refactor --because \"why\"`"), "{green}");
    let missing = begin("sh new.sh", "it works");
    assert!(missing.contains("verify cannot run yet: ") && missing.contains("new.sh"), "{missing}");
    let prose = begin("grep -q Install README.md", "README says how");
    assert!(prose.contains("`plan goal set g-1 --kind docs --because \"why\"`"), "{prose}");
    let named = begin("sh ./new.sh", "`test_old.py` is gone.");
    assert!(named.contains("`plan goal set g-1 --add-may-change test_old.py --because \"why\"`"), "{named}");
}

// P-5: many people have a folder `test` beside a target `test`.
#[test]
fn a_start_says_that_make_ran_nothing() {
    let begin = |makefile: &str| {
        let world = World::new().file("test/a.txt", "").file("Makefile", makefile);
        said_at_start(&world, "done_when: it works\nverify: make test\n")
    };
    let nothing = begin("test:\n\t@false\n");
    assert!(nothing.contains("`make` ran nothing, because a file or folder `test` is there"), "{nothing}");
    assert!(nothing.contains("`.PHONY: test`") && !nothing.contains("green before the work"), "{nothing}");
    let phony = begin(".PHONY: test\ntest:\n\t@echo \"make: 'test' is up to date.\"; echo ran\n");
    assert!(phony.contains("green before the work") && !phony.contains("ran nothing"), "{phony}");
}

// P-5: the requirements of the configured judge are reported at the start, not after the work.
#[test]
fn a_start_says_what_the_judge_checks_will_ask_for() {
    let begin = |judge: &str, modes: &str| {
        let world = World::new().file("red.sh", "exit 1\n");
        assert_eq!(world.plan(["judge", "set", judge]).code, 0);
        said_at_start(&world, &format!("done_when: it works\nverify: sh red.sh\n{modes}"))
    };
    let none = begin("checks", "");
    assert!(none.contains("`plan goal set g-1 --failure-mode \"… (check: COMMAND)\"`"), "{none}");
    let half = begin("checks", "failure_modes:\n- a (check: test ! -e a)\n- b is left\n");
    assert!(half.contains("the judge `checks` asks for a `(check: …)` at the end of F2, a command that fails if the work is wrong in this way: b is left"), "{half}");
    for (judge, modes) in [("checks", "failure_modes:\n- a (check: test ! -e a)\n"), ("human", "")] {
        let said = begin(judge, modes);
        assert!(!said.contains("the judge `checks`"), "{said}");
    }
}

// P-5: tests that moved still count as present.
#[test]
fn a_test_file_that_moved_whole_is_not_missed() {
    let old = "assert 1 == one()\nassert 2 == two()\n";
    let world = started(
        "sh ./test.sh",
        "",
        &[super::GREET, &[("test_old.py", old), ("test_all.py", "assert 3 == three()\n")]].concat(),
    );
    world.write("greet.sh", super::GREETS);
    std::fs::remove_file(world.path("test_old.py")).unwrap();
    let gone = |world: &World| complete(world)["findings"].to_string().contains("tests-deleted");
    assert!(gone(&world));
    world.write("test_all.py", format!("assert 3 == three()\n{old}"));
    assert!(!gone(&world));
}

// P-5: a new test file can make the old tests green, while the source is as wrong as before.
#[test]
fn tests_alone_that_make_it_green_are_left_to_a_reader() {
    let tests = "import unittest, calc\nclass T(unittest.TestCase):\n    def test_sub(self):\n        self.assertEqual(calc.sub(5, 3), 2)\n    def test_mul(self):\n        self.assertEqual(calc.mul(2, 3), 6)\n";
    let files =
        [(".gitignore", "__pycache__/\n"), ("calc.py", "def sub(a, b):\n    return a - b\n"), ("test_calc.py", tests)];
    let world = started("python3 -B -m unittest -q", "", &files);
    world.write("test_aaa.py", "import test_calc\ntest_calc.T.test_mul = lambda self: None\n");
    assert_open(&world, "never-red: verify was red, but with today's tests it is green on the source of the start");
}

// P-5: a kind excuses only the work that it names.
#[test]
fn a_kind_without_its_work_excuses_nothing() {
    for kind in ["refactor", "test"] {
        let files = [super::GREET, &[("greet.sh", super::GREETS)]].concat();
        let world = started("sh ./test.sh", &format!("kind: {kind}\n"), &files);
        world.write("NOTES.md", "# done\n");
        assert_blocked(&world, "never-red");
    }
}

// P-5: two goals with one verify; the work of one goal does not count for the other.
#[test]
fn the_work_of_another_goal_is_told_apart_where_nothing_was_red() {
    let files = [
        super::GREET,
        &[("greet.sh", super::GREETS), ("all.sh", "for t in test*.sh; do sh \"./$t\" || exit 1; done\n")],
    ]
    .concat();
    let world = started("sh ./all.sh", "failure_modes: it is lost (check: test -e greet.sh)\n", &files);
    let other = ["goal", "add", "Wave", "--done-when", "it waves", "--verify", "sh ./all.sh"];
    let mode = ["--failure-mode", "no wave (check: test -e wave.sh)", "--start"];
    assert_eq!(world.plan(other.iter().chain(&mode)).code, 0);
    world.write("wave.sh", "echo bye\n");
    world.write("test_wave.sh", "[ \"$(sh ./wave.sh)\" = bye ]\n");
    let sign_off = |id: &str| world.plan(["complete", id, "--judge", "checks"]);
    let done = sign_off("wave-1");
    assert_eq!(done.code, 0, "{done:?}");
    let none = sign_off("g-1");
    assert_eq!(none.code, 1, "{none:?}");
    assert!(none.stdout.contains("nothing has changed since `wave-1` was signed off"), "{none:?}");
    let together = ["goal", "set", "g-1", "--kind", "chore", "--because", "done together"];
    assert_eq!(world.plan(together).code, 0);
    let done = sign_off("g-1");
    assert_eq!(done.code, 0, "{done:?}");
    // A reader of the sign-off sees that less was required than at the start.
    assert!(done.stdout.contains("\n  contract amended (loosened: kind changed) because done together\n"), "{done:?}");
}

/// Two goals that are active together, each with its own verify, with work for both in one tree. The first is signed off.
fn side_by_side(verifies: [&str; 2], work: &[(&str, &str)]) -> (World, crate::support::output::Output) {
    let world = World::new().file("add.sh", "echo 1\n").file("sub.sh", "echo 1\n");
    world.write("test_add.sh", "[ -n \"$(sh ./add.sh 0 0)\" ]\n");
    world.write("test_sub.sh", "[ -n \"$(sh ./sub.sh 0 0)\" ]\n");
    world.write("plan.md", "# Plan: p\n");
    world.commit("base");
    for (name, verify) in ["Sub", "Add"].iter().zip(verifies) {
        let mode = format!("it is wrong (check: {verify})");
        let add = ["goal", "add", name, "--done-when", "it is right", "--verify", verify, "--failure-mode", &mode];
        assert_eq!(world.plan(add.iter().chain(&["--start"])).code, 0);
    }
    work.iter().for_each(|(path, text)| world.write(path, text));
    let sign_off = |id: &str| world.plan(["complete", id, "--judge", "checks"]);
    let first = sign_off("sub-1");
    assert_eq!(first.code, 0, "{first:?}");
    let second = sign_off("add-1");
    (world, second)
}

const ADD_WORK: [(&str, &str); 2] =
    [("add.sh", "echo $(($1 + $2))\n"), ("test_add.sh", "[ \"$(sh ./add.sh 2 3)\" = 5 ]\n")];
const SUB_WORK: [(&str, &str); 2] =
    [("sub.sh", "echo $(($1 - $2))\n"), ("test_sub.sh", "[ \"$(sh ./sub.sh 5 3)\" = 2 ]\n")];

// P-5: two goals that are worked on side by side.
#[test]
fn each_of_two_goals_owns_the_files_that_only_its_verify_needs() {
    let (_, done) = side_by_side(["sh test_sub.sh", "sh test_add.sh"], &[ADD_WORK, SUB_WORK].concat());
    assert_eq!(done.code, 0, "{done:?}");
    // A new module, without which its test cannot start.
    let new = [("neg.sh", "echo $((0 - $1))\n"), ("test_add.sh", "[ \"$(sh ./neg.sh 2)\" = -2 ]\n")];
    let (_, done) = side_by_side(["sh test_sub.sh", "sh test_add.sh"], &[new, SUB_WORK].concat());
    assert_eq!(done.code, 0, "{done:?}");
}

// P-5: the goal has its own test, but uses the work of the other goal.
#[test]
fn a_goal_that_rides_on_the_work_of_another_owns_nothing() {
    let rides = ("test_add.sh", "[ \"$(sh ./sub.sh 9 1)\" = 8 ]\n");
    for work in [
        vec![SUB_WORK[0], SUB_WORK[1], rides],
        // It also has its own source file, which its verify does not need.
        vec![SUB_WORK[0], SUB_WORK[1], rides, ("add.sh", "echo 2\n")],
    ] {
        let (world, none) = side_by_side(["sh test_sub.sh", "sh test_add.sh"], &work);
        assert_eq!(none.code, 1, "{none:?}");
        assert!(none.stdout.contains("nothing has changed since `sub-1` was signed off"), "{none:?}");
        assert!(none.stdout.contains("`plan complete add-1 --judge human`"), "{none:?}");
        assert!(world.plan_md().contains("status: active"));
    }
}
