//! `plan` is killed at every system call of every writing command, and at a thousand random moments. Then plan.md is the old or the new
//! file, never a third one, and the next command works (`FORMAT.md` §3).

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::plans::SEARCH as PLAN;
use crate::support::redact::redact;
use crate::support::{World, leaks, size, strace, two_at_once};

mod contract;

/// Every command that writes plan.md and starts no program, except `init` and `undo`, which need another start.
const WRITERS: &[&[&str]] = &[
    &["log", "cache wired"],
    &["goal", "add", "Measure it", "--done-when", "a table", "--failure-mode", "wrong unit"],
    &["goal", "start", "choose-1", "--no-baseline"],
    &["goal", "set", "cache-1", "--add-done-when", "hit rate > 0.9"],
    &["goal", "cancel", "cache-1", "not needed"],
    &["goal", "remove", "red-1"],
    &["step", "add", "cache-1", "clean up"],
    &["step", "set", "4", "write all of it up"],
    &["step", "move", "4", "choose-1"],
    &["step", "remove", "4"],
    &["step", "start", "4"],
    &["step", "done", "2", "LRU"],
    &["step", "fail", "2", "too slow"],
    &["step", "skip", "4", "not needed"],
    &["step", "retry", "3", "machine is back"],
    &["archive"],
    &["lint", "--fix"],
];

/// The commands that also start programs, with their exit codes.
const RUNNERS: &[(&[&str], i32)] = &[
    (&["complete", "cache-1", "--gate", "fast", "--judge", "cmd:yes", "--path", "result.txt"], 0),
    (&["complete", "cache-1", "--gate", "fast", "--judge", "cmd:no", "--path", "result.txt"], 1),
    (&["complete", "red-1", "--gate", "fast", "--judge", "cmd:yes"], 1),
    (&["goal", "start", "choose-1"], 0),
    (&["step", "run", "5", "--yes"], 0),
];

#[test]
fn killed_at_every_system_call() {
    if !strace::available(&world()) {
        return;
    }
    let init: &[&str] = &["init", "Faster search"];
    let writers = WRITERS.iter().step_by(size(6, 1)).map(|args| (*args, Some(PLAN)));
    let cases: Vec<_> = writers.chain([(init, None)]).collect();
    two_at_once(&cases, |(args, before)| killed_everywhere(&world(), args, *before, 0));
}

#[test]
fn killed_at_every_system_call_around_other_programs() {
    if !strace::available(&world()) {
        return;
    }
    two_at_once(&RUNNERS[..size(1, RUNNERS.len())], |(args, code)| {
        // The step is active while its command runs.
        let is_running = |text: &str| args[..2] == ["step", "run"] && text.contains("\n- [/] 5. ");
        killed_between(&world(), args, Some(PLAN), *code, is_running);
    });
}

#[test]
fn undo_killed_at_every_system_call() {
    let world = world();
    if !strace::available(&world) {
        return;
    }
    world.plan(["log", "to be undone"]).is(0, "...\n", "");
    let (before, after) = (world.plan_md(), PLAN);
    let (_, trace) = strace::trace(&world, &["undo"], "");
    assert_eq!(world.plan_md(), after);
    let mut kills = 0;
    for (name, counts) in calls(&trace) {
        for count in counts {
            world.write("plan.md", &before);
            kills += usize::from(strace::kill_at(&world, &["undo"], name, count).code == 137);
            next_works(&world, &format!("undo killed at {name} {count}"));
        }
    }
    assert!(kills > 10, "only {kills} kills");
}

/// The stamp is fixed, so that the file after a whole run is known in advance, except for running times.
#[track_caller]
fn killed_everywhere(world: &World, args: &[&str], before: Option<&str>, code: i32) {
    killed_between(world, args, before, code, |_| false);
}

/// The same for a command that may also leave a version `between`.
#[track_caller]
fn killed_between(
    world: &World,
    args: &[&str],
    before: Option<&str>,
    code: i32,
    mut between: impl FnMut(&str) -> bool,
) {
    // Commands that start git or another program take long: only every third call is tested, unless all are requested.
    let is_long = matches!(args, ["complete" | "goal" | "approve" | "review", ..] | ["step", "start", ..]);
    let every = if is_long { size(3, 1) } else { 1 };
    restore(world, before);
    let (output, trace) = strace::trace(world, args, "");
    assert_eq!(output.code, code, "{args:?}: {}{}", output.stdout, output.stderr);
    let text = || std::fs::read_to_string(world.path("plan.md")).ok().map(|text| redact(world.base(), &text));
    let after = text();
    assert_ne!(after.as_deref(), before, "{args:?} changes nothing");
    let (mut kills, mut kept) = (0, 0);
    for (name, counts) in calls(&trace).step_by(every) {
        for count in counts {
            restore(world, before);
            let what = format!("{args:?} killed at {name} {count}");
            kills += usize::from(strace::kill_at(world, args, name, count).code == 137);
            let found = text();
            let is_old = found.as_deref() == before;
            let mut is_between = || found.as_deref().is_some_and(&mut between);
            assert!(
                is_old || found == after || is_between(),
                "{what}: a third version:\n{}",
                found.unwrap_or_default()
            );
            kept += usize::from(is_old);
            let left = leaks::end_processes(world.base());
            assert!(left.is_empty(), "{what}: still running: {left:?}");
            if args[0] == "complete" {
                // The killed check holds no lock: a second run gives the same result, or the result is there already.
                let again = world.plan(args).code;
                assert!(again == code || again == 4 && !is_old, "{what}, then again: exit {again}");
                assert!(!is_old || text() == after, "{what}, then again:\n{}", text().unwrap_or_default());
            }
            next_works(world, &what);
        }
    }
    assert!(kills > 10 && kept > 5, "{args:?}: only {kills} kills, {kept} before the change");
}

