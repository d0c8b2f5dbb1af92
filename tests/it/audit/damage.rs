//! The damage that a merge leaves behind.

use super::support::{audit, edit, project};

// P-12
#[test]
fn merge_damage_is_told_by_name() {
    let world = project();
    let text = world.plan_md();
    let copy = "\n## Goal: Copy\n<!-- id: greet-by-name-1 -->\nstatus: open\n\n## Log";
    for (from, to, code) in [
        ("status: active", "status: active\nstatus: done", "two-statuses"),
        ("status: active\n", "", "no-status"),
        ("status: active", "status: finished", "unknown-status"),
        ("verify: sh test.sh", "verify: sh test.sh\nverify: sh old.sh", "repeated-field"),
        ("\n## Log", copy, "duplicate-id"),
        ("\n## Log", "- [ ] 1. a\n- [ ] 1. b\n\n## Log", "duplicate-step"),
        ("\n## Log", "\n>>>>>>> theirs\n## Log", "conflict-markers"),
        ("\n## Log", "\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n## Log", "conflict-markers"),
    ] {
        world.write("plan.md", text.replacen(from, to, 1));
        let audit = audit(&world, &[]);
        assert!(audit.findings.contains(&code.to_owned()), "{code}: {:#}", audit.json);
    }
}

// P-12
#[test]
fn a_step_that_a_merge_doubled_is_told_from_two_that_were_meant() {
    let world = project();
    edit(&world, "\n## Log", "- [ ] run the tests\n\n## Log");
    world.commit("a step");
    edit(&world, "- [ ] run the tests\n", "- [x] run the tests\n- [ ] run the tests\n");
    assert_eq!(audit(&world, &[]).findings, ["duplicate-step"]);
    world.commit("twice");
    assert_eq!(audit(&world, &[]).findings, [""; 0], "it was there before");
}
