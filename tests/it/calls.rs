//! What commands cost in system calls: a write is two fsyncs and no process, a view is none of either and writes nothing.

use crate::support::plans::SEARCH as PLAN;
use crate::support::{World, strace};

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
    // Does git ignore plan.md? Where people look, git is asked.
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
    let world = World::new().file("plan.md", PLAN).committed();
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
