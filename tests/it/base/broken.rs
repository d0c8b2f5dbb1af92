//! The files before the start prove nothing by themselves, since the worker may have changed them: broken a file and put it back, weakened
//! tests so that they become "the tests of the start", or brought red about.

use super::{GREET, GREETS, TEST, assert_blocked, complete, refused_by_checks, start, two_goals, with, with_verify};

// SIGNOFF.md §3: compared with the commit under the base
#[test]
fn a_file_that_is_broken_before_the_start_and_put_back_is_no_work() {
    let world = with(&[("greet.sh", GREETS), ("test.sh", TEST)]);
    world.write("greet.sh", GREET);
    assert!(start(&world).ends_with(", verify red exit 1)"));
    world.write("greet.sh", GREETS);
    for gate in ["fast", "full"] {
        let said = refused_by_checks(&world, gate);
        assert!(said.contains("no-change: the files are those of an earlier commit: "), "{gate}: {said}");
    }
    let seen = assert_blocked(&world, "no-change");
    assert!(seen.ends_with("the changes of the goal's start were undone"), "{seen}");
    // Another file is changed too.
    world.write("README.md", "# done\n");
    let said = refused_by_checks(&world, "fast");
    assert!(said.contains("`verify` was never seen red"), "{said}");
    refused_by_checks(&world, "full");
    let seen = assert_blocked(&world, "never-red");
    assert!(seen.contains("today's tests are green on the source of commit "), "{seen}");
}

// SIGNOFF.md §3
#[test]
fn what_a_new_test_needs_does_not_hide_that_nothing_was_broken() {
    let test = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(2, 3), 5)\n";
    let calc = "def add(a, b):\n    total = a + b\n    return total\n";
    let broken = "def add(a, b):\n    return a - b\n";
    let files = [(".gitignore", "__pycache__/\n"), ("calc.py", calc), ("test_calc.py", test)];
    // The test imports a module without testing it, so that it cannot start on the commit.
    let imports = format!("import extra\n{test}");
    for before in [true, false] {
        let world = with_verify("python3 -m unittest -q test_calc", &files);
        world.write("calc.py", broken);
        if before {
            world.write("extra.py", "");
            world.write("test_calc.py", &imports);
        }
        start(&world);
        world.write("calc.py", calc);
        world.write("extra.py", "");
        world.write("test_calc.py", &imports);
        assert_blocked(&world, "never-red");
    }
}

// SIGNOFF.md §3
#[test]
fn tests_that_are_gutted_before_the_start_are_seen() {
    let weaker = "set -eu\n[ \"$(sh ./greet.sh World)\" = 'hi there' ]\n";
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("test.sh", weaker);
    start(&world);
    world.write("greet.sh", "echo hi there\n");
    let seen = assert_blocked(&world, "approved-tests-red");
    assert!(seen.starts_with("verify is red with `test.sh` as at commit "), "{seen}");
    // The test is removed instead.
    let all = "set -e\nfor t in test*.sh; do sh \"./$t\"; done\n";
    let world = with_verify("sh ./all.sh", &[("greet.sh", GREET), ("test.sh", TEST), ("all.sh", all)]);
    std::fs::remove_file(world.path("test.sh")).unwrap();
    world.write("test_more.sh", weaker);
    start(&world);
    world.write("greet.sh", "echo hi there\n");
    assert_blocked(&world, "approved-tests-red");
}

// SIGNOFF.md §3
#[test]
fn a_file_that_the_runner_loads_by_itself_is_no_older_than_the_start() {
    let test = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(2, 3), 5)\n";
    let files = [("calc.py", "def add(a, b):\n    return a - b\n"), ("test_calc.py", test)];
    let patch =
        "import os, unittest\nif os.path.exists('flag'):\n    unittest.TestCase.assertEqual = lambda *a: None\n";
    let world = with_verify("PYTHONPATH=. python3 -m unittest -q test_calc", &files);
    world.write("sitecustomize.py", patch);
    start(&world);
    world.write("flag", "x");
    assert_blocked(&world, "approved-tests-red");
}

// SIGNOFF.md §8
#[test]
fn red_that_is_brought_about_later_is_no_red() {
    // Red comes from a second start.
    let world = with(&[("greet.sh", GREETS), ("test.sh", TEST)]);
    start(&world);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "again"]).code, 0);
    world.write("greet.sh", GREET);
    assert!(start(&world).ends_with(", verify red exit 1)"));
    world.write("greet.sh", GREETS);
    world.write("README.md", "# done\n");
    let said = refused_by_checks(&world, "fast");
    assert!(said.contains("`verify` was never seen red"), "{said}");
    assert_blocked(&world, "never-red");
    // Red comes from a rejection.
    let world = with(&[("greet.sh", GREETS), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREET);
    let said = refused_by_checks(&world, "fast");
    assert!(said.contains("rejected: verify exit 1"), "{said}");
    world.write("greet.sh", GREETS);
    world.write("README.md", "# done\n");
    let said = refused_by_checks(&world, "fast");
    assert!(said.contains("`verify` was never seen red"), "{said}");
    assert_blocked(&world, "never-red");
}

// SIGNOFF.md §3: compared with the commit, even if another goal was signed off in between.
#[test]
fn what_another_goal_left_broken_is_no_work_either() {
    let world = two_goals(GREETS, TEST);
    world.write("wave.sh", "echo bye\n");
    world.write("greet.sh", GREET);
    let done = world.plan(["complete", "w-1", "--judge", "checks"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(start(&world).ends_with(", verify red exit 1)"));
    world.write("greet.sh", GREETS);
    assert_blocked(&world, "never-red");
}

// SIGNOFF.md §3: a red start counts only if it is red on the files of the tree alone, without the files that git ignores.
#[test]
fn red_by_what_git_ignores_is_no_red() {
    let all = "set -e\nif [ -e local.sh ]; then . ./local.sh; fi\nsh ./test.sh\n";
    let files = [("greet.sh", GREETS), ("test.sh", TEST), ("all.sh", all), (".gitignore", "local.sh\n")];
    let world = with_verify("sh ./all.sh", &files);
    world.write("local.sh", "exit 1\n");
    let line = start(&world);
    assert!(line.ends_with(", verify red exit 1)") && !line.contains('+'), "{line}");
    std::fs::remove_file(world.path("local.sh")).unwrap();
    world.write("README.md", "# done\n");
    let seen = assert_blocked(&world, "never-red");
    assert!(seen.starts_with("verify was red at the start, but is green on a clean export of its files"), "{seen}");
}

// SIGNOFF.md §8: a record is written only once, but a log line can be edited.
#[test]
fn a_start_that_was_typed_over_differs_from_its_record() {
    let typed = |from: &str, to: &str| {
        let world = with(&[("greet.sh", GREETS), ("test.sh", TEST)]);
        world.write("greet.sh", if from == "+" { GREET } else { GREETS });
        let line = start(&world);
        let other = line.replace(from, to);
        assert_ne!(line, other);
        world.write("plan.md", world.plan_md().replace(&line, &other));
        world.write("greet.sh", GREETS);
        world.write("README.md", "# done\n");
        world
    };
    for (from, to) in [("+", ""), ("verify green", "verify red exit 1")] {
        let world = typed(from, to);
        let said = refused_by_checks(&world, "fast");
        assert!(said.contains("start-differs: its record says it was started at "), "{said}");
        assert_eq!(complete(&world)["findings"][0]["code"], "start-differs");
    }
}
