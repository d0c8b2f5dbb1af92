//! R14: everything that keeps a contract from being approved, each with its place and its remedy.

use super::{none, split, unapproved, world};

/// What is replaced in an unapproved plan, the violation, and the remedy.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("- [ ] 5. five\n", "", "goal c-1 has no step", "`plan step add c-1 \"task\"`"),
    ("## Goal: C\n", "## Goal:\n", "goal c-1 has no subject", "`plan goal set c-1 --subject \"aim\"`"),
    (
        "3. three (after 1)", "3. three (after 3)", "step 3 comes after step 3, which is itself",
        "`plan step set 3 --after none`",
    ),
    (
        "4. four",
        "4. four (after 3)",
        "step 4 comes after step 3, which is in the same goal",
        "the steps of a goal are in order without it: `plan step set 4 --after none`",
    ),
    (
        "3. three (after 1)",
        "3. three (after 5)",
        "step 3 comes after step 5, which is in a later goal",
        "`plan step set 3 --after none`",
    ),
    (
        "3. three (after 1)", "3. three (after 9)", "step 3 comes after step 9, which does not exist",
        "`plan step set 3 --after none`",
    ),
    (
        "status: open\n- [ ] 3", "status: open\nneeds: c-1\n- [ ] 3", "`needs` of b-1 names a later goal: c-1",
        "`plan goal set b-1 --needs none` takes it out",
    ),
    (
        "status: open\n- [ ] 3", "status: open\nneeds: b-1\n- [ ] 3", "goal b-1 needs itself",
        "`plan goal set b-1 --needs none` takes it out",
    ),
    (
        "status: open\n- [ ] 3", "status: open\nneeds: a-1, z-1\n- [ ] 3", "`needs` of b-1 names no goal: `z-1`",
        "`plan goal set b-1 --needs a-1` takes it out",
    ),
    ("4. four", "3. four", "number 3 appears twice", "give each step a number of its own"),
    ("4. four", "4.", "step 4 has no text", "`plan step set 4 \"task\"`"),
    (
        "done_when: it is so",
        "done_when: <what is true then>",
        "a placeholder `<what is true then>` is left in done_when of a-1",
        "`plan goal set a-1 --done-when \"what is true then\"`",
    ),
];

// R14
#[test]
fn a_contract_with_a_fault_is_not_approved_and_the_remedy_mends_it() {
    for (from, to, violation, remedy) in FAULTS {
        let text = unapproved().replacen(from, to, 1);
        assert_ne!(text, unapproved(), "{from}");
        let world = world(&text);
        let approve = || world.plan(["approve", "--yes", "--as", "ada"]);
        let refused = approve();
        assert_eq!(refused.code, 2, "{violation}: {refused:?}");
        assert!(refused.stderr.starts_with("error: this is not a valid contract:\nplan.md:"), "{refused:?}");
        assert!(refused.stderr.contains(&format!(": {violation}\n")), "{violation}: {refused:?}");
        assert!(refused.stderr.contains(&format!("  help: {remedy}\n")), "{remedy}: {refused:?}");
        assert_eq!(world.plan_md(), text, "nothing was written");
        let Some(command) = remedy.split('`').nth(1) else {
            assert_eq!(*violation, "number 3 appears twice", "only a person can say which number is right");
            continue;
        };
        let mended = world.plan(&split(command)[1..]);
        assert_eq!(mended.code, 0, "{command}: {mended:?}");
        let approved = approve();
        assert_eq!(approved.code, 0, "{command}: {approved:?}");
    }
}

#[test]
fn a_plan_without_a_goal_has_nothing_to_approve() {
    let expected = "error: there is no goal to approve yet\n  help: add one: `plan goal add \"subject\"`\n";
    world(&none()).plan(["approve", "--yes", "--as", "ada"]).is(1, "", expected);
}

// R14: every violation is told at once
#[test]
fn all_faults_of_a_contract_are_told_together() {
    let text = unapproved().replacen("4. four", "3. four", 1).replacen("- [ ] 5. five\n", "", 1);
    let refused = world(&text).plan(["approve", "--yes", "--as", "ada"]);
    assert!(
        refused.stderr.contains("number 3 appears twice") && refused.stderr.contains("c-1 has no step"),
        "{refused:?}"
    );
}
