//! The disk is full, read-only or owned by another user: every writing command reports it, and nothing is lost. `strace` makes the calls
//! fail (a real full disk and a real read-only file system are in `store/trouble.rs`).

use std::path::Path;

use crate::support::{World, leaks, size, strace};

const PLAN: &str = "\
# Plan: Faster search

## Goal: Implement cache layer
<!-- id: cache-1 -->
status: active
- [/] 1. eviction

## Goal: Old
<!-- id: old-1 -->
status: cancelled

## Log
- 2026-06-15 14:02  cache-1 started
";

/// Without `undo`, because the version that it brings back depends on the versions that it can read.
const WRITERS: &[&[&str]] = &[
    &["log", "cache wired"],
    &["step", "done", "1", "LRU"],
    &["goal", "add", "Measure it"],
    &["goal", "cancel", "cache-1", "not needed"],
    &["archive"],
];

/// The calls that can fail in this way on their way to a new plan.md.
const FAULTS: &[(&str, &str, &str)] = &[
    ("write", "ENOSPC", "no space left on its file system"),
    ("fsync", "EIO", ""),
    ("fsync", "ENOSPC", "no space left on its file system"),
    ("openat", "EROFS", "its file system is read-only"),
    ("openat", "EACCES", "permission denied"),
    ("renameat2", "EACCES", "permission denied"),
    ("renameat2", "EROFS", "its file system is read-only"),
    ("renameat2", "ENOSPC", "no space left on its file system"),
    ("linkat", "ENOSPC", ""),
    ("unlink", "EACCES", ""),
    ("mkdir", "ENOSPC", ""),
];

/// Runs the command while call number `count` of `name` fails.
fn failing(world: &World, args: &[&str], name: &str, error: &str, count: usize) -> crate::support::output::Output {
    let inject = format!("inject={name}:error={error}:when={count}");
    let options = ["-qq", "-o", "/dev/null", "-e", &format!("trace={name}"), "-e", &inject];
    let plan = [env!("CARGO_BIN_EXE_plan")];
    world.call_program("strace", options.iter().chain(&plan).chain(args)).run()
}

#[test]
fn a_call_that_fails_is_said_and_loses_nothing() {
    let world = World::new().file("plan.md", PLAN);
    if !strace::available(&world) {
        return;
    }
    assert_eq!(world.plan(["log", "first"]).code, 0);
    let before = world.plan_md();
    let mut said = 0;
    for args in WRITERS.iter().step_by(size(3, 1)) {
        world.write("plan.md", &before);
        let (_, trace) = strace::trace(&world, args, "");
        let after = world.plan_md();
        for (name, error, words) in FAULTS {
            let (first, last) = trace.calls.get(*name).copied().unwrap_or_default();
            for count in first + 1..=last {
                world.write("plan.md", &before);
                let what = format!("{args:?}, {name} {count} answers {error}");
                let output = failing(&world, args, name, error, count);
                let now = world.plan_md();
                // Trouble outside the plan (an undo copy that cannot be thinned out) does not stop the write.
                // Output that cannot be printed does not stop it either, but that is reported.
                let unsaid = output.stderr.contains("cannot write to standard output");
                let written = output.code == 0 || unsaid;
                assert_eq!(now, if written { &*after } else { &*before }, "{what}: {output:?}");
                if !written && world.plan_md() == before && !output.stderr.starts_with("error: ") {
                    panic!("{what}: exit {} and no error: {output:?}", output.code);
                }
                assert!(written || output.stderr.contains(words), "{what}: {output:?}");
                if *name == "fsync" && written {
                    assert!(
                        output.stderr.contains("is written, but a power failure could undo it"),
                        "{what}: {output:?}"
                    );
                }
                assert!(!output.stderr.contains("panicked"), "{what}: {output:?}");
                said += usize::from(!written && !words.is_empty());
                assert_eq!(world.plan(["log", "next"]).code, 0, "{what}, then the next");
                let left = leaks::files(world.base());
                assert!(left.is_empty(), "{what}: left {left:?}");
            }
        }
    }
    assert!(said > size(8, 20), "only {said} failures were seen");
}

/// Nothing is written if we may not write plan.md, its folder or the git directory.
#[test]
fn what_we_may_not_write_is_said() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() && !can_be_another() {
        println!("skipped: root may write everything, and there is no setpriv to become another user");
        return;
    }
    for guarded in ["plan.md", ".", ".git"] {
        let world = World::new().file("plan.md", PLAN);
        open_to_all(&world);
        let mode = if guarded == "plan.md" { 0o444 } else { 0o555 };
        std::fs::set_permissions(world.path(guarded), std::fs::Permissions::from_mode(mode)).unwrap();
        for args in WRITERS {
            let output = as_another(&world, args);
            assert!(matches!(output.code, 2 | 3), "{guarded} {args:?}: {output:?}");
            assert!(output.stderr.starts_with("error: "), "{guarded} {args:?}: {output:?}");
            let said = ["permission denied", "write-protected", "read-only"];
            assert!(said.iter().any(|words| output.stderr.contains(words)), "{guarded} {args:?}: {output:?}");
            assert_eq!(world.plan_md(), PLAN);
        }
        assert_eq!(as_another(&world, &["show"]).code, 0, "reading goes on");
        std::fs::set_permissions(world.path(guarded), std::fs::Permissions::from_mode(0o777)).unwrap();
    }
}

fn can_be_another() -> bool {
    std::process::Command::new("setpriv").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The binary is copied to a place that another user can reach.
fn as_another(world: &World, args: &[&str]) -> crate::support::output::Output {
    if !rustix::process::geteuid().is_root() {
        return world.plan(args);
    }
    let binary = world.base().join("bin/plan");
    if !binary.exists() {
        crate::support::copy_program(Path::new(env!("CARGO_BIN_EXE_plan")), &binary);
    }
    let options = ["--reuid=65534", "--regid=65534", "--clear-groups", binary.to_str().unwrap()];
    world.call_program("setpriv", options.iter().chain(args)).run()
}

fn open_to_all(world: &World) {
    use std::os::unix::fs::PermissionsExt;
    let mut folders = vec![world.base().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode | 0o666)).unwrap();
            if path.is_dir() {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
                folders.push(path);
            }
        }
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
}
