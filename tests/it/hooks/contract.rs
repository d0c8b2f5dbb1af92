//! A plan that is held to its contract: nobody is asked to continue while a person has to agree, a step has failed, or a sign-off is
//! missing.

use serde_json::Value;

use super::loop_driver::notice;
use super::{PLAN, Session};
use crate::support::World;
use crate::support::plans::approved;

/// A session that was told to work on `plan`, and edited a file.
fn at_work<'w>(world: &'w World, plan: &str) -> Session<'w> {
    world.write("plan.md", plan);
    Session::at_work_on(world, "a")
}

fn in_contract_mode() -> String {
    format!("---\nmode: contract\n---\n{PLAN}").replace("- [ ] 1.", "- [/] 1.")
}

/// Held plans: the change to an approved plan, and the notice at the stop.
fn held() -> [(&'static str, String, &'static str); 5] {
    let plan = in_contract_mode();
    let agreed = approved(&plan);
    let settled = plan.replace("- [/] 1.", "- [x] 1.");
    let failed = approved(&settled.replace("- [ ] 2. eviction", "- [!] 2. eviction — no flag"));
    let needing = plan.replace("docs-1 -->\n", "docs-1 -->\nneeds: cache-1\n- [ ] 3. write it\n");
    let needing = approved(&needing.replace("- [/] 1.", "- [x] 1.").replace("- [ ] 2.", "- [x] 2."));
    let retry = "- 2026-06-15 14:05  edit proposed: retry step 2 because flag found\n";
    [
        ("never approved", plan, "the plan waits for approval: plan approve"),
        ("changed", agreed.replace("eviction", "evict all"), "a change of the contract waits: plan approve"),
        ("retry proposed", format!("{failed}{retry}"), "a change of the contract waits: plan approve"),
        (
            "failed",
            failed,
            "step 2 failed, and no other step of cache-1 can be done: plan step retry 2 --because \"why\"",
        ),
        ("sign-off", needing, "docs-1 needs cache-1, which is not signed off: plan complete cache-1"),
    ]
}

// F-24, F-36, CONTRACT §2: the stop is allowed, and the person is told once
#[test]
fn a_plan_that_is_held_is_never_pushed() {
    for (name, plan, expected) in held() {
        let world = World::new();
        let session = at_work(&world, &plan);
        let answer = session.stop("done");
        assert!(answer["hookSpecificOutput"].is_null(), "{name}: {answer}");
        assert_eq!(notice(&answer), format!("plan: {expected}"), "{name}");
        assert_eq!(session.stop("done"), Value::Null, "{name}: told once");
        let reminded: String = (0..4).map(|_| session.edits()).collect();
        assert_eq!(reminded, "", "{name}: neither is it reminded");
        assert_eq!(world.plan(["remind", "--iteration", "3"]).stdout, "", "{name}");
        // If work can go on, the guard is active again.
        world.write("plan.md", approved(&in_contract_mode()));
        session.prompt("go on");
        session.edits();
        assert!(session.is_pushed("done"), "{name}");
    }
}

#[test]
fn a_plan_of_one_step_is_told_of_and_never_pushed() {
    let plan = "---\nmode: contract\n---\n# Plan: x\n\n## Goal: One\n<!-- id: one-1 -->\nstatus: active\n- [/] 1. it\n\n## Log\n";
    let world = World::new();
    let session = at_work(&world, plan);
    assert_eq!(notice(&session.stop("done")), "plan: the plan waits for approval: plan approve");
    let world = World::new();
    assert_eq!(at_work(&world, &approved(plan)).stop("done"), Value::Null);
}

// CONTRACT §2, INJECTION §5
#[test]
fn a_loop_stops_where_the_plan_is_held() {
    for (name, plan, expected) in held() {
        let world = World::new().configured("loop:\n  judge: off\n");
        let session = at_work(&world, &plan);
        assert_eq!(world.plan(["loop", "start", "--budget", "5"]).code, 0);
        let answer = session.stop("done");
        assert_eq!(notice(&answer), format!("plan: {expected}; the loop stopped after 0 of 5 turns"), "{name}");
        assert_eq!(session.stop("done"), Value::Null, "{name}: told once");
    }
}

// CONTRACT §2: the client of `plan loop run` is not started
#[test]
fn a_run_of_the_loop_starts_no_turn_where_the_plan_is_held() {
    for (name, plan, expected) in held() {
        let world = World::new().file("plan.md", plan).program("claude", "#!/bin/sh\necho started >>started\n");
        let output = world.plan(["loop", "run", "--with", "claude", "--budget", "3"]);
        assert_eq!(output.code, 1, "{name}: {output:?}");
        assert_eq!(output.stdout, format!("paused: {expected}; `plan loop run` continues\n"), "{name}");
        assert!(!world.path("started").exists(), "{name}");
    }
}

// F-19, F-43, F-57, F-60: the block says the mode, the step, and why no step can be done
#[test]
fn the_block_and_the_line_say_what_is_waited_for() {
    let world = World::new();
    for (name, plan, expected) in held() {
        world.write("plan.md", &plan);
        // For the line, `plan` also asks git whether the approval is known.
        world.commit(name);
        let block = world.plan(["inject"]).stdout;
        assert!(block.starts_with("<plan file=\"plan.md\" mode=\"contract\">\n"), "{name}: {block}");
        let persons =
            if expected.ends_with("plan approve") { " (a person does this; plan review asks them)" } else { "" };
        assert!(block.contains(&format!("\nheld: {expected}{persons}\n")), "{name}: {block}");
        let full = world.plan(["inject", "--full"]).stdout;
        assert!(full.contains(&format!("\nheld: {expected}{persons}\n")), "{name}: {full}");
        assert_eq!(world.plan(["show", "--line"]).stdout, format!("Plan 0/2 · {expected}\n"), "{name}");
    }
    world.write("plan.md", approved(&in_contract_mode()));
    world.commit("agreed");
    let block = world.plan(["inject"]).stdout;
    assert!(block.contains("\n  now: 1. wire it\n  left: 2. eviction\n") && !block.contains("held: "), "{block}");
    assert_eq!(world.plan(["show", "--line"]).stdout, "Plan 0/2 · Implement cache layer — wire it\n");
    // Removing the mode from the file does not help: the plan is held all the same.
    world.write("plan.md", approved(&in_contract_mode()).replace("---\nmode: contract\n---\n", ""));
    let block = world.plan(["inject"]).stdout;
    assert!(block.contains("mode=\"contract\"") && block.contains("\nheld: a change of the contract waits"), "{block}");
}

// CONTRACT §2: goals are worked on in file order, whatever their priority
#[test]
fn the_goal_to_go_on_with_is_the_one_of_the_active_step() {
    let plan =
        in_contract_mode().replace("docs-1 -->\n", "docs-1 -->\nstatus: active\npriority: 1\n- [ ] 3. write it\n");
    let world = World::new();
    let session = at_work(&world, &approved(&plan));
    let push = session.stop("done").to_string();
    assert!(push.contains("Go on with: cache-1") && push.contains("1. wire it"), "{push}");
    let settled = plan.replace("- [/] 1.", "- [x] 1.").replace("- [ ] 2.", "- [x] 2.").replace("- [ ] 3.", "- [/] 3.");
    world.write("plan.md", approved(&settled));
    world.commit("agreed");
    assert_eq!(world.plan(["show", "--line"]).stdout, "Plan 0/2 · Document it — write it\n");
}
