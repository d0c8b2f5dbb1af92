//! The base of the integration tests: a hermetic world, its outputs, its leftovers.

#![allow(dead_code, unreachable_pub, reason = "shared by several test binaries, each of which uses a part")]

pub mod case;
pub mod diff;
pub mod hand;
pub mod hosts;
pub mod judge;
pub mod leaks;
pub mod loop_driver;
pub mod mcp;
pub mod output;
pub mod plans;
pub mod redact;
pub mod size;
pub mod strace;
pub mod tree;
pub mod world;

use std::sync::atomic::{AtomicUsize, Ordering};

pub use hosts::{assert_has_each_host, assert_names_each_host, hosts};
pub use size::{is_full, size};
pub use world::World;

/// A temporary folder; in memory where Linux has room for it and lets programs run there. The tests make and remove thousands
/// of files, and on a disk that takes a third of their time. A TMPDIR that is set is obeyed.
pub fn tempdir() -> tempfile::TempDir {
    let mut folder = tempfile::Builder::new();
    folder.prefix("plan-world-");
    #[cfg(target_os = "linux")]
    if std::env::var_os("TMPDIR").is_none() && has_room(MEMORY.as_ref()) {
        return folder.tempdir_in(MEMORY).unwrap();
    }
    folder.tempdir().unwrap()
}

#[cfg(target_os = "linux")]
const MEMORY: &str = "/dev/shm";

/// 4 GB are free, and programs may run.
#[cfg(target_os = "linux")]
fn has_room(folder: &std::path::Path) -> bool {
    let usable = |at: rustix::fs::StatVfs| {
        at.f_bavail * at.f_frsize >= 4_000_000_000 && !at.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC)
    };
    rustix::fs::statvfs(folder).is_ok_and(usable)
}

/// Waits until something is so.
#[track_caller]
pub fn until(what: &str, so: impl Fn() -> bool) {
    let began = std::time::Instant::now();
    while !so() {
        assert!(began.elapsed() < std::time::Duration::from_secs(30), "not so after 30 s: {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Each in a world of its own: one waits while the other computes.
pub fn two_at_once<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(case);
                }
            });
        }
    });
}

/// The most memory that a process ever held, in KiB, by its `/proc/PID/status`. Without the pages of files, its own program's among
/// them: how many of those are there depends on what the system has read.
pub fn own_memory(status: &str) -> u64 {
    let of = |name: &str| -> u64 {
        let line =
            status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name} {status}"));
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    of("VmHWM:") - of("RssFile:") - of("RssShmem:")
}

/// Copies a program by another process: a descriptor of ours that is open for writing could live on for a moment in a
/// child that another test starts just then, and the system would refuse to start the copy ("text file busy").
pub fn copy_program(from: &std::path::Path, to: &std::path::Path) {
    let status = std::process::Command::new("cp").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}
