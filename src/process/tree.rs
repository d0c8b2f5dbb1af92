//! Finds all processes below one, wherever they moved: other groups, other sessions, adopted daemons.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

/// A process, with the data that distinguish it from a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    started: u64,
    zombie: bool,
}

impl Process {
    /// Reads `/proc/<pid>/stat`, proc(5).
    pub(super) fn read(pid: i32) -> Option<Process> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The program's name is in brackets and may contain anything, even brackets.
        let close = memchr::memrchr(b')', &stat)?;
        let rest = std::str::from_utf8(stat.get(close + 1..)?).ok()?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().take(20).collect();
        Some(Process {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
            zombie: matches!(*fields.first()?, "Z" | "X"),
        })
    }

    /// Sends `signal` to this process, and not to another one that has its number now. If the system has no process handles
    /// (before Linux 5.3, or with too many open files), the number could change owner between the check and the signal.
    pub(super) fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.pid) else { return };
        #[cfg(target_os = "linux")]
        let handle = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
        if Process::read(self.pid).is_none_or(|now| now.started != self.started) {
            return;
        }
        #[cfg(target_os = "linux")]
        if let Ok(handle) = handle {
            let _ = rustix::process::pidfd_send_signal(handle, signal);
            return;
        }
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// The session of this process, comparable to [`Process::session`]. It is 0 if its leader is outside of our PID namespace
/// (a container, `unshare --pid`); getsid(2) returns 0 then as well, which rustix does not accept as a number.
pub(super) fn own_session() -> i32 {
    Process::read(rustix::process::getpid().as_raw_pid()).map_or(0, |process| process.session)
}

/// The living descendants of `root`, without `root`. Children of `root` that `ours` rejects are left out with everything below
/// them. Empty without `/proc` (macOS).
pub(super) fn below(root: i32, ours: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(process) = pid.and_then(Process::read) {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for process in children.remove(&parent).unwrap_or_default() {
            if parent != root || ours(&process) {
                open.push(process.pid);
                found.push(process);
            }
        }
    }
    found.retain(|process| !process.zombie);
    found
}

/// Kills the children of this thread, including adopted ones. Some processes only start another one and end, faster than a search
/// of all processes. The caller must have one thread and collect its children itself, so that their numbers stay theirs.
pub(super) fn kill_children() {
    let children = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    for child in children.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
        let _ = rustix::process::kill_process(child, Signal::KILL);
    }
}

/// Ends all processes that `list` finds: stops them first, so that they cannot multiply faster than the search, then kills them.
///
/// `reap` collects ended children and returns whether any child is left. Returns false if one was still there at `until`.
pub(super) fn sweep(list: impl Fn() -> Vec<Process>, mut reap: impl FnMut() -> bool, until: Instant) -> bool {
    let mut pause = Duration::from_micros(200);
    while reap() {
        let mut stopped = HashSet::new();
        loop {
            let fresh: Vec<Process> = list().into_iter().filter(|process| stopped.insert(*process)).collect();
            fresh.iter().for_each(|process| process.signal(Signal::STOP));
            if fresh.is_empty() || Instant::now() >= until {
                break;
            }
        }
        stopped.iter().for_each(|process| process.signal(Signal::KILL));
        if Instant::now() >= until {
            return !reap();
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    // A number can also be reused for a thread, and a signal to that number goes to the thread's whole process.
    #[test]
    fn a_number_that_is_another_s_by_now_gets_no_signal() {
        let told = Arc::new(AtomicBool::new(false));
        let handler = signal_hook::flag::register(signal_hook::consts::SIGUSR2, Arc::clone(&told)).unwrap();
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let (tell, number) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid().as_raw_nonzero().get()).unwrap();
            let _ = wait.recv();
        });
        let pid = number.recv().unwrap();
        let gone = Process { pid, parent: 0, group: 0, session: 0, started: 0, zombie: false };
        gone.signal(Signal::USR2);
        std::thread::sleep(Duration::from_millis(50));
        drop(done);
        thread.join().unwrap();
        signal_hook::low_level::unregister(handler);
        assert!(!told.load(Ordering::SeqCst));
    }
}
