//! A killed rewind leaves the old files, the restored files, or a report of its progress; both directions work.

use std::collections::{BTreeMap, BTreeSet};

use super::snapshot::Snapshot;
use super::{done, world};
use crate::support::{World, leaks, size, strace};

/// The calls that change a file system, and the calls that make changes last.
const CALLS: [&str; 12] = [
    "renameat", "unlinkat", "openat", "fchmod", "mkdirat", "symlinkat", "syncfs", "fsync", "rename", "write", "unlink",
    "renameat2",
];

/// Writes the files as before every kill.
fn set_up(world: &World) {
    for name in ["calc.sh", "src/lib.sh", "new/a.txt", "new/b.txt", "link", "gone.txt", "more/x.txt", "turned"] {
        drop(std::fs::remove_file(world.path(name)));
    }
    for name in ["new", "more", "turned"] {
        drop(std::fs::remove_dir_all(world.path(name)));
    }
    world.write("calc.sh", "two\n");
    world.write("new/a.txt", "a\n");
    world.write("new/b.txt", "b\n");
    world.write("link", "a file\n");
    world.write("turned/deep/z.txt", "z\n");
    drop(std::fs::remove_dir(world.path("src")));
}

#[test]
fn killed_anywhere() {
    let world = world().crashes();
    if !strace::available(&world) {
        return;
    }
    world.write("gone.txt", "then\n");
    world.write("more/x.txt", "x\n");
    std::os::unix::fs::symlink("calc.sh", world.path("link")).unwrap();
    std::os::unix::fs::symlink("src", world.path("turned")).unwrap();
    done(&world, 1);
    let then = Snapshot::of(&world);
    set_up(&world);
    done(&world, 2);
    let now = Snapshot::of(&world);
    let args = ["rewind", "1", "--yes"];
    let (output, trace) = strace::trace(&world, &args, "");
    assert_eq!(output.code, 0, "{}{}", output.stdout, output.stderr);
    assert_eq!(Snapshot::of(&world).files, then.files);
    let (mut kills, mut midway, mut forward) = (0, 0, false);
    for name in CALLS {
        let Some((before, all)) = trace.calls.get(name) else { continue };
        let made = all - before;
        // Reads come first: the last calls are those that change something.
        let wanted = made.min(size(3, 12));
        for count in (0..wanted).map(|at| before + 1 + at * made.saturating_sub(1) / wanted.saturating_sub(1).max(1)) {
            set_up(&world);
            assert_eq!(Snapshot::of(&world).files, now.files);
            let what = format!("killed at {name} {count}");
            kills += usize::from(strace::kill_at(&world, &args, name, count).code == 137);
            let left = leaks::end_processes(world.base());
            assert!(left.is_empty(), "{what}: still running: {left:?}");
            let list = world.plan(["rewind", "--list"]);
            assert_eq!(list.code, 0, "{what}: {}", list.stderr);
            let found = Snapshot::of(&world);
            if !list.stdout.contains("was interrupted after ") {
                assert!(found.files == now.files || found.files == then.files, "{what}: {found:#?}");
                continue;
            }
            midway += 1;
            let shown = world.plan([] as [&str; 0]).stdout;
            assert!(shown.contains("a rewind to step 1 was interrupted after "), "{what}: {shown}");
            let step = world.plan(["step", "done", "3", "x"]);
            assert!(
                step.code == 4 && step.stderr.contains("a rewind to step 1 was interrupted after "),
                "{what}: {}",
                step.stderr
            );
            forward = !forward;
            let (way, wanted): (&[&str], _) =
                if forward { (&args, &then) } else { (&["rewind", "--undo", "--yes"], &now) };
            let output = world.plan(way);
            assert_eq!(output.code, 0, "{what}, then {way:?}: {}{}", output.stdout, output.stderr);
            let after = Snapshot::of(&world);
            assert_eq!(after.files, wanted.files, "{what}, then {way:?}");
            assert_eq!(after.git, now.git, "{what}, then {way:?}");
            let list = world.plan(["rewind", "--list"]).stdout;
            assert!(!list.contains("interrupted after"), "{what}, then {way:?}: {list}");
        }
    }
    assert!(kills > 10 && midway > 3, "only {kills} kills, {midway} of them midway");
}

