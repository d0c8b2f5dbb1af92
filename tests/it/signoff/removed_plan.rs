//! A test whose clean-up goes wrong removes, empties or rewrites plan.md, too.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::World;

const PLAN: &str = "# Plan: p\n\n## Goal: Clean up\n<!-- id: g-1 -->\nstatus: open\ndone_when: `out` is clean\n\
                    verify: sh test.sh\nfailure_modes:\n- something is left (check: sh check.sh)\n";
const WRONG: &str = "cd out 2>/dev/null\nrm -f *.md\ntest -e clean\n";

/// A repository whose plan.md is in no commit.
fn world(test: &str) -> World {
    let world = World::new();
    world.write("test.sh", test);
    world.write("check.sh", "test ! -e left\n");
    world.commit("base");
    world.write("plan.md", PLAN);
    let only_for_the_user = fs::Permissions::from_mode(0o600);
    fs::set_permissions(world.path("plan.md"), only_for_the_user).unwrap();
    world
}

fn mode(world: &World) -> u32 {
    fs::metadata(world.path("plan.md")).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_plan_that_verify_removes_at_the_start_is_restored() {
    let world = world(WRONG);
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("note: `sh test.sh` removed or emptied plan.md; it was restored"), "{output:?}");
    assert!(world.plan_md().contains("g-1 started (contract "), "{}", world.plan_md());
    assert_eq!(mode(&world), 0o600);
}

#[test]
fn a_plan_that_verify_or_a_check_removes_at_the_end_is_restored() {
    for (file, what) in [("test.sh", "`sh test.sh`"), ("check.sh", "`a check of a failure mode`")] {
        let world = world("grep -qs done result\n");
        assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
        world.write("result", "done\n");
        world.write(file, "rm -f *.md\ngrep -qs done result\n");
        let before = world.plan_md();
        let output = world.plan(["verify", "g-1", "--gate", "fast"]);
        assert!(output.stderr.contains(&format!("note: {what} removed or emptied plan.md")), "{output:?}");
        assert_eq!((world.plan_md(), mode(&world)), (before, 0o600), "{file}");
    }
}

#[test]
fn a_plan_that_another_branch_does_not_have_stays_away() {
    let world = world("git checkout -q -b other && rm plan.md\nfalse\n");
    let output = world.plan(["goal", "start", "g-1"]);
    assert_ne!(output.code, 0, "{output:?}");
    assert!(!world.path("plan.md").exists());
}

#[test]
fn a_plan_that_verify_empties_is_restored() {
    let world = world(": > plan.md\ntest -e clean\n");
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("note: `sh test.sh` removed or emptied plan.md; it was restored"), "{output:?}");
    assert!(world.plan_md().starts_with(PLAN.split_once("status").unwrap().0), "{}", world.plan_md());
    assert_eq!(mode(&world), 0o600);
}

#[test]
fn an_edit_that_verify_takes_back_is_kept_for_undo() {
    let world = world("git checkout -q -- plan.md\ntest -e clean\n");
    world.commit("plan");
    let edited = PLAN.replace("is clean", "is clean, and `out/a` is gone");
    world.write("plan.md", &edited);
    let output = world.plan(["verify", "g-1", "--gate", "fast"]);
    assert!(output.stderr.contains("note: plan.md was changed during `sh test.sh`"), "{output:?}");
    assert!(output.stderr.contains("`plan undo --list`"), "{output:?}");
    assert_eq!(world.plan_md(), PLAN);
    assert_eq!(world.plan(["undo"]).code, 0);
    assert_eq!(world.plan_md(), edited);
}

#[test]
fn a_version_that_plan_wrote_itself_during_the_run_needs_no_copy() {
    let program = env!("CARGO_BIN_EXE_plan");
    let world = world(&format!("'{program}' log 'still red' >&2\ntest -e clean\n"));
    let output = world.plan(["verify", "g-1", "--gate", "fast"]);
    assert!(!output.stderr.contains("was changed during"), "{output:?}");
    assert!(world.plan_md().contains("still red"), "{}", world.plan_md());
}

#[test]
fn a_pipe_in_place_of_the_plan_holds_nothing_up() {
    let world = world("rm -f plan.md && mkfifo plan.md\ntest -e clean\n");
    let output = world.plan(["verify", "g-1", "--gate", "fast"]);
    assert!(output.stderr.contains("note: plan.md was changed during `sh test.sh`"), "{output:?}");
    fs::remove_file(world.path("plan.md")).unwrap();
    assert_eq!(world.plan(["undo"]).code, 0);
    assert_eq!(world.plan_md(), PLAN);
}
