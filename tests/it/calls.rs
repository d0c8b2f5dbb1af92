//! The cost of commands in system calls: a write makes two fsyncs and starts no process; a view makes none, starts none and writes nothing.

use crate::support::plans::SEARCH as PLAN;
use crate::support::{World, judge, strace};

#[test]
fn a_write_is_two_fsyncs_and_no_process() {
    let writers: &[&[&str]] = &[
        &["log", "cache wired"],
        &["step", "done", "2", "LRU"],
        &["step", "add", "cache-1", "clean up"],
        &["goal", "add", "Measure it"],
        &["goal", "set", "cache-1", "--priority", "1"],
        &["archive"],
    ];
    for args in writers {
        let world = World::new().file("plan.md", PLAN);
        if !strace::available(&world) {
            return;
        }
        let (output, trace) = strace::trace(&world, args, "");
        assert_eq!(output.code, 0, "{args:?}: {}{}", output.stdout, output.stderr);
        assert_eq!(trace.syncs().len(), 2, "{args:?}: {:#?}", trace.syncs());
        assert!(trace.processes().is_empty(), "{args:?}: {:#?}", trace.processes());
    }
}

#[test]
fn a_view_writes_nothing_and_starts_nothing() {
    // Does git ignore plan.md? A view asks git only if a rule can match.
    let asking: &[&[&str]] = &[&[], &["--json"], &["lint"]];
    let views: &[&[&str]] = &[
        &["show"],
        &["show", "cache-1"],
        &["show", "--line"],
        &["show", "--format", "mermaid"],
        &["next"],
        &["goal", "list"],
        &["inject"],
        &["remind", "--iteration", "3"],
        &["undo", "--list"],
    ];
    let world = World::new().file("plan.md", PLAN).file(".gitignore", "*.md\n!plan.md\n").committed();
    if !strace::available(&world) {
        return;
    }
    for args in views.iter().chain(asking) {
        let (output, trace) = strace::trace(&world, args, "");
        assert!(output.code <= 1, "{args:?}: {}{}", output.stdout, output.stderr);
        assert!(trace.syncs().is_empty(), "{args:?}: {:#?}", trace.syncs());
        let git = |line: &&str| line.starts_with("execve(") && line.contains("\"check-ignore\"");
        let (asked, others): (Vec<_>, Vec<_>) = trace.made(&["execve", "execveat"]).into_iter().skip(1).partition(git);
        assert_eq!((asked.len(), others), (usize::from(asking.contains(args)), Vec::new()), "{args:?}");
        assert!(asking.contains(args) || trace.processes().is_empty(), "{args:?}: {:#?}", trace.processes());
        assert!(trace.changes().is_empty(), "{args:?}: {:#?}", trace.changes());
    }
}

/// A git first on PATH that records the name of each command; an `old` one does not know `cat-file --batch-command` (2.36).
fn counted(world: World, old: bool) -> World {
    let path = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.is_file()).unwrap();
    let refuse = if old { "case \"$*\" in *--batch-command*) exit 129;; esac\n" } else { "" };
    let words = "for word; do case $word in -c|--no-pager|*=*) ;; *) break;; esac; done\n";
    let note = format!("echo \"$word\" >>'{}'\n", world.base().join("calls").display());
    let script = format!("#!/bin/sh\n{words}{note}{refuse}exec '{}' \"$@\"\n", real.display());
    world.program("git", &script)
}

/// Returns the exit code of `plan`, and the number of its git calls.
fn calls_of(world: &World, args: &[&str]) -> (i32, usize) {
    world.write("../calls", "");
    let output = world.plan(args);
    let calls = world.read("../calls");
    println!("{args:?}: {calls:?} {}{}", output.stdout, output.stderr);
    (output.code, calls.lines().count())
}

/// The commands that measure files. docs/speed.md gives the purpose of each of their git calls.
const MEASURING: [(&[&str], i32, usize); 7] = [
    (&["verify", "fast-1", "--gate", "fast"], 0, 3),
    (&["complete", "fast-1", "--gate", "fast", "--path", "result.txt", "--judge", "checks"], 1, 4),
    // A goal that was never started is searched for in the history.
    (&["complete", "fast-1", "--gate", "fast", "--path", "result.txt", "--judge", "cmd:judge"], 0, 6),
    // Two of these keep the files that are in no commit.
    (&["goal", "start", "fast-1"], 0, 6),
    (&["goal", "start", "fast-1"], 0, 0),
    (&["complete", "fast-1", "--gate", "fast", "--path", "result.txt"], 3, 0),
    (&["complete", "fast-1", "--gate", "fast", "--path", "result.txt", "--judge", "cmd:judge"], 0, 6),
];

#[test]
fn git_is_called_seldom() {
    let judged = || judge::world().judge("judge", judge::HONEST, "accept");
    let world = counted(judged(), false);
    for (args, code, calls) in MEASURING {
        assert_eq!(calls_of(&world, args), (code, calls), "{args:?}");
    }
    for args in
        [&["log", "text"][..], &["goal", "add", "More"], &["step", "add", "docs-1", "one"], &["next"], &["show"]]
    {
        assert_eq!(calls_of(&world, args), (0, 0), "{args:?}");
    }
    assert_eq!(calls_of(&world, &[]).1, 0, "no rule can make git ignore plan.md");
    world.write(".gitignore", "*.md\n");
    assert_eq!(calls_of(&world, &[]).1, 1, "does git ignore plan.md?");
    world.write(".gitignore", "");
    // A git that cannot be kept open gives the same answers.
    let older = counted(judged(), true);
    for (args, code, calls) in MEASURING {
        let (found, asked) = calls_of(&older, args);
        // Each file that is read is a separate call, also the script of verify.
        assert!(found == code && (calls..=calls + 12).contains(&asked), "{args:?}: {found} {asked}");
    }
    let told = |world: &World| {
        let text = world.plan_md();
        let lines = text.lines().filter(|line| line.contains("  fast-1 ") && line.contains("contract "));
        // Commits and seconds differ from run to run.
        let whole = |line: &str| {
            line.split(['(', ',', ')']).filter(|part| !part.contains(" at ") && !part.contains("verify")).collect()
        };
        lines.map(whole).collect::<Vec<String>>()
    };
    assert_eq!((told(&world).len(), told(&world)), (3, told(&older)));
}

#[test]
fn a_start_and_a_sign_off_are_two_fsyncs_each() {
    let world = judge::world().judge("judge", judge::HONEST, "accept");
    if !strace::available(&world) {
        return;
    }
    for args in [&["goal", "start", "docs-1"][..], MEASURING[2].0] {
        let (output, trace) = strace::trace(&world, args, "");
        assert_eq!(output.code, 0, "{args:?}: {}{}", output.stdout, output.stderr);
        assert_eq!(trace.syncs().len(), 2, "{args:?}: {:#?}", trace.syncs());
    }
}
