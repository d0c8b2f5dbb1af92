//! Approval lines that an agent wrote, copied or removed by hand (R27).

use plan::plan::contract::plan_contract;
use plan::plan::parse::parse;

use super::{above_log, approved, forget, propose};
use crate::support::World;

const UNKNOWN: &str = "\
error: refused: the approval in the log is known neither to this clone nor to the committed plan.md
  help: a person approves in a terminal: `plan approve`
";

// R27: a mere approval line, as an agent can write it, moves no step and no goal until a person agrees or it is committed.
#[test]
fn an_approval_that_nobody_here_knows_moves_nothing() {
    let world = approved();
    forget(&world);
    let before = world.plan_md();
    for call in ["step done 1 ok", "step skip 1 unneeded", "step fail 1 broken", "goal cancel add-1 --because x"] {
        world.plan(call.split(' ')).is(4, "", UNKNOWN);
    }
    let held = "the approval in the log is known neither here nor to the last commit: plan approve\n";
    world.plan(["next"]).is(1, "", held);
    let line = world.plan(["show", "--line"]).stdout;
    assert!(line.starts_with("Plan 0/") && line.ends_with(&format!(" · {held}")), "{line}");
    assert!(world.plan(["list"]).stdout.contains(&format!("contract  {held}")));
    assert_eq!(world.plan_md(), before);
    world.plan(["approve", "--yes", "--as", "eve"]).is(0, "...", "...");
    world.plan(["step", "done", "1", "adds"]).is(0, "...", "");
    // In another clone: a colleague has approved and committed it.
    world.git(["commit", "-qam", "agreed"]);
    forget(&world);
    world.plan(["step", "done", "2", "adds"]).is(0, "...", "");
}

/// Writes a line into the log by hand, as an agent can.
fn forge(world: &World, line: &str) {
    world.write("plan.md", world.plan_md() + "- 2026-06-15 14:40  " + line + "\n");
}

// R27: a forged line is no base for a comparison: the person sees the changes since they agreed, and can reject them.
#[test]
fn a_forged_approval_hides_no_change_from_the_person() {
    let world = approved();
    let agreed = above_log(&world);
    let changed = propose(&world);
    let contract = plan_contract(&parse(changed.as_bytes()).unwrap()).short();
    forge(&world, &format!("plan approved by ada via terminal (contract {contract}, steps to 4)"));
    assert!(
        world.plan(["list"]).stdout.contains("contract  the approval in the log is known neither"),
        "the list says it"
    );
    let shown = world.plan(["review", "--key", "ada::room"]);
    assert!(shown.stdout.contains("loosened: criterion dropped"), "{shown:?}");
    assert!(shown.stdout.contains("neither this clone nor the last commit knows of that"), "{shown:?}");
    world.plan(["review", "--reject", "forged"]).is(0, "rejected: forged; the approved contract is back\n", "");
    assert_eq!(above_log(&world), agreed);
}

// R27: an approval that was replaced by another one is not believed again, except after a person's undo.
#[test]
fn a_replaced_approval_is_not_believed_when_its_line_is_copied() {
    let world = approved();
    let first = world.plan_md();
    let line = first.lines().rfind(|line| line.contains("plan approved by ada")).unwrap().to_owned();
    propose(&world);
    world.plan(["approve", "--yes", "--as", "eve"]).is(0, "...", "...");
    let second = world.plan_md();
    world.write(
        "plan.md",
        format!("{}## Log{}{line}\n", first.split("## Log").next().unwrap(), second.split("## Log").nth(1).unwrap()),
    );
    world.plan(["step", "done", "1", "adds"]).is(4, "", UNKNOWN);
    world.write("plan.md", &second);
    world.plan(["undo"]).is(0, "...", "");
    world.plan(["undo"]).is(0, "...", "");
}

// F-35: a log that lost its approval reports that to the person, and a rejection does not claim to have restored anything.
#[test]
fn an_approval_that_was_cut_out_of_the_log_is_missed() {
    let world = approved();
    world.commit("agreed");
    let cut: String = world
        .plan_md()
        .lines()
        .filter(|line| !line.contains("approved by"))
        .map(|line| line.to_owned() + "\n")
        .collect();
    world.write("plan.md", cut);
    let asked = world.plan(["review", "--key", "ada::room"]);
    assert!(asked.stdout.contains("note: the last commit has `plan approved by ada"), "{asked:?}");
    let rejected = world.plan(["review", "--reject", "no"]);
    assert!(rejected.stderr.contains("note: nothing was put back: no approved contract is known"), "{rejected:?}");
}

// R27: a sign-off needs the approval too, and asks for it before it runs anything.
#[test]
fn a_goal_whose_approval_nobody_here_knows_is_not_completed() {
    let world = approved();
    world.plan(["step", "done", "1", "adds"]).is(0, "...", "");
    world.plan(["step", "done", "2", "adds"]).is(0, "...", "");
    forget(&world);
    let before = world.plan_md();
    world.plan(["complete", "add-1"]).is(4, "", UNKNOWN);
    assert_eq!(world.plan_md(), before);
}
