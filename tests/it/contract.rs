//! The contract is what its author wrote: no part of it is lost on the way to a sign-off, and needed goals must be signed off.

use crate::support::World;
use crate::support::judge::{HONEST, PLAN, world};

const MODE: &str = "failure_modes:\n- it was measured without the cache\n";

/// The goal of [`PLAN`], open, with `text` for its failure modes.
fn with_modes(text: &str) -> World {
    let world = world().judge("judge", HONEST, "accept");
    assert!(PLAN.contains(MODE), "{PLAN}");
    world.write("plan.md", PLAN.replace(MODE, text).replace("status: active", "status: open"));
    world.write("bad.sh", "echo 'the cache is off'; exit 1\n");
    world.write("ok.sh", "test -f result.txt\n");
    world.commit("modes");
    world
}

fn complete(world: &World) -> crate::support::output::Output {
    world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"])
}

// P-32: a check below a list that is indented by a tab runs like any other.
#[test]
fn a_deeply_indented_list_is_a_list() {
    let world = with_modes("failure_modes:\n\t- bypassed (check: sh bad.sh)\n\t- small (check: sh ok.sh)\n");
    let output = complete(&world);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("check-red: F1 is not ruled out: `sh bad.sh` exit 1"), "{output:?}");
}

// P-32
#[test]
fn steps_below_a_value_survive_that_another_is_set() {
    let world = world();
    world.write("plan.md", PLAN.replace("verify: sh check.sh\n", "verify: sh check.sh\n\t- [ ] 1. write it\n"));
    assert_eq!(world.plan(["goal", "set", "fast-1", "--verify", "sh other.sh"]).code, 0);
    assert!(world.plan_md().contains("verify: sh other.sh\n\t- [ ] 1. write it\n"), "{}", world.plan_md());
}

// P-32, P-5
#[test]
fn criteria_that_are_not_read_are_not_passed_over() {
    let world = with_modes("failure_modes:\n- it was measured without the cache\n---\n- bypassed (check: sh bad.sh)\n");
    let before = world.plan_md();
    let started = world.plan(["goal", "start", "fast-1"]);
    assert_eq!(started.code, 2, "{started:?}");
    assert!(started.stderr.contains("this list item below `failure_modes` is not read"), "{started:?}");
    assert_eq!(world.plan_md(), before);
    let output = complete(&world);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("gate unread-item"), "{output:?}");
    let list = world.plan::<[&str; 0], &str>([]);
    assert!(list.stdout.contains("\n! 1 Make it fast ") && list.stdout.contains("is not read"), "{list:?}");
    assert_eq!(world.plan(["lint"]).code, 1);
}

// P-32: blank lines and steps may be between a list and notes; the judge gets all of them.
#[test]
fn what_may_be_a_note_is_a_lead() {
    let world = with_modes("failure_modes:\n- it was measured without the cache\n- [x] 2. work\n- only Linux\n");
    let started = world.plan(["goal", "start", "fast-1"]);
    assert_eq!(started.code, 0, "{started:?}");
    assert!(started.stderr.contains("note: plan.md:") && started.stderr.contains("is not read"), "{started:?}");
    let output = complete(&world);
    assert!(output.stdout.contains("lead     unread-item: line "), "{output:?}");
}

// SIGNOFF.md §2: only exit 0 of a check rules a failure mode out.
#[test]
fn a_check_that_does_not_pass_is_said() {
    let world = with_modes("failure_modes:\n- bypassed (check: sh bad.sh)\n- small (check: sh ok.sh)\n");
    let output = world.plan(["verify", "fast-1"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.contains("check-red: F1 is not ruled out: `sh bad.sh` exit 1: the cache is off"),
        "{output:?}"
    );
    assert!(output.stdout.contains("check    exit 0: sh ok.sh"), "{output:?}");
    let output = world.plan(["--json", "verify", "fast-1"]);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["checks"][0]["passed"], false, "{json:#}");
    assert_eq!(json["checks"][1]["end"], "exit 0", "{json:#}");
    assert_eq!(complete(&world).code, 1);

    // A check that cannot be started proves nothing: the judge hears of it, and the record has it.
    let world = with_modes("failure_modes:\n- it was measured without the cache (check: no-such-program)\n");
    let output = complete(&world);
    assert!(output.stdout.contains("lead     check-unresolved: F1 is not ruled out"), "{output:?}");
    assert_eq!(output.code, 0, "{output:?}");
    let blob = world.git([
        "cat-file",
        "blob",
        world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]).trim(),
    ]);
    assert!(blob.contains("check-unresolved"), "{blob}");
}

// P-13, SIGNOFF.md §1: a needed goal is done only by its sign-off, not by a status word.
#[test]
fn a_need_that_was_ticked_by_hand_is_not_done() {
    let world = world().judge("judge", HONEST, "accept");
    let plan = PLAN.replace("status: active\n", "status: active\nneeds: base-1\n");
    let base = "## Goal: Base\n<!-- id: base-1 -->\nstatus: done\nverify: sh check.sh\n\n## Goal: ";
    world.write("plan.md", plan.replacen("## Goal: ", base, 1));
    let output = complete(&world);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stderr.contains("needs `base-1`, which is marked done"), "{output:?}");
    assert!(output.stderr.contains("`plan complete base-1`"), "{output:?}");
    let judge = world.judge("other", "C1 met: result.txt:1 \"p95 47.1 ms\"\n", "accept");
    assert_eq!(judge.plan(["complete", "base-1", "--judge", "cmd:other", "--path", "result.txt"]).code, 0);
    assert_eq!(complete(&judge).code, 0, "{}", judge.plan_md());
    // If it is archived with its sign-off, it is still done.
    judge.write("plan.md", judge.plan_md().replace("status: done\nneeds", "status: active\nneeds"));
    assert_eq!(judge.plan(["archive"]).code, 0);
    assert_eq!(complete(&judge).code, 0, "{}", judge.plan_md());
}
