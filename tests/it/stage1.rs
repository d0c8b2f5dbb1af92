//! Stage 1 over more than one program: a line is a sequence, with one limit and one tail.

use std::time::Duration;

use crate::support::World;

/// What `plan verify a-1 --json` says of a goal with this `verify`.
fn verified(world: World, verify: &str) -> serde_json::Value {
    let world = world.file("plan.md", format!("# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nverify: {verify}\n"));
    let output = world.call(["verify", "a-1", "--json"]).limit(Duration::from_secs(30)).run();
    serde_json::from_str::<serde_json::Value>(&output.stdout).unwrap()["verify"].take()
}

fn world() -> World {
    World::new()
        .file("one.sh", "echo one $WORD\n")
        .file("no.sh", "echo no\nexit 3\n")
        .file("nap.sh", "grep -q Goal plan.md || exit 1\nsleep $1\n")
}

// P-44
#[test]
fn a_sequence_ends_at_its_first_failure() {
    let report = verified(world(), "WORD=more sh one.sh && sh no.sh && sh one.sh");
    assert_eq!(report["tail"], "one more\nno\n", "{report:#}");
    assert_eq!((&report["end"], &report["code"]), (&"exit".into(), &3.into()), "{report:#}");
    assert!(report["argv"][0].as_str().unwrap().ends_with("/sh") && report["argv"][1] == "no.sh", "{report:#}");
}

#[test]
fn a_program_that_is_not_there_ends_it_too() {
    let report = verified(world(), "sh one.sh && nothing-of-this-name");
    assert_eq!((&report["end"], &report["tail"]), (&"unstartable".into(), &"one\n".into()), "{report:#}");
}

#[test]
fn the_limit_is_that_of_the_whole_line() {
    let goal = "## Goal: A\n<!-- id: a-1 -->\nverify: sh nap.sh 1.4 && sh nap.sh 1.4\n";
    let world = world().file("plan.md", format!("---\nverify_timeout: 2\n---\n{goal}"));
    let output = world.plan(["verify", "a-1"]);
    assert!(output.stdout.contains("verify   killed after 2 s"), "{output:?}");
}
