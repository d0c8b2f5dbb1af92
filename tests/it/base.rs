//! The baseline of a goal: its base, the commit under it, or the history if it was never started. Each way to get a goal done without the
//! work is tested beside the honest work that looks like it.

mod again;
mod broken;
mod dirty;
mod kept;
mod merged;
mod never;

use serde_json::Value;

use crate::support::World;

const GREET: &str = "echo hi\n";
const GREETS: &str = "n=${1:-}\nif [ -z \"$n\" ]; then n=nobody; fi\necho \"Hello, $n\"\n";
const TEST: &str = "set -eu\nout=$(sh ./greet.sh World)\n[ \"$out\" = 'Hello, World' ]\nout=$(sh ./greet.sh '')\n[ \"$out\" = 'Hello, nobody' ]\n";

/// A repository with these files and a goal whose verify is `sh ./test.sh`, committed but not started.
fn with(files: &[(&str, &str)]) -> World {
    with_verify("sh ./test.sh", files)
}

fn with_verify(verify: &str, files: &[(&str, &str)]) -> World {
    // A goal that passes the gate meets a judge that rejects, so that the work stays and can be tried again.
    let world = rejecting(World::new().env("PYTHONDONTWRITEBYTECODE", "1"));
    files.iter().for_each(|(path, text)| world.write(path, text));
    world.write("plan.md", format!("# Plan: p\n\n{}", goal("g-1", verify)));
    world.commit("base");
    world
}

/// An open goal, as a person writes it.
fn goal(id: &str, verify: &str) -> String {
    let head = format!("## Goal: Greet with {id}\n<!-- id: {id} -->\nstatus: open\ndone_when: it greets\n");
    format!("{head}verify: {verify}\nfailure_modes:\n- something is left behind (check: test ! -e left)\n")
}

fn rejecting(world: World) -> World {
    world.judge("judge", "C1 unmet: nothing is good enough\nF1 not ruled out: no\nmissing: more\n", "reject")
}

/// Adds a second goal, `w-1`, which may change `test.sh` and is started.
fn two_goals(greet: &str, test: &str) -> World {
    let wave = "[ \"$(sh ./wave.sh)\" = bye ]\n";
    let world = with(&[("greet.sh", greet), ("test.sh", test), ("wave.sh", "echo hi\n"), ("test-wave.sh", wave)]);
    let second = goal("w-1", "sh ./test-wave.sh");
    world.write("plan.md", format!("{}\n{second}may_change: test.sh\n", world.plan_md()));
    world.commit("two goals");
    assert_eq!(world.plan(["goal", "start", "w-1"]).code, 0);
    world
}

#[track_caller]
fn start(world: &World) -> String {
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 0, "{output:?}");
    world.plan_md().lines().rfind(|line| line.contains(" started (")).unwrap().to_owned()
}

/// Returns the report of `complete` at the full gate, with a judge that rejects.
#[track_caller]
fn complete(world: &World) -> Value {
    world.plan(["complete", "g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]).json(1)
}

/// Returns the output of `complete` by `checks`, which must not make the goal done.
#[track_caller]
fn refused_by_checks(world: &World, gate: &str) -> String {
    let output = world.plan(["complete", "g-1", "--gate", gate, "--judge", "checks"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(!world.plan_md().contains("status: done"), "{output:?}");
    output.stdout
}

/// The codes of the findings of one level.
fn codes(report: &Value, level: &str) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter().filter(|finding| finding["level"] == level);
    findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

/// Asserts that the full gate blocks with exactly this code, and returns the evidence.
#[track_caller]
fn assert_blocked(world: &World, code: &str) -> String {
    let report = complete(world);
    assert_eq!(codes(&report, "block"), [code], "{report:#}");
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["code"] == code).unwrap()["seen"].as_str().unwrap().to_owned()
}

/// Asserts that the full gate decides every row, lets the work through to the judge, and reports only these leads.
#[track_caller]
fn assert_clear(world: &World, leads: &[&str]) {
    let report = complete(world);
    assert_eq!(
        (codes(&report, "block"), codes(&report, "lead")),
        (vec![], leads.iter().map(|&lead| lead.to_owned()).collect()),
        "{report:#}"
    );
    assert_eq!(report["gate"], "full", "{report:#}");
    assert_eq!(report["reason"], "oracle cmd:judge (named by caller)", "{report:#}");
}

/// Asserts that `checks` signs the goal off at the full gate.
#[track_caller]
fn assert_signed_off(world: &World) {
    let output = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks"]);
    assert_eq!(output.code, 0, "{output:?}");
}
