//! Wall time of whole processes. They take turns, so that a change of the machine's speed affects all alike.

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Builds the command of run number N.
pub type Make<'a> = Box<dyn Fn(usize) -> Command + 'a>;

/// Runs all in turn until `budget` is spent (at least 15 rounds, at most `most`) and returns the median of each.
pub fn medians(contenders: &[Make<'_>], budget: Duration, most: usize) -> Vec<Duration> {
    medians_of(contenders, budget, 15..=most)
}

/// Like [`medians`], with the fewest and the most rounds.
pub fn medians_of(contenders: &[Make<'_>], budget: Duration, rounds: RangeInclusive<usize>) -> Vec<Duration> {
    let mut times = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    let mut round = 0;
    while round < *rounds.start() || (round < *rounds.end() && start.elapsed() < budget) {
        for (make, times) in contenders.iter().zip(&mut times) {
            let time = once(make(round));
            // The first two rounds warm the caches.
            if round > 1 {
                times.push(time);
            }
        }
        round += 1;
    }
    times.into_iter().map(median).collect()
}

fn once(mut command: Command) -> Duration {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = command.spawn().and_then(|child| child.wait_with_output()).expect("the program starts");
    let time = start.elapsed();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    time
}

/// Returns the time in the middle.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Returns the peak resident memory in KiB. strace holds the process for a moment at its exit, when the kernel's high-water mark is final.
/// `None` without strace or outside Linux.
pub fn peak_kib(command: &Command) -> Option<u64> {
    let mut traced = Command::new("strace");
    traced.args(["-D", "-qq", "-o", "/dev/null", "-e", "trace=exit_group"]);
    traced.args(["-e", "inject=exit_group:delay_enter=150000"]);
    traced.arg(command.get_program()).args(command.get_args());
    traced.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    traced.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    traced.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = traced.spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        peak = high_water(&status).or(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

fn high_water(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    // Until it has become the program, the process is strace.
    let line = |key: &str| text.lines().find_map(|l| Some(l.strip_prefix(key)?.trim().to_string()));
    if line("Name:")?.starts_with("strace") {
        return None;
    }
    line("VmHWM:")?.trim_end_matches(" kB").parse().ok()
}

/// The names of the programs that a run starts, itself aside. None without strace or outside Linux.
pub fn programs(command: &Command) -> Option<Vec<String>> {
    let trace = tempfile::NamedTempFile::new().ok()?;
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-e", "trace=execve", "-o"]).arg(trace.path());
    traced.arg(command.get_program()).args(command.get_args());
    traced.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    traced.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    traced.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    let text = std::fs::read_to_string(trace.path()).ok()?;
    let name = |line: &str| Some(line.split('"').nth(1)?.rsplit('/').next()?.to_owned());
    Some(text.lines().filter(|line| line.ends_with(" = 0")).skip(1).filter_map(name).collect())
}
