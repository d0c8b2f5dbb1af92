//! What commands bring back, keep and say, where keeping quiet would mislead.

use crate::support::World;
use crate::support::judge::{HONEST, PLAN, world};

fn complete(world: &World) -> crate::support::output::Output {
    world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"])
}

// CLI.md, `plan undo`: also where the whole file is gone.
#[test]
fn undo_brings_back_a_plan_that_was_removed() {
    let world = world();
    assert_eq!(world.plan(["log", "one"]).code, 0);
    let text = world.plan_md();
    std::fs::remove_file(world.path("plan.md")).unwrap();
    let list = world.plan(["undo", "--list"]);
    assert!(list.code == 0 && list.stdout.lines().count() == 2, "{list:?}");
    assert_eq!(world.plan(["undo", "--file", "other.md"]).code, 2);
    let undone = world.plan(["undo"]);
    assert_eq!(undone.code, 0, "{undone:?}");
    assert_eq!(world.plan_md(), text);
}

// SIGNOFF.md §1: the same work signed off once more, after it was reopened, has a record of its own.
#[test]
fn each_sign_off_has_its_record() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    assert_eq!(world.plan(["judge", "set", "cmd:judge"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "fast-1"]).code, 0);
    let again = world.plan(["complete", "fast-1", "--path", "result.txt"]);
    assert_eq!(again.code, 0, "{again:?}");
    let refs = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]);
    assert_eq!(refs.lines().count(), 2, "{refs}");
    let audit = world.plan(["audit"]);
    assert_eq!(audit.code, 0, "the advice of `judge-named-by-caller` is a way out: {audit:?}");
    assert!(!audit.stdout.contains("attestation-differs"), "{audit:?}");
}

// P-39: a write that leaves an error in the plan says so.
#[test]
fn a_write_that_leaves_an_error_says_so() {
    let world = world();
    assert_eq!(world.plan(["goal", "set", "docs-1", "--needs", "fast-1"]).stderr, "");
    let ring = world.plan(["goal", "set", "fast-1", "--needs", "docs-1"]);
    assert!(ring.code == 0 && ring.stderr.contains("wait for each other"), "{ring:?}");
    let other = world.plan(["log", "nothing new"]);
    assert_eq!(other.stderr, "", "what was there before is not said again");
    let gone = world.plan(["goal", "remove", "fast-1"]);
    assert!(gone.stderr.contains("no goal has the id `fast-1`"), "{gone:?}");
    let twice = world.call(["goal", "add", "-"]).stdin("## Goal: B\n- [ ] 7. a\n- [ ] 7. b\n").run();
    assert!(twice.code == 2 && twice.stderr.contains("the number 7 is given to two steps"), "{twice:?}");
}

#[test]
fn a_glob_with_a_space_is_not_taken_for_two() {
    let world = world();
    let set = world.plan(["goal", "set", "fast-1", "--may-change", "my docs/*.md"]);
    assert!(set.code == 2 && set.stderr.contains("`my?docs/*.md`"), "{set:?}");
    assert_eq!(world.plan(["goal", "set", "fast-1", "--may-change", "docs/**, tests/**"]).code, 0);
}

// CLI.md, `plan show`: with its log lines and sign-off, as JSON too.
#[test]
fn show_has_log_and_sign_off() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    let json: serde_json::Value = serde_json::from_str(&world.plan(["--json", "show", "fast-1"]).stdout).unwrap();
    let goal = &json["goals"][0];
    assert!(goal["sign_off"]["text"].as_str().unwrap().starts_with("fast-1 signed off ("), "{json:#}");
    assert_eq!(goal["log"].as_array().unwrap().len(), 1, "{json:#}");
}

#[test]
fn what_goes_with_a_step_is_said() {
    let world = world();
    world.write("plan.md", PLAN.replace("- [x] 1. measure\n", "- [x] 1. measure\n  twice\nand again\n"));
    let output = world.plan(["step", "remove", "1"]);
    assert_eq!(output.stdout, "removed step 1 and the 2 lines that hung on it\n");
}

#[test]
fn a_job_can_be_removed_after_the_plan() {
    let world = world();
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    std::fs::remove_file(world.path("plan.md")).unwrap();
    assert_eq!(world.plan(["install", "ci", "--print"]).code, 0);
    let output = world.plan(["uninstall", "ci"]);
    assert!(output.code == 0 && !world.path(".github").exists(), "{output:?}");
}
