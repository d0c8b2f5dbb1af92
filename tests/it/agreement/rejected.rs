//! Rejections: the approved contract comes back, or the plan reports why it cannot.

use super::{above_log, approved, by_agent, forget, log, propose, world};
use crate::support::World;

// F-38
// CONTRACT.md §1, §3.5 law 5
#[test]
fn a_rejection_brings_the_approved_contract_back_and_nothing_else() {
    let world = approved();
    let before = world.plan_md();
    world.write("plan.md", before.replace("- [/] 1. one\n", "- [/] 1. one \u{2014} half\n"));
    let worked = world.plan_md();
    propose(&world);
    let output = world.plan(["review", "--reject", "not now"]);
    output.is(0, "rejected: not now; the approved contract is back\n", "");
    assert_eq!(above_log(&world), worked.split("## Log").next().unwrap());
    let line = log(&world).lines().last().unwrap().to_owned();
    assert!(line.contains("  edit rejected: not now (contract "), "{line}");
    let audit = world.plan(["audit"]);
    assert!(!format!("{}{}", audit.stdout, audit.stderr).contains("unexplained"), "{audit:?}");
    // R18
    let again = world.plan(["review", "--reject", "again"]);
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("nothing is proposed: the contract is the approved one"), "{}", again.stderr);
}

// F-35
// CONTRACT.md §3.2: a plan that was never approved has nothing to go back to; the log records the rejection.
#[test]
fn a_rejection_of_a_plan_that_was_never_approved_is_logged_only() {
    let world = world();
    let above = above_log(&world);
    world.plan(["review", "--reject", "too much"]).is(
        0,
        "rejected: too much\n",
        "note: nothing was put back: no approved contract is known\n",
    );
    assert_eq!(above_log(&world), above);
    assert!(log(&world).contains("  edit rejected: too much (contract "), "{}", log(&world));
    let empty = World::new().file("plan.md", "---\nmode: contract\n---\n# Plan: Sums\n");
    assert_eq!(empty.plan(["review", "--reject", "x"]).code, 1);
    assert_eq!(approved().plan(["review", "--reject", "  "]).code, 2);
}

// R19
#[test]
fn what_cannot_be_put_back_is_said_and_nothing_is_written() {
    let world = approved();
    propose(&world);
    let proposed = world.plan_md();
    forget(&world);
    let output = world.plan(["review", "--reject", "no"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output.stderr.contains("the approved contract cannot be put back line by line: its text is not in this clone"),
        "{output:?}"
    );
    assert!(output.stderr.contains("`plan undo --list`"), "{output:?}");
    assert_eq!(world.plan_md(), proposed);
    let world = approved();
    let text = world.plan_md();
    let (front, goals) = text.split_once("## Goal: Add").unwrap();
    let (first, rest) = goals.split_once("## Goal: Multiply").unwrap();
    let (second, log) = rest.split_once("## Log").unwrap();
    let swapped = format!("{front}## Goal: Multiply{second}## Goal: Add{first}## Log{log}");
    world.write("plan.md", &swapped);
    let output = world.plan(["review", "--reject", "no"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("goals are in a different order"), "{output:?}");
    assert_eq!(world.plan_md(), swapped);
}

// F-50: a proposal is shown with its reason
// R25
#[test]
fn the_same_proposal_is_not_made_twice() {
    let world = approved();
    let add = ["step", "add", "add-1", "overflow", "--because", "ints wrap"];
    assert_eq!(world.plan(add).code, 0);
    let shown = world.plan(["review", "--key", "a::b"]);
    assert!(shown.stdout.starts_with("  step 4 added to add-1 \u{2014} because ints wrap\n"), "{}", shown.stdout);
    world.plan(["review", "--reject", "not now"]).is(0, "...", "");
    let before = world.plan_md();
    let again = by_agent(&world, &add);
    assert_eq!(again.code, 4, "{again:?}");
    assert!(again.stderr.contains("the same change was rejected 2026-06-15 14:33: not now"), "{}", again.stderr);
    assert!(again.stderr.contains("a person may run the same command in a terminal"), "{}", again.stderr);
    assert_eq!(world.plan_md(), before);
    let other = world.plan(["step", "add", "add-1", "underflow", "--because", "ints wrap"]);
    assert_eq!(other.code, 0, "{other:?}");
    // A retry does not change the contract; its line records it.
    let world = approved();
    assert_eq!(world.plan(["step", "fail", "1", "no such flag"]).code, 0);
    assert_eq!(world.plan(["step", "retry", "1", "--because", "flag found"]).code, 0);
    world.plan(["review", "--reject", "leave it"]).is(0, "rejected: leave it\n", "");
    let again = by_agent(&world, &["step", "retry", "1", "--because", "flag found"]);
    assert_eq!(again.code, 4, "{again:?}");
    assert!(again.stderr.contains("rejected 2026-06-15 14:33: leave it"), "{}", again.stderr);
    assert!(again.stderr.contains("`plan step retry 1 --because \"another reason\"`"), "{}", again.stderr);
}

// R25: a rejected retry is no dead end. An agent may ask with another reason, and a person may change their mind.
#[test]
fn a_rejected_retry_can_be_asked_for_again() {
    let rejected = || {
        let world = approved();
        assert_eq!(world.plan(["step", "fail", "1", "no such flag"]).code, 0);
        assert_eq!(by_agent(&world, &["step", "retry", "1", "--because", "flag found"]).code, 0);
        world.plan(["review", "--reject", "leave it"]).is(0, "rejected: leave it\n", "");
        world
    };
    let agents = rejected();
    let other = by_agent(&agents, &["step", "retry", "1", "--because", "found it, differently"]);
    assert_eq!(other.code, 0, "{other:?}");
    let persons = rejected();
    let same = persons.plan(["step", "retry", "1", "--because", "flag found"]);
    assert_eq!(same.code, 0, "{same:?}");
    for world in [agents, persons] {
        assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
        assert!(world.plan_md().contains("- [/] 1. one"), "{}", world.plan_md());
    }
    let world = approved();
    let add = ["step", "add", "add-1", "overflow", "--because", "ints wrap"];
    assert_eq!(by_agent(&world, &add).code, 0);
    world.plan(["review", "--reject", "not now"]).is(0, "...", "");
    assert_eq!(world.plan(add).code, 0, "a person changes their mind");
}
