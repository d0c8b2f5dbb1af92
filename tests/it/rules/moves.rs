//! Contract mode: the steps that may move, and the steps that become active with them.

use super::{BEGUN, active, approved, call, says, world};

// F-9, F-10, F-11, F-21, F-23, F-24, F-30, F-37
#[test]
fn a_step_that_may_not_move_is_told_why_and_what_may() {
    let active = active();
    for word in ["done", "skip", "fail"] {
        says(
            &active,
            &format!("step {word} 4 x"),
            4,
            &format!("refused: `{word}` needs the active step; step 4 is pending, step 2 is active"),
            "finish it first: `plan step done 2 \"outcome\"`",
        );
        says(
            &active,
            &format!("step {word} 1 x"),
            4,
            &format!("refused: `{word}` needs the active step; step 1 is complete; steps only move forward"),
            "a person may `plan rewind 0`",
        );
        let wanted = if word == "done" { "the outcome of step 2" } else { "a reason" };
        says(
            &active,
            &format!("step {word} 2"),
            2,
            &format!("expected {wanted}, found an empty text"),
            &format!("plan step {word} 2 \"text\""),
        );
    }
    says(
        &active,
        "step start 3",
        4,
        "refused: step 2 is active; one step at a time",
        "`plan step done 2 \"outcome\"`; `skip` and `fail` end it too",
    );
    let failed = approved("x!   ", BEGUN, "", &["step 1 complete: x", "step 2 failed: y"]);
    says(
        &failed,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1, which begins when every step of a-1 is complete or skipped; step 2 failed",
        "propose `plan step retry 2 --because \"why\"`",
    );
    says(
        &failed,
        "step done 2 x",
        4,
        "refused: `done` needs the active step; step 2 is failed",
        "`plan step retry 2 --because \"why\"`",
    );
    says(
        &failed,
        "step retry 2",
        4,
        "refused: the approved contract changes only with a reason",
        "plan step retry 2 --because \"why\"   # makes it a proposal",
    );
    let begun = approved("!    ", BEGUN, "", &["step 1 failed: y"]);
    says(
        &begun,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1, which begins when every step of a-1 is complete or skipped; step 1 failed",
        "propose `plan step retry 1 --because \"why\"`",
    );
    says(
        &begun,
        "step done 2 x",
        4,
        "refused: `done` needs the active step; step 2 is pending, and no step is active",
        "begin it: `plan step start 2`",
    );
    let waiting = approved("xx   ", BEGUN, "needs: a-1\n", &[]);
    says(
        &waiting,
        "step start 3",
        4,
        "refused: step 3 belongs to b-1; b-1 needs a-1, which is not signed off",
        "`plan complete a-1`",
    );
    says(
        &waiting,
        "goal start b-1",
        4,
        "refused: step 3 belongs to b-1; b-1 needs a-1, which is not signed off",
        "`plan complete a-1`",
    );
    let retry = active.clone() + "- 2026-06-15 14:05  edit proposed: retry step 1 because x\n";
    says(
        &retry,
        "step done 2 x",
        4,
        "refused: `step done 2` waits: since ada approved it (2026-06-15 14:02) retry of step 1 is proposed",
        "`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back",
    );
    let cancelled = active.clone() + "- 2026-06-15 14:05  edit proposed: cancel b-1 because x\n";
    says(
        &cancelled,
        "goal cancel b-1 again",
        4,
        "refused: `goal cancel b-1` waits: since ada approved it (2026-06-15 14:02) cancellation of b-1 is proposed",
        "`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back",
    );
    says(
        &active.replace("four", "4"),
        "step done 2 x",
        4,
        "refused: `step done 2` waits: since ada approved it (2026-06-15 14:02) the contract has changed: by hand",
        "`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back",
    );
    says(
        &approved("xx/! ", ["active", "active", "open"], "", &[]),
        "complete b-1 --judge checks",
        4,
        "refused: b-1 has steps that are not settled: 3 (active), 4 (failed)",
        "`plan step done 3 \"outcome\"`",
    );
    // The step of a later goal cannot be started yet, so the hint is the way on of the current goal.
    says(
        &approved("/    ", BEGUN, "", &[]),
        "complete b-1 --judge checks",
        4,
        "refused: b-1 has steps that are not settled: 3 (pending), 4 (pending)",
        "`plan step done 1 \"outcome\"`; `skip` and `fail` end it too",
    );
}

// F-28, F-29, F-36, F-53, S-5
#[test]
fn the_next_step_becomes_active_and_the_log_tells_of_each() {
    let world = world(&approved("/    ", BEGUN, "", &[]));
    let done = call(&world, "step done 1 'it works'");
    assert_eq!(done.stdout, "✓ Step 1 complete → Step 2: two\n", "{done:?}");
    let skipped = call(&world, "step skip 2 'not needed'");
    assert_eq!(
        skipped.stdout, "- Step 2 skipped → Step 3: three\n✓ Goal a-1: all steps settled → plan complete a-1\n",
        "{skipped:?}"
    );
    let text = world.plan_md();
    assert!(text.contains("- [-] 2. two — not needed\n") && text.contains("- [/] 3. three (after 1)\n"), "{text}");
    assert!(text.contains("status: active\n- [/] 3. three"), "{text}");
    assert!(text.contains("  b-1 started (contract ") && text.contains(", verify none)\n"), "{text}");
    let failed = call(&world, "step fail 3 'no such flag'");
    assert_eq!(failed.stdout, "✗ Step 3 failed\n", "{failed:?}");
    assert_eq!(call(&world, "step start 4").code, 0);
    let last = call(&world, "step done 4 x");
    assert_eq!(last.stdout, "✓ Step 4 complete\n", "{last:?}");
    assert_eq!(
        last.stderr,
        "note: step 3 failed, and no other step of b-1 can be done: plan step retry 3 --because \"why\"\n"
    );
    let retry = call(&world, "step retry 3 --because 'flag found'");
    assert_eq!(retry.stdout, "proposed: retry of step 3; waits for approval\n");
    assert!(world.plan_md().ends_with("  edit proposed: retry step 3 because flag found\n"), "{}", world.plan_md());
}
