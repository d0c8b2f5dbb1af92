//! The folder of the exports: it has a budget, and leaves nothing behind, however the gate ends.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{GREET, GREETS, assert_clear, complete, found, started};
use crate::support::World;

fn exports(world: &World) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.base().join("tmp")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("plan-gate-")).collect()
}

/// Work whose verify is slow only in an export.
fn slow() -> World {
    let world = started("sh ./test.sh", "", GREET);
    world.write("greet.sh", format!("case $PWD in */plan-gate-*) : > ../../started; sleep 50;; esac\n{GREETS}"));
    world
}

/// Runs `complete` until verify runs in the export, then ends it with `signal`.
fn ended_by(world: &World, signal: Signal) -> Option<i32> {
    let mut child = world.interruptible(["complete", "g-1", "--gate", "full", "--judge", "cmd:judge"]);
    let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while !exports(world).iter().any(|export| export.join("started").exists()) {
        assert!(begin.elapsed() < Duration::from_secs(30), "no run in an export");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    child.wait().unwrap().code()
}

// SIGNOFF.md §1
#[test]
fn an_interrupt_leaves_no_export_and_writes_nothing() {
    let world = slow();
    let before = world.plan_md();
    for signal in [Signal::INT, Signal::TERM] {
        assert_eq!(ended_by(&world, signal), Some(130));
        assert!(exports(&world).is_empty(), "{:?}", exports(&world));
    }
    assert_eq!(world.plan_md(), before);
}

#[test]
fn what_a_killed_gate_left_is_removed_by_the_next() {
    let world = slow().crashes();
    assert_eq!(ended_by(&world, Signal::KILL), None);
    assert_eq!(exports(&world).len(), 1);
    // A folder that somebody else still uses, and one that only looks like an export.
    let tmp = world.base().join("tmp");
    std::fs::create_dir(tmp.join("plan-gate-7")).unwrap();
    let held = std::fs::File::create(tmp.join("plan-gate-7/lock")).unwrap();
    held.lock().unwrap();
    std::fs::write(tmp.join("plan-gate-8"), "mine").unwrap();
    std::os::unix::fs::symlink("../work", tmp.join("plan-gate-9")).unwrap();
    world.write("greet.sh", GREETS);
    assert_clear(&world);
    let mut left: Vec<_> = exports(&world).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    left.sort();
    assert_eq!(left, ["plan-gate-7", "plan-gate-8", "plan-gate-9"]);
    assert!(world.path("greet.sh").exists());
}

// SIGNOFF.md §3
#[test]
fn what_the_budget_does_not_reach_is_said() {
    let world = started("sh ./test.sh", "", GREET);
    world.write("../home/.config/plan/config.yaml", "gate_budget: 1\n");
    world.write("greet.sh", format!("sleep 0.4\n{GREETS}"));
    let report = complete(&world);
    let (blocks, open) = found(&report);
    assert_eq!(blocks, [""; 0], "{report:#}");
    // On a slow machine it may not reach the second run, or any run.
    let reached: usize = report["gate"].as_str().unwrap().strip_suffix(" of 12").unwrap().parse().unwrap();
    assert!(reached <= 9, "{report:#}");
    assert!(open[0].ends_with(": the budget of 1 s ran out"), "{open:?}");
    let not_reached = report["not_reached"].as_array().unwrap();
    assert_eq!(not_reached.len(), 12 - reached);
    assert!(not_reached.ends_with(&["no-mutant-killed".into(), "clean-replay-red".into()]), "{not_reached:?}");
}

// SIGNOFF.md §3: no honest user waits for minutes unasked, and unchecked rows are reported with the command to check them
#[test]
fn unasked_the_gate_takes_no_longer_than_its_budget() {
    let world = started("sh ./test.sh", "", GREET);
    world.write("../home/.config/plan/config.yaml", "gate_budget_auto: 1\n");
    // A run takes twice the time: it would not end within the budget, so none is begun.
    world.write("greet.sh", format!("sleep 0.7\n{GREETS}"));
    let output = world.plan(["complete", "g-1", "--judge", "cmd:judge", "--json"]);
    let report = output.json(1);
    assert_eq!((&report["gate"], &report["gate_spent"]["runs"]), (&"0 of 12".into(), &0.into()), "{report:#}");
    let lead = report["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "not-reached").unwrap();
    assert_eq!(lead["resolve"], "`plan complete g-1 --gate full`");
    // The advice in the message resolves it.
    let full = world.plan(["complete", "g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]).json(1);
    assert_eq!(full["gate"], "full", "{full:#}");
    assert_eq!(found(&full), (vec![], vec![]));
}

// P-38, CLI.md "Log lines that plan writes"
#[test]
fn the_record_says_how_much_of_the_gate_ran() {
    let accept =
        |world: World| world.judge("yes", "C1 met: greet.sh:2 \"then n=nobody; fi\"\nmissing: none\n", "accept");
    let signed = |world: &World, gate: &str| {
        let output = world.plan(["complete", "g-1", "--gate", gate, "--judge", "cmd:yes"]);
        assert_eq!(output.code, 0, "{output:?}");
        world.plan_md()
    };
    let world = accept(started("sh ./test.sh", "", GREET));
    world.write("greet.sh", GREETS);
    let log = signed(&world, "full");
    assert!(log.contains(", gate full, oracle accept by cmd:yes"), "{log}");
    let world = accept(started("sh ./test.sh", "", GREET));
    world.write("../home/.config/plan/config.yaml", "gate_budget: 1\n");
    world.write("greet.sh", format!("{GREETS}sleep 0.4\n"));
    let log = signed(&world, "full");
    let reached = |number: usize| log.contains(&format!(", gate {number} of 12, oracle accept by cmd:yes"));
    assert!((0..8).any(reached), "{log}");
    let refs = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs"]);
    let record = world.git(["cat-file", "blob", refs.trim()]);
    assert!(record.contains("\"no-mutant-killed\""), "{record}");
}

// P-5
#[test]
fn no_verify_is_said() {
    let world = started("", "", GREET);
    world.write("greet.sh", GREETS);
    let report = complete(&world);
    let (_, open) = found(&report);
    assert!(open.iter().any(|seen| seen.contains("the goal has no verify")), "{open:?}");
    assert_eq!((&report["gate"], report["not_reached"].as_array().unwrap().len()), (&"0 of 12".into(), 12));
}

// P-38: the log does not say `gate full` if no row ran; line and record agree on it.
#[test]
fn a_gate_that_ran_nothing_is_not_called_full() {
    let yes = "C1 met: greet.sh:2 \"then n=nobody; fi\"\nmissing: none\n";
    let files = [GREET, &[(".gitignore", "tools/\n")]].concat();
    let unstartable = started("./tools/run", "", &files);
    unstartable.script("tools/run", "#!/bin/sh\nexec sh ./test.sh\n");
    for world in [started("", "", GREET), unstartable] {
        let world = world.judge("yes", yes, "accept");
        world.write("greet.sh", GREETS);
        let done = world.plan(["complete", "g-1", "--gate", "full", "--judge", "cmd:yes"]);
        assert_eq!(done.code, 0, "{done:?}");
        assert!(world.plan_md().contains(", gate 0 of 12, oracle accept by cmd:yes"), "{}", world.plan_md());
        let audit = world.plan(["audit", "--accept-judge", "cmd:yes"]);
        assert_eq!(audit.code, 0, "{audit:?}");
    }
}
