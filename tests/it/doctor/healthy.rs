//! Healthy worlds in which other programs of this kind raise a false alarm.

use std::fmt::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{PLAN, world};
use crate::support::plans::TO_DO;
use crate::support::{World, copy_program, hosts, size};

/// Asserts that there is only the count of rows, and exit 0.
#[track_caller]
fn is_fine(world: &World, folder: &str) {
    let output = world.call(["doctor"]).dir(folder).run();
    assert_eq!((output.code, output.stdout.lines().count(), &*output.stderr), (0, 1, ""), "{}", output.stdout);
    assert!(output.stdout.ends_with(" checks passed (--verbose)\n"), "{}", output.stdout);
}

const SIGNED: &str = "docs-1 signed off (verify none, gate fast, oracle accept by checks, contract 0123456789ab, tree ba9876543210, at none)";

/// Fresh `init`; no host; LANG=C; a home that nobody can write.
#[test]
fn a_fresh_plan_is_fine() {
    let world = world()
        .env("LANG", "C")
        .env("LC_ALL", "C")
        .env("HOME", "/proc/1/nowhere")
        .env("XDG_CONFIG_HOME", "/proc/1/nowhere");
    assert_eq!(world.plan(["init", "Faster search"]).code, 0);
    is_fine(&world, "");
}

/// A fresh clone without records, a shallow one, a linked work tree, a submodule.
#[test]
fn clones_and_work_trees_are_fine() {
    let done = TO_DO.replace("<!-- id: docs-1 -->", "<!-- id: docs-1 -->\nstatus: done");
    let world = world().file("plan.md", format!("{done}- 2026-06-15 14:05  {SIGNED}\n")).committed();
    world.write("more.txt", "");
    world.commit("more");
    let url = format!("file://{}", world.root().display());
    world.git(["clone", "--quiet", &url, "../clone"]);
    world.git(["clone", "--quiet", "--depth=1", &url, "../shallow"]);
    world.git(["worktree", "add", "--quiet", "../linked"]);
    world.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "sub"]);
    for folder in ["../clone", "../shallow", "../linked", "sub"] {
        is_fine(&world, folder);
    }
}

#[test]
fn a_folder_without_git_is_fine() {
    let world = World::without_git().file("plan.md", TO_DO);
    is_fine(&world, "");
}

/// Every host; then this program at a store path, with another version first on PATH.
#[test]
fn all_hosts_and_two_versions_are_fine() {
    let world = world().file("plan.md", TO_DO).committed();
    for host in hosts() {
        assert_eq!(world.plan(["install", host]).code, 0, "{host}");
    }
    is_fine(&world, "");
    let store = world.base().join("nix/store/0123456789abcdfghijklmnpqrsvwxyz-plan-0.1.0/bin/plan");
    std::fs::create_dir_all(store.parent().unwrap()).unwrap();
    copy_program(Path::new(PLAN), &store);
    world.git(["clean", "-dfq"]);
    let call = |args: &[&str]| world.call_program(&store, args).run();
    assert_eq!(call(&["install", "claude"]).code, 0);
    let settings = world.read(".claude/settings.json");
    assert!(settings.contains("/nix/store/"), "{settings}");
    let output = call(&["doctor"]);
    assert_eq!((output.code, output.stdout.lines().count()), (0, 1), "{}", output.stdout);
    // A profile has it on PATH, through a link.
    std::fs::remove_file(world.base().join("bin/plan")).unwrap();
    symlink(&store, world.base().join("bin/plan")).unwrap();
    is_fine(&world, "");
}

/// 10,000 goals: a fault in one of them is found, and the others are not mentioned.
#[test]
fn many_goals_are_fine() {
    let mut plan = String::from("# Plan: Many\n\n");
    for number in 1..=size(100, 10_000) {
        let _ = write!(plan, "## Goal: Goal {number}\n<!-- id: goal-{number} -->\nstatus: open\n\n");
    }
    let world = world().file("plan.md", plan + "## Log\n");
    is_fine(&world, "");
}