/// The calls of the main thread from the moment it first names plan.md, since nothing can happen to the file before that. Of each call the
/// first, the last, and as many between as time allows: a call that is made more than six times reads.
fn calls(trace: &strace::Trace) -> impl Iterator<Item = (&str, BTreeSet<usize>)> {
    let wanted = size(2, 6);
    trace.calls.iter().map(move |(name, (before, all))| {
        let made = all - before;
        let taken = made.min(wanted);
        (name.as_str(), (0..taken).map(|n| before + 1 + n * (made - 1) / (taken - 1).max(1)).collect())
    })
}

/// Restores the state before the first run: no record, no memory of the run.
fn restore(world: &World, content: Option<&str>) {
    match content {
        Some(text) => world.write("plan.md", text),
        None => drop(std::fs::remove_file(world.path("plan.md"))),
    }
    for folder in ["refs/plan", "plan/checks", "plan/rejections", "plan/checkpoints"].map(|name| format!(".git/{name}"))
    {
        drop(std::fs::remove_dir_all(world.path(&folder)));
    }
}

/// The next command works whether or not the killed one had created a file, and cleans up after it.
#[track_caller]
fn next_works(world: &World, what: &str) {
    let had = world.path("plan.md").exists();
    let next = if had { world.plan(["log", "next"]) } else { world.plan(["init", "next"]) };
    assert_eq!(next.code, 0, "{what}, then the next: {}{}", next.stdout, next.stderr);
    if had {
        assert!(world.plan_md().contains("  next\n"), "{what}, then the next wrote nothing:\n{}", world.plan_md());
    }
    let left: Vec<_> = leaks::files(world.base()).into_iter().filter(|file| file.starts_with(world.root())).collect();
    assert!(left.is_empty(), "{what}: the next command left {left:?}");
}

#[test]
fn killed_a_thousand_times_at_random() {
    // Fewer runs if there is less time; a thousand with `PLAN_FULL`.
    let world = world();
    let runs = size(200, 1000);
    let mut seed: u64 = 0x9e37_79b9_7f4a_7c15;
    let (usual, mut landed) = (usual_time(&world), 0);
    restore(&world, Some(PLAN));
    let mut text = PLAN.to_string();
    for run in 0..runs {
        let line = format!("run {run}");
        let mut command = world.command(env!("CARGO_BIN_EXE_plan"), ["log", &line]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(usual.mul_f64((seed >> 40) as f64 / f64::from(1 << 24)));
        child.kill().unwrap();
        child.wait().unwrap();
        let longer = format!("{text}- 2026-06-15 14:33  {line}\n");
        let found = world.plan_md();
        assert!(found == text || found == longer, "run {run}: a third version:\n{found}");
        landed += usize::from(found == longer);
        text = found;
    }
    assert!(
        (runs / 20..runs - runs / 20).contains(&landed),
        "{landed} of {runs} got through: the kills were not spread over the run"
    );
    next_works(&world, "all the kills");
}

/// The usual time of a `log` here, with a margin.
fn usual_time(world: &World) -> Duration {
    restore(world, Some(PLAN));
    let start = Instant::now();
    for _ in 0..20 {
        world.plan(["log", "warm"]).is(0, "...\n", "");
    }
    start.elapsed() / 20
}

fn world() -> World {
    World::new()
        .file("plan.md", PLAN)
        .file("check.sh", "grep -q p95 result.txt\n")
        .file("red.sh", "echo 'no table yet'\nexit 3\n")
        .file("result.txt", "p95 47.1 ms\n")
        .judge(
            "yes",
            "C1 met: result.txt:1 \"p95 47.1 ms\"\nF1 ruled out: result.txt:1 \"47.1\"\nmissing: none\n",
            "accept",
        )
        .judge("no", "C1 not met: no\nF1 not ruled out: no\nmissing: a hit rate\n", "reject")
        .committed()
        .crashes()
}

const UNAPPROVED: &str = "---\nmode: contract\n---\n# Plan: Sums\n\n## Goal: Add\n<!-- id: add-1 -->\ndone_when: adds\n- [ ] 1. one\n\
                          - [ ] 2. two\n\n## Log\n- 2026-06-15 14:02  begun\n";

// CONTRACT.md §3.5, law 7
#[test]
fn an_approval_killed_at_every_system_call_is_given_or_not() {
    if !strace::available(&world()) {
        return;
    }
    killed_everywhere(&world(), &["approve", "--yes", "--as", "ada"], Some(UNAPPROVED), 0);
}

// CONTRACT.md §3.5, law 7
#[test]
fn a_rejection_killed_at_every_system_call_is_done_or_not() {
    let world = world();
    if !strace::available(&world) {
        return;
    }
    world.write("plan.md", UNAPPROVED);
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    let proposed = world.plan_md().replace("2. two", "2. second").replace("done_when: adds\n", "");
    killed_everywhere(&world, &["review", "--reject", "no"], Some(&proposed), 0);
}
