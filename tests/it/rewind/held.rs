//! A rewind in contract mode: the agreed contract stays, marks and goals go back, and the next step is active.

use plan::plan::contract::plan_contract;
use plan::plan::parse;
use plan::plan::rules::{PlanState, state};

use super::{done, refused, rewind};
use crate::support::World;

const PLAN: &str = "---\nmode: contract\n---\n# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: active\ndone_when: it is so\n\
    - [/] 1. one\n- [ ] 2. two\n\n## Goal: B\n<!-- id: b-1 -->\nstatus: open\ndone_when: it is so\n- [ ] 3. three\n- [ ] 4. four\n\n## Log\n";

fn world() -> World {
    let contract = plan_contract(&parse::parse(PLAN.as_bytes()).unwrap()).short();
    let plan =
        format!("{PLAN}- 2026-06-15 14:02  plan approved by ada via terminal (contract {contract}, steps to 4)\n");
    World::new().file("plan.md", plan).file("calc.sh", "echo calc\n").committed()
}

fn state_of(world: &World) -> PlanState {
    state(&parse::parse(world.plan_md().as_bytes()).unwrap())
}

#[test]
fn marks_and_goals_go_back_and_the_contract_stays() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "two\n");
    done(&world, 2);
    world.write("calc.sh", "three\n");
    done(&world, 3);
    assert!(world.plan_md().contains("- [/] 4. four\n"), "{}", world.plan_md());
    rewind(&world, "1");
    let plan = world.plan_md();
    assert_eq!((world.read("calc.sh").as_str(), state_of(&world)), ("echo calc\n", PlanState::Active));
    for line in
        ["- [x] 1. one — as agreed\n", "- [/] 2. two\n", "- [ ] 3. three\n", "- [ ] 4. four\n", "status: open\n"]
    {
        assert!(plan.contains(line), "{line}: {plan}");
    }
    assert!(plan.contains("  b-1 reopened (rewind to step 1)\n"), "{plan}");
    assert!(plan.ends_with("rewound to step 1 (checkpoint 1, 1 file: read it again)\n"), "{plan}");
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    let plan = world.plan_md();
    assert_eq!((world.read("calc.sh").as_str(), state_of(&world)), ("three\n", PlanState::Active));
    assert!(plan.contains("- [x] 3. three — as agreed\n- [/] 4. four\n"), "{plan}");
    rewind(&world, "2");
    assert_eq!(world.read("calc.sh"), "two\n");
    assert!(world.plan_md().contains("- [/] 3. three\n"), "{}", world.plan_md());
}

#[test]
fn what_is_proposed_stays_proposed() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    done(&world, 2);
    let plan = world.plan_md().replace("- [ ] 4. four\n", "- [ ] 4. four times\n");
    world.write("plan.md", plan);
    assert_eq!(state_of(&world), PlanState::Proposed);
    rewind(&world, "1");
    assert_eq!((world.read("calc.sh").as_str(), state_of(&world)), ("echo calc\n", PlanState::Proposed));
    assert!(world.plan_md().contains("- [ ] 4. four times\n"));
}

#[test]
fn clear_saves_the_files_first() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    assert_eq!(world.plan(["clear", "--yes", "another way"]).code, 0);
    world.write("calc.sh", "more\n");
    rewind(&world, "before-clear");
    assert_eq!(world.read("calc.sh"), "other\n");
}

#[test]
fn an_approval_is_the_start() {
    let world = World::new()
        .file("plan.md", PLAN.replace("[/]", "[ ]").replace("active", "open"))
        .file("calc.sh", "echo calc\n");
    let world = world.committed();
    let approved = world.plan(["approve", "--yes", "--as", "ada"]);
    assert_eq!(approved.code, 0, "{}{}", approved.stdout, approved.stderr);
    world.write("calc.sh", "other\n");
    done(&world, 1);
    assert_eq!(world.plan(["step", "add", "b-1", "five", "--because", "more to do"]).code, 0);
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    rewind(&world, "0");
    assert_eq!((world.read("calc.sh").as_str(), state_of(&world)), ("echo calc\n", PlanState::Active));
    let plan = world.plan_md();
    assert!(plan.contains("- [/] 1. one\n") && plan.contains("- [ ] 2. two\n") && plan.contains("5. five\n"), "{plan}");
    assert!(plan.contains("rewound to step 0 (checkpoint 1, 1 file: read it again)\n"), "{plan}");
}

// R23
#[test]
fn without_an_approval_there_is_nothing_to_go_back_to() {
    let world = World::new().file("plan.md", PLAN).committed();
    refused(&world, &["rewind", "1", "--yes"], 1, "no checkpoint of step 1 is kept here; there is none");
}
