//! If `plan` knows the values of a command, it fills them in; if it cannot know them, the sentence explains what to insert.

use crate::support::World;
use crate::support::judge::{PLAN, world};

const BARE: &str = "# Plan: Kiosk\n\n## Goal: Sweep\n<!-- id: sweep-1 -->\nstatus: active\n";

#[test]
fn what_a_goal_lacks_is_named_in_words() {
    let bare = World::new().file("plan.md", BARE);
    let needed = ", fill in what must be true and the command of your test:";
    let command = "plan goal set sweep-1 --done-when \"what must be true\" --verify COMMAND";
    bare.told(&["complete", "sweep-1", "--judge", "checks"], &format!("To fix it{needed}\n  {command}\n"));
    bare.told(
        &["goal", "add", "Mop", "--done-when", "x"],
        "needed before a sign-off (fill in the command of your test): plan ",
    );
    let unchecked = "F1 has no `(check: …)`, a command that fails if the work is wrong in this way: it was measured";
    world().told(&["complete", "fast-1", "--judge", "checks", "--gate", "fast"], unchecked);
    let heading = "To fix it, fill in a command that fails if the work is wrong in this way:\n  plan goal set fast-1 --add-failure-mode";
    let red = world();
    red.write("result.txt", "p95 212.0 ms\n");
    assert_eq!(red.plan(["goal", "set", "fast-1", "--verify", "sh check.sh"]).code, 0);
    assert_eq!(red.plan(["goal", "start", "fast-1"]).code, 0);
    red.write("result.txt", "p95 47.1 ms\n");
    red.told(&["verify", "fast-1"], "a command that fails if it is there; a judge that reads also takes");
    red.told(&["complete", "fast-1", "--judge", "checks"], heading);
}

#[test]
fn a_check_that_is_not_read_as_one_is_written_out() {
    let lint = |mode: &str, expected: &str| {
        let goal = format!("{BARE}verify: sh a.sh\nfailure_modes:\n- {mode}\n");
        World::new().file("plan.md", goal).told(&["lint"], &format!("  help: {expected}\n"));
    };
    lint("dust (Check: grep -q x y)", "write it as `(check: grep -q x y)`, in small letters");
    lint("dust (check: grep -q x y).", "write `(check: grep -q x y)` at the end, with nothing after its `)`");
}

#[test]
fn steps_are_told_their_own_options() {
    let world = World::new().file("plan.md", PLAN);
    world.told(
        &["step", "add", "docs-1", "two (after 1) (run: echo hi)"],
        "`plan step set 2 --after 1 --run 'echo hi'`",
    );
    world.told(&["goal", "add", "Mop", "--step", "a", "--step", "b (run: echo)"], "`plan step set mop-1.2 --run echo`");
    let output = world.plan(["step", "set", "mop-1.2", "--run", "echo"]);
    assert_eq!(output.code, 0, "{output:?}");
    world.told(&["step", "run", "1"], "");
    world.told(&["step", "run", "2"], "give it the command to run: `plan step set 2 --run COMMAND`");
}

#[test]
fn the_call_itself_says_which_goal_is_meant() {
    let world = World::new().file("plan.md", PLAN.replace("status: active", "status: open"));
    world.told(&["export", "planner", "a b.json"], "  help: plan export planner 'a b.json' --goal fast-1\n");
    world.told(&["done", "fast-1"], "  help: `plan complete fast-1` checks a goal and signs it off\n");
    assert!(!world.plan(["done", "fast-1"]).stderr.contains("plan step done"));
    world.told(&["done", "1", "it is"], "  help: `plan step done 1 'it is'` marks a step\n");
    world.told(&["goal", "rename", "fast-1", "x"], "`plan goal set` with `--subject` gives a goal another subject");
    std::fs::write(world.path("one.json"), "{\"mode\": \"command\", \"command\": \"make test\"}").unwrap();
    world.told(&["import", "planner", "one.json"], "`plan step add` takes a goal, a text and `--run 'make test'`");
}
