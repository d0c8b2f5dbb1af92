//! `plan` under strace: which system calls it makes, and what is left when it is killed at any of them.

use std::collections::BTreeMap;

use super::output::Output;
use super::world::World;

/// The system calls of one run of a command.
#[derive(Debug, Default)]
pub struct Trace {
    /// The calls of all threads and processes, as strace prints them, without process ids.
    pub lines: Vec<String>,
    /// How often the main thread made each call before it first named plan.md, and in all.
    pub calls: BTreeMap<String, (usize, usize)>,
}

impl Trace {
    /// Lines whose call is one of `names` and that did not fail.
    pub fn made(&self, names: &[&str]) -> Vec<&str> {
        let wanted = |line: &&str| names.contains(&name(line)) && !line.contains(" = -1 ");
        self.lines.iter().map(String::as_str).filter(wanted).collect()
    }

    /// Programs started and processes forked (threads are not), beyond `plan` itself.
    pub fn processes(&self) -> Vec<&str> {
        let mut found = self.made(&["execve", "execveat"]).split_off(1);
        let forks = self.made(&["fork", "vfork", "clone", "clone3"]).into_iter();
        found.extend(forks.filter(|line| !line.contains("CLONE_THREAD")));
        found
    }

    /// Flushes to disk.
    pub fn syncs(&self) -> Vec<&str> {
        self.made(&["fsync", "fdatasync", "sync", "syncfs", "sync_file_range", "msync"])
    }

    /// Everything that changes a file system, but for the null device and terminals.
    pub fn changes(&self) -> Vec<&str> {
        let mut found = self.made(&[
            "rename", "renameat", "renameat2", "unlink", "unlinkat", "link", "linkat", "symlink", "symlinkat", "mkdir",
            "mkdirat", "truncate", "ftruncate", "chmod", "fchmod", "fchmodat", "chown", "fchown", "utimensat",
        ]);
        let opened = self.made(&["open", "openat", "openat2", "creat"]).into_iter();
        let writes = |line: &&str| ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| line.contains(flag));
        found.extend(opened.filter(writes).filter(|line| !line.contains("\"/dev/")));
        found
    }
}

/// True where strace is there and may trace. Elsewhere the tests that need it say so and do nothing; CI has it.
pub fn available(world: &World) -> bool {
    let found = cfg!(target_os = "linux")
        && std::process::Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|s| s.success());
    assert!(found || std::env::var_os("CI").is_none() || !cfg!(target_os = "linux"), "CI needs strace");
    if !found {
        println!("skipped: no strace for {}", world.base().display());
    }
    found
}

/// Runs `plan` once and reads what strace saw.
#[track_caller]
pub fn trace(world: &World, args: &[&str], stdin: &str) -> (Output, Trace) {
    let file = world.base().join("trace");
    let file = file.to_str().unwrap();
    let options = ["-f", "-qq", "-s", "4096", "-o", file];
    let output = world.call_program("strace", options.iter().chain(&[env!("CARGO_BIN_EXE_plan")]).chain(args));
    let output = output.stdin(stdin).run();
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::remove_file(file).unwrap();
    (output, read(&text))
}

/// Runs `plan` and kills it as it enters call number `count` of `name`. Only the main process is traced.
pub fn kill_at(world: &World, args: &[&str], name: &str, count: usize) -> Output {
    let inject = format!("inject={name}:signal=KILL:when={count}");
    let options = ["-qq", "-o", "/dev/null", "-e", &format!("trace={name}"), "-e", &inject];
    world
        .call_program("strace", options.iter().copied().chain([env!("CARGO_BIN_EXE_plan")]).chain(args.iter().copied()))
        .run()
}

fn read(text: &str) -> Trace {
    let mut trace = Trace::default();
    let main = text.split_whitespace().next().unwrap_or_default();
    let mut reached = false;
    for line in text.lines() {
        let Some((pid, line)) = line.split_once(' ') else { continue };
        let line = line.trim_start();
        if !line.contains('(') || line.starts_with("<...") {
            continue;
        }
        reached |= line.contains("plan.md");
        if pid == main {
            let count = trace.calls.entry(name(line).to_string()).or_default();
            count.1 += 1;
            count.0 += usize::from(!reached);
        }
        trace.lines.push(line.to_string());
    }
    trace
}

fn name(line: &str) -> &str {
    line.split('(').next().unwrap_or_default()
}
