//! Honest starts on files that are in no commit: somebody's work in progress, tests that are written first, a repository that has just
//! begun. They pass, and the record names those files.

use super::{
    GREET, GREETS, TEST, assert_clear, assert_signed_off, complete, goal, rejecting, start, two_goals, with,
    with_verify,
};
use crate::support::World;

const DIRTY: &[&str] = &["start-uncommitted"];
const UNITTEST: &str = "python3 -m unittest -q test_calc";
const ADD: &str = "def add(a, b):\n    total = a + b\n    return total\n";
const TEST_ADD: &str = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n";

fn seen(world: &World) -> String {
    let report = complete(world);
    let findings = report["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["code"] == "start-uncommitted");
    found.unwrap_or_else(|| panic!("{report:#}"))["seen"].as_str().unwrap().to_owned()
}

#[test]
fn work_in_progress_of_somebody_else_stays_where_it_is() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST), ("other.sh", "echo 1\n")]);
    world.write("other.sh", "echo 2\n");
    world.write("secret-notes.txt", "half of it\n");
    assert!(start(&world).contains("+, tree "));
    world.write("greet.sh", GREETS);
    assert_clear(&world, DIRTY);
    let seen = seen(&world);
    let commit = &world.git(["rev-parse", "HEAD"])[..12];
    assert_eq!(seen, format!("at the start the files differed from commit {commit}: `other.sh`, a new file"));
    // Nobody has touched the file since, so verify was red without it too.
    let fast = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert_eq!(fast.code, 0, "{fast:?}");
    let record = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs"]);
    let record = world.git(["cat-file", "blob", record.trim()]);
    assert!(record.contains("start-uncommitted") && !record.contains("secret-notes"), "{record}");
}

#[test]
fn half_of_the_work_may_be_there_at_the_start() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("greet.sh", "n=${1:-}\necho \"Hello, $n\"\n");
    start(&world);
    world.write("greet.sh", GREETS);
    assert_clear(&world, DIRTY);
    assert_signed_off(&world);
}

// Red first, and not committed: the test is new.
#[test]
fn tests_that_are_written_first_need_no_commit() {
    let all = "set -e\nfor t in test*.sh; do sh \"./$t\"; done\n";
    let old = "set -eu\n[ -n \"$(sh ./greet.sh)\" ]\n[ \"$(sh ./greet.sh | wc -l)\" -eq 1 ]\n";
    let world = with_verify("sh ./all.sh", &[("greet.sh", GREET), ("test_old.sh", old), ("all.sh", all)]);
    world.write("test_new.sh", TEST);
    start(&world);
    world.write("greet.sh", GREETS);
    assert_clear(&world, DIRTY);
    assert_signed_off(&world);
    // The new test may also be in an existing test file.
    let world = with(&[("greet.sh", GREET), ("test.sh", old)]);
    world.write("test.sh", format!("{old}{TEST}"));
    start(&world);
    world.write("greet.sh", GREETS);
    assert_clear(&world, DIRTY);
    assert_signed_off(&world);
}

// The current tests cannot even be loaded on the commit.
#[test]
fn a_stub_that_the_new_test_loads_need_not_be_committed() {
    let stub = "def add(a, b):\n    return None\n";
    for files in [&[("README.md", "# calc\n")][..], &[("calc.py", "def sub(a, b):\n    return a - b\n")]] {
        let world = with_verify(UNITTEST, files);
        let sub = if files[0].0 == "calc.py" { files[0].1 } else { "" };
        world.write(".gitignore", "__pycache__/\n");
        world.write("calc.py", format!("{sub}{stub}"));
        world.write("test_calc.py", TEST_ADD);
        assert!(start(&world).ends_with(", verify red exit 1)"));
        world.write("calc.py", format!("{sub}{ADD}"));
        assert_clear(&world, DIRTY);
        assert_signed_off(&world);
    }
}

#[test]
fn a_repository_that_has_just_begun_holds_nobody_up() {
    let world = rejecting(World::new());
    world.write("plan.md", format!("# Plan: p\n\n{}", goal("g-1", "sh ./test.sh")));
    world.write("greet.sh", GREET);
    world.write("test.sh", TEST);
    assert!(start(&world).contains(", at none, tree "));
    world.write("greet.sh", GREETS);
    assert_clear(&world, &[]);
    world.commit("first");
    assert_clear(&world, &[]);
    assert_signed_off(&world);
    // Only a readme was committed, and the settings of the test runner are next to the tests.
    let world = with_verify("python3 -m unittest -q test_calc", &[("README.md", "# calc\n")]);
    world.write(".gitignore", "__pycache__/\n");
    world.write("conftest.py", "import sys\n");
    world.write("calc.py", "def add(a, b):\n    return a - b\n");
    world.write("test_calc.py", TEST_ADD);
    start(&world);
    world.write("calc.py", ADD);
    assert_clear(&world, DIRTY);
    assert_signed_off(&world);
}

// One goal follows the other without a commit: at the second start the files are those that the first goal was signed off with.
#[test]
fn goals_may_follow_each_other_without_a_commit() {
    let old = "set -eu\n[ \"$(sh ./greet.sh World)\" = hi ]\n";
    let world = two_goals(GREET, old);
    world.write("wave.sh", "echo bye\n");
    // The first goal allows this change.
    world.write("test.sh", TEST);
    let done = world.plan(["complete", "w-1", "--judge", "checks"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(start(&world).ends_with(", verify red exit 1)"));
    world.write("greet.sh", GREETS);
    assert_clear(&world, &[]);
    let done = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert_eq!(done.code, 0, "the fast gate believes that start, too: {done:?}");
}

// A committed test with another expectation must be declared, before the start as after it, by one command.
#[test]
fn a_committed_test_that_changes_is_declared() {
    let world = with(&[("greet.sh", GREET), ("test.sh", "set -eu\n[ \"$(sh ./greet.sh World)\" = hi ]\n")]);
    world.write("test.sh", TEST);
    start(&world);
    world.write("greet.sh", GREETS);
    let report = complete(&world);
    let resolve = report["findings"][0]["resolve"].as_str().unwrap();
    assert!(resolve.contains("`plan goal set g-1 --add-may-change test.sh --because \"why\"`"), "{resolve}");
    assert_eq!(
        world.plan(["goal", "set", "g-1", "--add-may-change", "test.sh", "--because", "its test was wrong"]).code,
        0
    );
    assert_clear(&world, DIRTY);
}