/// Work that is done after a kill and before the rewind is finished or undone. One command brings it back.
#[test]
fn work_after_a_kill_comes_back() {
    let world = world().crashes();
    if !strace::available(&world) {
        return;
    }
    world.write("gone.txt", "then\n");
    world.write("more/x.txt", "x\n");
    done(&world, 1);
    let then = Snapshot::of(&world).files;
    set_up(&world);
    done(&world, 2);
    let now = Snapshot::of(&world).files;
    let args = ["rewind", "1", "--yes"];
    let undo = ["rewind", "--undo", "--yes"];
    for (way, end, word) in [(&args, &then, "finished"), (&undo, &now, "undone")] {
        set_up(&world);
        let before = interrupt(&world, &args);
        world.write("mywork.txt", "an hour of work\n");
        world.write("calc.sh", "edited\n");
        let half = files(&world);
        // This includes the file that the killed rewind was writing: it goes too.
        let all = Snapshot::of(&world).files;
        let is_file = |path: &&&String| {
            all.get(**path).or(end.get(**path)).is_some_and(|(mode, _)| *mode & 0o170_000 != 0o040_000)
        };
        let paths: BTreeSet<&String> = all.keys().chain(end.keys()).collect();
        let changed = paths.iter().filter(is_file).filter(|path| all.get(**path) != end.get(**path)).count();
        let preview = world.plan([&way[..2], &["--dry-run"]].concat());
        let output = world.plan(way);
        assert_eq!(output.code, 0, "{way:?}: {}{}", output.stdout, output.stderr);
        assert_eq!(&Snapshot::of(&world).files, end, "{way:?}");
        assert!(output.stdout.starts_with(&format!("rewound {changed} file")), "{changed}, {way:?}: {}", output.stdout);
        let back = world.plan(undo);
        assert_eq!(back.code, 0, "{way:?}: {}{}", back.stdout, back.stderr);
        assert_eq!(files(&world), half, "{way:?}, undone");
        assert_eq!(world.plan(undo).code, 0);
        assert_eq!(&Snapshot::of(&world).files, end, "{way:?}, redone");
        let told = format!("  after this the interrupted rewind is {word}; ");
        assert!(preview.stdout.contains(&told), "{way:?}: {}{}", preview.stdout, preview.stderr);
        let told = format!(
            "; the interrupted rewind is {word}, and `plan rewind --undo` goes back to the files of just before"
        );
        assert!(output.stdout.contains(&told), "{way:?}: {}", output.stdout);
        // The files before the first rewind have a name too.
        let name = format!("@{before}");
        let list = world.plan(["rewind", "--list"]).stdout;
        assert!(list.contains(&format!("{name:>5}  ")), "{list}");
        let told = format!(", `plan rewind {name}` to those before the interrupted rewind\n");
        assert_eq!(output.stdout.contains(&told), word == "finished", "{}", output.stdout);
        let output = world.plan(["rewind", &name, "--yes"]);
        assert_eq!(output.code, 0, "{name}: {}{}", output.stdout, output.stderr);
        assert_eq!(Snapshot::of(&world).files, now, "{name}");
    }
}

/// The files that a checkpoint can hold, without empty folders and without the file that the killed rewind was writing.
fn files(world: &World) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut files = Snapshot::of(world).files;
    files.retain(|path, (mode, _)| *mode & 0o170_000 != 0o040_000 && !path.contains(".plan-rewind-"));
    files
}

/// Kills a rewind midway. Returns the number of the checkpoint before it.
fn interrupt(world: &World, args: &[&str]) -> u64 {
    for count in 1..200 {
        let _ = strace::kill_at(world, args, "renameat", count);
        let list = world.plan(["rewind", "--list", "--json"]).json(0);
        if list["interrupted"].is_string() {
            let all = list["checkpoints"].as_array().unwrap();
            return all.iter().rev().find(|one| one["kind"] == "before").unwrap()["number"].as_u64().unwrap();
        }
        set_up(world);
    }
    panic!("no kill was midway");
}

/// The disk fails midway: everything goes back.
#[test]
fn a_failure_midway_puts_everything_back() {
    let world = world().crashes();
    if !strace::available(&world) {
        return;
    }
    done(&world, 1);
    world.write("calc.sh", "two\n");
    world.write("new/a.txt", "a\n");
    std::fs::remove_file(world.path("src/lib.sh")).unwrap();
    std::fs::remove_dir(world.path("src")).unwrap();
    let now = Snapshot::of(&world);
    let mut back = 0;
    for (call, error) in [
        ("renameat", "ENOSPC"),
        ("fchmod", "EACCES"),
        ("unlinkat", "EROFS"),
        ("mkdirat", "EDQUOT"),
        ("renameat2", "EIO"),
    ] {
        for count in 1..size(8, 15) {
            let inject = format!("inject={call}:error={error}:when={count}");
            let options = ["-qq", "-o", "/dev/null", "-e", inject.as_str()];
            let args = ["rewind", "1", "--yes"];
            let output = world
                .call_program("strace", options.iter().copied().chain([env!("CARGO_BIN_EXE_plan")]).chain(args))
                .run();
            let list = world.plan(["rewind", "--list"]).stdout;
            assert!(!list.contains("interrupted"), "{inject}: {list}");
            if output.code == 0 {
                assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0, "{inject}");
                assert_eq!(Snapshot::of(&world), now, "{inject}: undone");
                break;
            }
            back += usize::from(output.stderr.contains("rewound nothing: "));
            assert_eq!(Snapshot::of(&world), now, "{inject}: {}", output.stderr);
        }
    }
    assert!(back > 4, "only {back} failures were midway");
}
