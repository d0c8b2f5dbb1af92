//! A goal that is started again: after a sign-off it begins anew, after a cancellation it goes on.

use super::{GREET, GREETS, TEST, assert_blocked, assert_clear, assert_signed_off, start, with};

// SIGNOFF.md §3
#[test]
fn a_goal_that_was_signed_off_begins_anew() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREETS);
    assert_signed_off(&world);
    world.commit("work");
    assert!(start(&world).ends_with(", verify green)"));
    assert!(world.plan_md().contains("g-1 reopened (was done)"));
    assert_eq!(assert_blocked(&world, "no-change"), "nothing has changed since the goal's start");
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert_eq!(output.code, 1, "{output:?}");
    // The new work is not committed either.
    world.write("greet.sh", format!("# greets\n{GREETS}"));
    assert_blocked(&world, "never-red");
}

// SIGNOFF.md §3
#[test]
fn a_goal_that_was_cancelled_or_ticked_by_hand_keeps_its_base() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREETS);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "later"]).code, 0);
    assert!(start(&world).ends_with(", verify green)"));
    assert_clear(&world, &[]);
    world.write("plan.md", world.plan_md().replace("status: active", "status: done"));
    start(&world);
    assert_clear(&world, &[]);
    // The tests of the first start are kept too.
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    world.write("greet.sh", GREET);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "again"]).code, 0);
    start(&world);
    assert_blocked(&world, "approved-tests-red");
}

// SIGNOFF.md §3: the work is there but not committed, and only the start came late.
#[test]
fn a_goal_that_was_started_after_its_work_is_held_against_the_commit_under_the_start() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("greet.sh", GREETS);
    assert!(start(&world).ends_with(", verify green)"));
    assert_clear(&world, &["start-uncommitted"]);
    // By now the work may be in a commit.
    world.commit("work");
    assert_clear(&world, &["start-uncommitted"]);
}

// SIGNOFF.md §3: the test came with the work, so verify was green on the commit as well.
#[test]
fn a_goal_that_was_started_after_its_work_and_its_test_shows_them_by_the_test() {
    let world = with(&[("greet.sh", GREET), ("test.sh", "[ -n \"$(sh ./greet.sh)\" ]\n")]);
    world.write("greet.sh", GREETS);
    world.write("test.sh", TEST);
    assert!(start(&world).ends_with(", verify green)"));
    assert_clear(&world, &["start-uncommitted"]);
    // A start without the work changes nothing.
    world.git(["stash", "push", "-q", "-u", "--", ":/", ":(top,exclude)plan.md"]);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "late"]).code, 0);
    start(&world);
    world.git(["stash", "pop", "-q"]);
    assert_clear(&world, &["start-uncommitted"]);
}

// SIGNOFF.md §3: half of the work was there but not committed, and its test came after the start.
#[test]
fn a_goal_whose_work_was_half_done_shows_it_on_the_commit_under_the_start() {
    let world = with(&[("greet.sh", GREET), ("test.sh", "[ -n \"$(sh ./greet.sh)\" ]\n")]);
    world.write("greet.sh", GREETS);
    assert!(start(&world).ends_with(", verify green)"));
    world.write("test.sh", TEST);
    assert_clear(&world, &["start-uncommitted"]);
}

// SIGNOFF.md §3: a file that is unrelated to the goal does not change the result of its tests.
#[test]
fn tests_that_cannot_start_without_the_work_say_the_same_beside_a_stray_file() {
    let test = "import unittest\nfrom calc import sub\n\nclass T(unittest.TestCase):\n    def test_sub(self):\n        self.assertEqual(sub(3, 2), 1)\n";
    let world = with(&[("calc.py", "def add(a, b):\n    return a + b\n"), ("test_calc.py", "import unittest\n")]);
    let plan = world.plan_md();
    let verify = plan.lines().find(|line| line.starts_with("verify:")).unwrap().to_owned();
    world.write("plan.md", plan.replace(&verify, "verify: python3 -B -m unittest -q"));
    world.commit("python");
    world.write("notes.txt", "stray\n");
    start(&world);
    world.write("calc.py", "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n");
    world.write("test_calc.py", test);
    assert_clear(&world, &["start-uncommitted"]);
}

// SIGNOFF.md §3: nothing was done at all.
#[test]
fn files_that_were_there_at_a_late_start_and_show_nothing_are_no_work() {
    let world = with(&[("greet.sh", GREET), ("test.sh", "[ -n \"$(sh ./greet.sh)\" ]\n")]);
    world.write("notes.txt", "stray\n");
    assert!(start(&world).ends_with(", verify green)"));
    assert_blocked(&world, "never-red");
}

// SIGNOFF.md §3: the record of the first start cannot be removed in this way.
#[test]
fn a_start_that_saw_red_stays_the_base_whatever_is_set_aside() {
    let world = with(&[("greet.sh", GREET)]);
    world.write("test.sh", TEST);
    assert!(start(&world).contains(", verify red "));
    world.write("test.sh", "[ -n \"$(sh ./greet.sh World)\" ]\n");
    world.commit("weaker");
    assert_eq!(world.plan(["goal", "cancel", "g-1", "late"]).code, 0);
    start(&world);
    world.write("greet.sh", format!("{GREET}# done\n"));
    assert_blocked(&world, "approved-tests-red");
}
