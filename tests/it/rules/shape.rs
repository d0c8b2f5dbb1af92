//! Contract mode: the changes of the contract that are allowed, proposed, and taken back.

use plan::plan::rules::PlanState;

use super::{FRONT, active, approved, call, check, ok, says, state_of, unapproved, world};

// F-33, F-38, F-39, F-40, F-12, F-15
#[test]
fn a_change_of_the_contract_keeps_to_the_rules() {
    let active = active();
    let with = |verb: &str| format!("{verb} --because 'it is needed'");
    let done = approved("xx/  ", ["active", "active", "open"], "", &["step 1 complete: x", "step 2 complete: x"]);
    for verb in ["step add a-1 more", "goal remove a-1", "step set 1 anew", "step remove 2"] {
        says(
            &done,
            &with(verb),
            4,
            "refused: every step of goal a-1 is settled; what is finished stays as it was agreed",
            "add a goal after it: `plan goal add \"subject\" --step \"task\" --because \"why\"`",
        );
    }
    // It waits for its sign-off, and the advice of a rejection can be proposed.
    check(&done, &with("goal set a-1 --add-failure-mode 'x (check: sh x.sh)'"), &ok(PlanState::Proposed));
    let add = "`plan step add a-1 \"task\" --because \"why\"` adds one";
    says(
        &active,
        &with("step remove 1"),
        4,
        "refused: step 1 is complete; only pending steps are moved or removed",
        add,
    );
    says(
        &active,
        &with("step move 1 b-1"),
        4,
        "refused: step 1 is complete; only pending steps are moved or removed",
        add,
    );
    says(
        &active,
        &with("step set 1 anew"),
        4,
        "refused: step 1 is complete; only pending and active steps are reworded",
        add,
    );
    says(
        &active,
        &with("step move 2 b-1"),
        4,
        "refused: step 2 is active; only pending steps are moved or removed",
        "`plan step skip 2 \"why\"` ends it",
    );
    check(&active, &with("step set 2 'two, but better'"), &ok(PlanState::Proposed));
    let early = approved("     ", ["open"; 3], "", &[]);
    says(
        &early,
        &with("step remove 1"),
        4,
        "refused: step 3 comes after step 1",
        "`plan step set 3 --after none --because \"why\"`, then again",
    );
    check(&early, &with("step set 3 --after none"), &ok(PlanState::Proposed));
    says(
        &active,
        &with("step remove 5"),
        4,
        "refused: step 5 is the only step of c-1, and a goal has at least one",
        "`plan goal remove c-1 --because \"why\"`",
    );
    says(
        &active,
        &with("step move 5 b-1"),
        4,
        "refused: step 5 is the only step of c-1, and a goal has at least one",
        "`plan goal remove c-1 --because \"why\"`",
    );
    says(
        &active,
        &with("goal add D --step six --before a-1"),
        4,
        "refused: a goal goes after the current one, a-1",
        "`--before ID` of a later goal, or leave it out",
    );
    check(&active, &with("goal add D --step six --before b-1"), &ok(PlanState::Proposed));
    says(
        &active,
        &with("goal add D"),
        2,
        "this would be no valid contract: goal d-1 has no step",
        "`plan step add d-1 \"task\"`",
    );
    says(
        &active,
        &with("step set 3 --after 5"),
        2,
        "this would be no valid contract: step 3 comes after step 5, which is in a later goal",
        "`plan step set 3 --after none`",
    );
    says(
        &active,
        &with("step set 4 --after 3"),
        2,
        "this would be no valid contract: step 4 comes after step 3, which is in the same goal",
        "the steps of a goal are in order without it: `plan step set 4 --after none`",
    );
    says(
        &active,
        &with("goal set b-1 --needs c-1"),
        2,
        "this would be no valid contract: `needs` of b-1 names a later goal: c-1",
        "`plan goal set b-1 --needs none` takes it out",
    );
}

// C-24, F-31
#[test]
fn a_proposal_is_logged_and_what_is_taken_back_is_agreed_again() {
    let world = world(&active());
    let added = call(&world, "step add b-1 more --because 'ints wrap'");
    assert_eq!(added.stdout, "proposed: step 6 added to b-1; waits for approval\nadded step 6: more\n");
    assert!(world.plan_md().ends_with("  edit proposed: step 6 added to b-1 because ints wrap\n"));
    assert_eq!(call(&world, "step done 2 x").code, 4);
    let back = call(&world, "step remove 6 --because 'not needed'");
    assert!(back.stdout.starts_with("change withdrawn: the contract is the approved one again\n"), "{back:?}");
    assert_eq!(state_of(&world.plan_md()), PlanState::Active);
    assert!(!world.plan_md().contains("skipped: removed"), "{}", world.plan_md());
    // Its number is not given again.
    assert!(call(&world, "step add b-1 other --because x").stdout.contains("added step 7: other\n"));
    assert_eq!(call(&world, "step done 2 x").code, 4);
}

// F-13, F-14, F-16, F-34: R14, in each place
#[test]
fn what_is_no_contract_is_not_approved() {
    for (now, then, says) in [
        ("## Goal: C\n", "## Goal:\n", "goal c-1 has no subject"),
        ("- [ ] 2. two", "- [ ] 1. two", "number 1 appears twice"),
        ("(after 1)", "(after 9)", "step 3 comes after step 9, which does not exist"),
        ("(after 1)", "(after 3)", "step 3 comes after step 3, which is itself"),
        ("(after 1)", "(after 4)", "step 3 comes after step 4, which is in the same goal"),
        ("(after 1)", "(after 5)", "step 3 comes after step 5, which is in a later goal"),
    ] {
        let text = unapproved().replacen(now, then, 1);
        let world = world(&text);
        let output = call(&world, "approve --yes");
        assert_eq!(output.code, 2, "{says}: {output:?}");
        assert!(output.stderr.contains(&format!(": {says}\n")) && output.stderr.contains('^'), "{says}: {output:?}");
        assert_eq!(world.plan_md(), text, "{says}");
    }
    // Numbers only go up: a number is never given twice.
    let world = world(&active());
    assert_eq!(call(&world, "step remove 5 --because 'not needed'").code, 4, "the only step of its goal");
    assert_eq!(call(&world, "step remove 4 --because 'not needed'").code, 0);
    assert_eq!(call(&world, "step add c-1 six --because 'it rains'").stdout.lines().last(), Some("added step 6: six"));
    assert_eq!(call(&world, "step remove 6 --because 'not needed'").code, 0);
    assert_eq!(
        call(&world, "step add c-1 seven --because 'it rains'").stdout.lines().last(),
        Some("added step 7: seven")
    );
}

// F-34, F-39: R14
#[test]
fn lint_names_what_cannot_be_approved() {
    let text = unapproved()
        .replace("(after 1)", "(after 5)")
        .replace("- [ ] 5. five\n", "")
        .replace("it is so", "<what is true then>");
    let world = world(&text);
    let lint = call(&world, "lint");
    for says in [
        "step 3 comes after step 5",
        "goal c-1 has no step",
        "a placeholder `<what is true then>` is left in done_when of a-1",
    ] {
        assert!(
            lint.stdout.contains(says)
                || says.starts_with("step 3") && lint.stdout.contains("no step has the number 5"),
            "{says}: {lint:?}"
        );
    }
    assert_eq!(lint.code, 1);
    let guide = world.plan_md().replace(FRONT, "");
    world.write("plan.md", guide);
    assert!(!call(&world, "lint").stdout.contains("has no step"), "{:?}", call(&world, "lint"));
}
