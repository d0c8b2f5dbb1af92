//! Leftovers that fail a test: processes and temporary files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a process that was killed may take to vanish.
const GRACE: Duration = Duration::from_secs(1);

/// Processes that work in `base`, are named by it or have it in their environment; those still there after a short
/// grace are ended and named.
pub fn end_processes(base: &Path) -> Vec<String> {
    let start = Instant::now();
    loop {
        let found = processes(base);
        if found.is_empty() {
            return Vec::new();
        }
        if start.elapsed() > GRACE {
            for (pid, _) in &found {
                let pid = rustix::process::Pid::from_raw(*pid);
                pid.map(|pid| rustix::process::kill_process(pid, rustix::process::Signal::KILL));
            }
            return found.into_iter().map(|(pid, what)| format!("{pid}: {what}")).collect();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Temporary files below `base`: our own beside plan.md, anything in TMPDIR.
pub fn files(base: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(&base.join("tmp"));
    let mut folders = vec![base.join("work")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(".plan.md.")) {
                found.push(path);
            } else if path.is_dir() && !path.is_symlink() && !path.ends_with(".git") {
                folders.push(path);
            }
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Pid and command line. Only Linux shows another process's environment; elsewhere nothing is found.
pub fn processes(base: &Path) -> Vec<(i32, String)> {
    let name = base.as_os_str().as_encoded_bytes();
    let mut found = Vec::new();
    for entry in entries(Path::new("/proc")) {
        let Some(pid) = entry.file_name().and_then(|n| n.to_str()?.parse().ok()) else { continue };
        if pid as u32 == std::process::id() {
            continue;
        }
        let line = std::fs::read(entry.join("cmdline")).unwrap_or_default();
        let environment = std::fs::read(entry.join("environ")).unwrap_or_default();
        let inside = std::fs::read_link(entry.join("cwd")).is_ok_and(|cwd| cwd.starts_with(base));
        if inside || memchr::memmem::find(&line, name).is_some() || memchr::memmem::find(&environment, name).is_some() {
            found.push((pid, String::from_utf8_lossy(&line).replace('\0', " ")));
        }
    }
    found
}
