//! The commands and plans of people who have read only README, and the answer that helps them on.

use crate::support::World;
use crate::support::judge::PLAN;

#[test]
fn a_list_below_the_word_steps_is_no_list_of_steps() {
    let lint = |below: &str| {
        let goal = "# Plan: Kiosk\n\n## Goal: Sweep\n<!-- id: sweep-1 -->\nstatus: open\ndone_when: clean\n";
        World::new().file("plan.md", format!("{goal}\n{below}"))
    };
    let finding = "this is not a step: it has no box\n  help: write `- [ ] find the broom`";
    for list in
        ["Steps:\n1. find the broom\n2. sweep\n", "### Steps\n\n- find the broom\n", "**Tasks**\n* find the broom\n"]
    {
        let world = lint(list);
        world.told(&["lint"], finding);
        assert_eq!(world.plan(["lint"]).stdout.matches("near-checkbox").count(), 1, "{list}");
    }
    for list in ["Notes:\n1. find the broom\n", "### Steps\n- [ ] find the broom\n"] {
        assert_eq!(lint(list).plan(["lint"]).stdout, "no findings\n", "{list}");
    }
}

#[test]
fn words_of_other_programs_lead_to_ours() {
    let world = World::new().file("plan.md", PLAN).file("todo.md", "- [ ] one\n");
    world.told(&["goal", "help", "add"], "Add a goal\n");
    world.told(&["version"], "  help: `plan --version` prints the version\n");
    world.told(&["view"], "  help: `plan show` prints the plan, `plan watch` shows it live\n");
    world.told(&["import", "todo.md"], "  help: plan import markdown todo.md\n");
}

#[test]
fn where_no_goal_is_nobody_is_sent_to_a_list() {
    let world = World::new().file("plan.md", "# Plan: Kiosk\n");
    let add = "  help: there are no goals yet: `plan goal add \"subject\"` adds one\n";
    world.told(&["complete", "sweep-1"], add);
    world.told(&["goal", "remove", "1"], add);
    let world = world.file("plan.md", PLAN);
    world.told(&["step", "done", "docs-1.1"], "goal `docs-1` has no steps\n  help: plan step add docs-1 \"text\"\n");
}

#[test]
fn a_goal_in_the_archive_takes_no_steps() {
    let text = format!("{PLAN}\n# Archive\n\n## Goal: Old\n<!-- id: old-1 -->\nstatus: cancelled\n");
    let world = World::new().file("plan.md", &text);
    for args in [["step", "add", "old-1", "more"], ["step", "move", "1", "old-1"]] {
        let output = world.plan(args);
        let refused =
            "error: `old-1` is archived; archived goals are not changed\n  help: `plan goal start old-1` brings it";
        assert!(output.code == 4 && output.stderr.starts_with(refused), "{output:?}");
    }
    assert_eq!(world.plan_md(), text);
}

#[test]
fn a_goal_that_only_lacks_a_criterion_can_be_signed_off_and_is_told_no_other_thing() {
    let world = World::new().file("plan.md", PLAN);
    let missing = "missing (fill in what must be true): plan goal set mop-1 --done-when \"what must be true\"\n";
    world.told(&["goal", "add", "Mop", "--verify", "sh check.sh"], missing);
}

#[test]
fn a_plan_that_was_cleared_is_not_said_to_be_never_approved() {
    let cleared =
        "---\nmode: contract\n---\n# Plan: Kiosk\n\n## Log\n- 2026-06-15 14:02  plan cleared: complete and archived\n";
    let world = World::new().file("plan.md", cleared);
    let refused =
        "`step done 1` needs an approved plan, and this one has no goals\n  help: plan goal add \"subject\"\n";
    world.told(&["step", "done", "1", "x"], refused);
}
