//! The process is killed at any moment: plan.md is the old or the new version, never a third, and the next run works.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use plan::store::{self, Class};

use super::support::{START, World, append, child, skip};
use crate::support::size;

#[test]
fn killed_at_random_moments() {
    let world = World::new();
    let mut before = START.to_owned();
    let mut moved = 0;
    let runs = size(80, 200) as u64;
    for run in 0..runs {
        let mut child = child(&format!("append r{run} 1000"), world.dir.path()).spawn().unwrap();
        sleep(Duration::from_micros(2_000 + run * 104_729 % 23_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = world.text();
        let added = now.strip_prefix(&before).unwrap_or_else(|| panic!("run {run}: {now}\nwas: {before}"));
        for (i, line) in added.lines().enumerate() {
            assert_eq!(line, format!("- r{run} {i};"));
        }
        assert!(added.is_empty() || added.ends_with('\n'));
        moved += u32::from(!added.is_empty());
        before = now;
    }
    assert!(u64::from(moved) > runs / 10, "only {moved} of {runs} runs wrote anything before they were killed");
    append(&world.place(), "- next").unwrap();
    assert_eq!(world.text(), format!("{before}- next\n"));
    assert_eq!(world.names(), [".git", "plan.md"]);
}

/// Kills the job at each of its system calls in turn, and checks the result each time.
fn killed_at_every_call(job: &str, check: impl Fn(&World, &str), make: impl Fn() -> World) {
    let Some(trace) = traced(job, &make(), None) else {
        return skip("no strace, or it may not attach");
    };
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    let inside = trace.split("/mark-begin").nth(1).and_then(|rest| rest.rsplit_once("/mark-end")).unwrap().0;
    let (inside, _) = inside.rsplit_once('\n').unwrap();
    for line in inside.lines().skip(1) {
        let name = line.split('(').next().unwrap();
        *calls.entry(name).or_default() += 1;
    }
    assert!(calls.values().sum::<usize>() > 40 && calls["renameat2"] > 0, "{calls:?}");
    for (call, count) in calls {
        let before = trace
            .split("/mark-begin")
            .next()
            .unwrap()
            .lines()
            .filter(|line| line.starts_with(&format!("{call}(")))
            .count();
        for nth in before + 1..=before + count {
            let world = make();
            let trace = traced(job, &world, Some(&format!("inject={call}:signal=KILL:when={nth}"))).unwrap();
            assert!(trace.contains("+++ killed by SIGKILL") && !trace.contains("/mark-end"), "{call} {nth}: {trace}");
            check(&world, &format!("{call} {nth}"));
        }
    }
}

/// The system calls of a job. The tracer attaches only to the thread that does the job, so that it counts nothing else.
fn traced(job: &str, world: &World, inject: Option<&str>) -> Option<String> {
    let (thread, trace) = (world.path("thread"), world.path("trace"));
    let mut child =
        child(job, world.dir.path()).env("PLAN_TEST_THREAD", &thread).stdin(Stdio::piped()).spawn().unwrap();
    while fs::read(&thread).unwrap_or_default().is_empty() {
        sleep(Duration::from_millis(1));
    }
    let mut strace = Command::new("strace");
    strace.arg("-o").arg(&trace).args(inject.iter().flat_map(|inject| ["-e", inject]));
    strace.arg("-p").arg(fs::read_to_string(&thread).unwrap()).stderr(Stdio::piped());
    fs::remove_file(thread).unwrap();
    let mut said = String::new();
    let mut strace = strace.spawn().ok();
    if let Some(strace) = &mut strace {
        BufReader::new(strace.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    }
    drop(child.stdin.take());
    child.wait().unwrap();
    strace.as_mut().map(|strace| strace.wait());
    let text = fs::read_to_string(&trace).ok().filter(|_| said.contains("attached"));
    let _ = fs::remove_file(trace);
    text
}

fn next_run_works(world: &World, at: &str) {
    let before = world.text();
    append(&world.place(), "- next").unwrap_or_else(|error| panic!("{at}: {error}"));
    assert_eq!(world.text(), format!("{before}- next\n"), "{at}");
    assert_eq!(world.names(), [".git", "plan.md"], "{at}");
    let copies = super::support::names(&world.path(".git/plan/undo"));
    assert_eq!(copies.iter().filter(|name| name.contains(".current.")).count(), 1, "{at}: {copies:?}");
}

#[test]
fn a_write_killed_at_every_call() {
    let old = format!("{START}- first\n");
    let new = format!("{old}x\n");
    let check = |world: &World, at: &str| {
        let now = world.text();
        assert!(now == old || now == new, "{at}: {now}");
        next_run_works(world, at);
        // The previous version is still there to go back to.
        assert!(world.versions().contains(&old), "{at}");
    };
    killed_at_every_call("one x", check, || {
        let world = World::new();
        append(&world.place(), "- first").unwrap();
        world
    });
}

#[test]
fn the_first_write_killed_at_every_call() {
    let new = format!("{START}x\n");
    let check = |world: &World, at: &str| {
        let now = world.text();
        assert!(now == START || now == new, "{at}: {now}");
        next_run_works(world, at);
        assert!(world.versions().contains(&START.to_owned()), "{at}");
    };
    killed_at_every_call("one x", check, World::new);
}

#[test]
fn a_new_plan_killed_at_every_call() {
    let check = |world: &World, at: &str| {
        if world.path("plan.md").exists() {
            assert_eq!(world.text(), "# Plan: New\n", "{at}");
        } else {
            let place = store::place_for_new(world.dir.path(), None).unwrap();
            store::create(&place, b"# Plan: New\n").unwrap();
        }
        next_run_works(world, at);
    };
    killed_at_every_call("create", check, || {
        let world = World::new();
        fs::remove_file(world.path("plan.md")).unwrap();
        world
    });
}

#[test]
fn an_undo_killed_at_every_call() {
    let new = format!("{START}- first\n");
    let check = |world: &World, at: &str| {
        let now = world.text();
        assert!(now == START || now == new, "{at}: {now}");
        next_run_works(world, at);
    };
    killed_at_every_call("undo", check, || {
        let world = World::new();
        append(&world.place(), "- first").unwrap();
        world
    });
}

/// A killed run may leave a person's version: it is kept, and the next write reports that.
#[test]
fn what_a_killed_run_left_is_kept() {
    let world = World::new();
    fs::write(world.path(".plan.md.4711.tmp"), "someone's version").unwrap();
    fs::write(world.path(".plan.md.4712-1.tmp"), "another").unwrap();
    for not_ours in [".plan.md.x.tmp", ".plan.md.tmp", "plan.md.1.tmp", ".other.md.1.tmp"] {
        fs::write(world.path(not_ours), "x").unwrap();
    }
    fs::create_dir(world.path(".plan.md.1.tmp")).unwrap();
    fs::hard_link(world.path("plan.md"), world.path(".plan.md.3.tmp")).unwrap();
    let done = append(&world.place(), "x").unwrap();
    assert_eq!(done.notes, vec!["a version of `plan.md` that an interrupted run left is kept: `plan undo --list`"; 2]);
    let kept = store::undo_list(&world.place()).unwrap();
    let left: Vec<String> = kept
        .iter()
        .filter(|version| version.class == Class::Left)
        .map(|version| fs::read_to_string(&version.path).unwrap())
        .collect();
    assert_eq!(left, ["another", "someone's version"]);
    let names =
        [".git", ".other.md.1.tmp", ".plan.md.1.tmp", ".plan.md.tmp", ".plan.md.x.tmp", "plan.md", "plan.md.1.tmp"];
    assert_eq!(world.names(), names);
}
