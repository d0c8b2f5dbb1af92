//! Goals that were never started are compared with the first commit whose plan holds them, so that leaving the start out gains nothing.

use super::{
    GREET, GREETS, TEST, assert_blocked, assert_clear, assert_signed_off, codes, complete, goal, rejecting, with,
};
use crate::support::World;

// SIGNOFF.md §3
#[test]
fn deleted_and_weakened_tests_are_seen_without_a_start() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("test.sh", "set -eu\n[ \"$(sh ./greet.sh World)\" = hi ]\n");
    assert_blocked(&world, "approved-tests-red");
    world.commit("weaker");
    assert_blocked(&world, "approved-tests-red");
    world.write("greet.sh", "echo hi\necho again >/dev/null\n");
    assert_blocked(&world, "approved-tests-red");
}

#[test]
fn nothing_done_is_nothing_done() {
    let world = with(&[("greet.sh", GREETS), ("test.sh", TEST)]);
    let commit = world.git(["rev-parse", "HEAD"])[..12].to_owned();
    assert_eq!(assert_blocked(&world, "no-change"), format!("nothing has changed since commit {commit}"));
    world.write("README.md", "# done\n");
    assert_blocked(&world, "never-red");
    // Commits that only write the plan do not move the baseline.
    std::fs::remove_file(world.path("README.md")).unwrap();
    world.commit("log");
    assert_eq!(assert_blocked(&world, "no-change"), format!("nothing has changed since commit {commit}"));
}

#[test]
fn honest_work_without_a_start_goes_through() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("greet.sh", GREETS);
    assert_clear(&world, &[]);
    world.commit("work");
    assert_clear(&world, &[]);
    assert_signed_off(&world);
}

/// A committed plan without a goal, to which the goal is added later.
fn added() -> World {
    let world = rejecting(World::new());
    world.write("greet.sh", GREET);
    world.write("test.sh", TEST);
    world.write("plan.md", "# Plan: p\n");
    world.commit("base");
    let added = world.call(["goal", "add", "-"]).stdin(goal("g-1", "sh ./test.sh").replace("status: open\n", "")).run();
    assert_eq!(added.code, 0, "{added:?}");
    world
}

#[test]
fn a_goal_that_is_in_no_commit_is_held_against_head() {
    let world = added();
    world.write("greet.sh", GREETS);
    assert_clear(&world, &[]);
    assert_signed_off(&world);
    let world = added();
    world.write("greet.sh", "echo hi >&1\n");
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    assert_blocked(&world, "approved-tests-red");
}

#[test]
fn a_goal_that_comes_with_its_work_in_one_commit_is_held_against_the_one_before() {
    let world = added();
    world.write("greet.sh", GREETS);
    world.commit("goal and work");
    assert_clear(&world, &["never-started"]);
    let world = added();
    world.write("greet.sh", "echo hi >&1\n");
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    world.commit("goal and work");
    assert_blocked(&world, "approved-tests-red");
}

#[test]
fn a_goal_that_got_its_id_later_is_the_same() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("plan.md", world.plan_md().replace("<!-- id: g-1 -->\n", ""));
    world.commit("by hand");
    let commit = world.git(["rev-parse", "HEAD"])[..12].to_owned();
    world.write("other.txt", "x");
    world.commit("other work");
    world.write("greet.sh", GREETS);
    let output = world.plan(["complete", "Greet with g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]).json(1);
    assert_eq!(codes(&output, "block"), [""; 0], "{output:#}");
    assert_eq!(codes(&output, "lead"), [""; 0], "{output:#}");
    world.write("greet.sh", GREET);
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    let output = world.plan(["complete", "Greet with g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]).json(1);
    let seen = output["findings"][0]["seen"].as_str().unwrap();
    assert!(seen.contains(&format!("as at commit {commit}")), "{seen}");
}

// SIGNOFF.md §3: exit 4, and the command that repairs it.
#[test]
fn where_there_is_no_commit_the_full_gate_wants_a_start() {
    for world in [World::new(), World::without_git()] {
        world.write("greet.sh", GREETS);
        world.write("test.sh", TEST);
        world.write("plan.md", format!("# Plan: p\n\n{}", goal("g-1", "sh ./test.sh")));
        let text = world.plan_md();
        let output = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]);
        assert_eq!(output.code, 4, "{output:?}");
        assert!(output.stderr.contains("goal `g-1` was never started"), "{output:?}");
        assert!(output.stderr.contains("`plan goal start g-1`"), "{output:?}");
        assert_eq!(world.plan_md(), text);
        assert_eq!(
            world.plan(["complete", "g-1", "--gate", "fast", "--judge", "checks"]).code,
            1,
            "the fast gate judges what there is"
        );
        assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
        assert_ne!(world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]).code, 4);
    }
}

// The files of the start are in another clone.
#[test]
fn where_the_files_of_the_start_are_not_here_its_commit_stands_in() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("notes.txt", "mine");
    super::start(&world);
    std::fs::remove_file(world.path("notes.txt")).unwrap();
    world.write("greet.sh", GREETS);
    std::fs::remove_dir_all(world.path(".git/plan/checkpoints")).unwrap();
    assert_clear(&world, &["base-missing"]);
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = 'Hello, nobody' ]\n");
    world.write("greet.sh", "echo Hello, nobody\n");
    assert_blocked(&world, "approved-tests-red");
    // Its commit is gone as well: the history is used instead.
    let line = world.plan_md();
    let commit = world.git(["rev-parse", "HEAD"])[..12].to_owned();
    world.write("plan.md", line.replace(&commit, "0123456789ab"));
    let report = complete(&world);
    assert!(codes(&report, "block").contains(&"start-differs".to_owned()), "{report:#}");
}
