//! `plan verify`: the rehearsal of a sign-off finds what the sign-off would, and writes nothing.

use super::changes;
use crate::support::World;
use crate::support::judge::{PLAN, world};

#[test]
fn verify_alone_writes_nothing() {
    let world = world();
    assert_eq!(world.plan(["verify", "fast-1"]).code, 0);
    for gate in ["auto", "fast", "full"] {
        let output = world.plan(["verify", "fast-1", "--gate", gate]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(
            output.stdout.starts_with("✓ Make it fast  fast-1\n  all checks pass; no judge was asked\n"),
            "{output:?}"
        );
    }
    world.write("check.sh", "exit 4\n");
    assert_eq!(world.plan(["verify", "fast-1"]).code, 1);
    assert_eq!(changes(&world), [""; 0]);
}

// SIGNOFF.md §1: the rehearsal finds the same problems as the sign-off
#[test]
fn the_rehearsal_goes_as_deep_as_the_sign_off() {
    let world = World::new().file("sum.sh", "echo 1\n").file("test.sh", "[ \"$(sh sum.sh)\" = 2 ]\n");
    world.write("plan.md", "# Plan: p\n\n## Goal: G\n<!-- id: g-1 -->\nverify: sh test.sh\ndone_when: it is 2\n");
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("test.sh", "sh sum.sh\n");
    let before = (world.plan_md(), world.git(["for-each-ref"]));
    let blocks = |gate: &[&str], code: i32| {
        let report = world.plan([&["verify", "g-1", "--json"], gate].concat()).json(code);
        let findings = report["findings"].as_array().unwrap().clone();
        let blocks = findings.iter().filter(|one| one["level"] == "block");
        blocks.map(|one| one["code"].as_str().unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(blocks(&["--gate", "fast"], 0), "");
    assert_eq!(blocks(&[], 1), "approved-tests-red");
    assert_eq!(blocks(&["--gate", "full"], 1), "approved-tests-red");
    assert_eq!((world.plan_md(), world.git(["for-each-ref"])), before);
    let refused = world.plan(["complete", "g-1", "--judge", "checks", "--json"]).json(1);
    assert!(refused["reason"].as_str().unwrap().starts_with("gate approved-tests-red: "), "{refused:#}");
}

// SIGNOFF.md §1: in contract mode too, where a sign-off runs the full gate by itself
#[test]
fn in_contract_mode_the_rehearsal_runs_the_full_gate() {
    let world = world();
    world.write("../home/.config/plan/config.yaml", "gate_budget_auto: 1\n");
    world.write("check.sh", "sleep 1.2\ngrep -q sleep check.sh\n");
    let reached =
        |code: i32| world.plan(["verify", "fast-1", "--json"]).json(code)["gate"].as_str().unwrap().to_owned();
    assert_eq!(reached(0), "0 of 12");
    world.write("plan.md", format!("---\nmode: contract\n---\n{PLAN}"));
    // The full gate finds that verify was never red.
    assert_eq!(reached(1), "full");
}

#[test]
fn a_goal_without_verify_is_not_verified() {
    let world = world();
    let line = PLAN.lines().find(|line| line.starts_with("verify: ")).unwrap();
    world.write("plan.md", PLAN.replace(&format!("{line}\n"), ""));
    let output = world.plan(["verify", "fast-1"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stdout.starts_with("? Make it fast  fast-1\n  not verified: it has no `verify`\n"), "{output:?}");
    assert_eq!(world.plan(["verify", "fast-1", "--json"]).json(3)["passed"], false);
    // The advice in the message works.
    assert_eq!(world.plan(["goal", "set", "fast-1", "--verify", "sh check.sh"]).code, 0);
    assert_eq!(world.plan(["verify", "fast-1"]).code, 0);
}
