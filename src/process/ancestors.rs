//! The processes that started this one, directly or not: a check must not wait for itself, and an agent must not pass for a person.
//!
//! Linux reports them in `/proc`. On other systems this calls `ps`, which does not report the environment of another process.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStringExt;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

/// The maximum number of ancestors: a longer chain is a loop in the data from the system.
const DEEPEST: usize = 1000;

/// The ancestors of this process, nearest first, without the first process of the system.
pub fn ancestors() -> impl Iterator<Item = u32> {
    let next = |pid: &u32| parent(*pid).filter(|parent| *parent > 1);
    std::iter::successors(next(&std::process::id()), next).take(DEEPEST)
}

#[cfg(target_os = "linux")]
fn parent(pid: u32) -> Option<u32> {
    let process = super::tree::Process::read(pid.try_into().ok()?)?;
    process.parent.try_into().ok()
}

#[cfg(not(target_os = "linux"))]
fn parent(pid: u32) -> Option<u32> {
    let said = ps(&["-o", "ppid=", "-p", &pid.to_string()])?;
    String::from_utf8_lossy(&said).trim().parse().ok()
}

/// Identifies a call of a program: its file, its arguments, its folder.
#[cfg(target_os = "linux")]
pub fn call(pid: u32) -> Option<(PathBuf, Vec<u8>, PathBuf)> {
    let process = PathBuf::from(format!("/proc/{pid}"));
    let exe = std::fs::read_link(process.join("exe")).ok()?;
    let line = std::fs::read(process.join("cmdline")).ok()?;
    let arguments = line.splitn(2, |byte| *byte == 0).nth(1)?.to_vec();
    Some((exe, arguments, std::fs::read_link(process.join("cwd")).ok()?))
}

/// Identifies a call of a program: its command line.
#[cfg(not(target_os = "linux"))]
pub fn call(pid: u32) -> Option<Vec<u8>> {
    ps(&["-o", "args=", "-p", &pid.to_string()])
}

/// A process's name in the system, and the words of its command line. Empty if the system does not report them.
#[cfg(target_os = "linux")]
pub fn words(pid: u32) -> Vec<String> {
    let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
    let name = String::from_utf8_lossy(&read("comm")).trim_end().to_owned();
    let line = read("cmdline");
    let line = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    std::iter::once(name).chain(line).filter(|word| !word.is_empty()).collect()
}

/// A process's name in the system, and the words of its command line. Empty if the system does not report them.
#[cfg(not(target_os = "linux"))]
pub fn words(pid: u32) -> Vec<String> {
    let said = ps(&["-o", "comm=", "-o", "args=", "-p", &pid.to_string()]).unwrap_or_default();
    String::from_utf8_lossy(&said).split_whitespace().map(str::to_owned).collect()
}

/// The environment that a process was started with; empty if the system does not report it.
#[cfg(target_os = "linux")]
pub fn environment(pid: u32) -> Vec<(String, OsString)> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let pair = |entry: &[u8]| {
        let at = entry.iter().position(|byte| *byte == b'=')?;
        Some((String::from_utf8(entry[..at].to_vec()).ok()?, OsString::from_vec(entry[at + 1..].to_vec())))
    };
    bytes.split(|byte| *byte == 0).filter_map(pair).collect()
}

/// Always empty, because the system does not report it.
#[cfg(not(target_os = "linux"))]
pub fn environment(_pid: u32) -> Vec<(String, OsString)> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn ps(arguments: &[&str]) -> Option<Vec<u8>> {
    use super::{capture::capture, environment::Environment};
    let said = capture("ps", arguments, std::path::Path::new("/"), &Environment::inherited(), b"").ok()?;
    said.status.success().then_some(said.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_a_parent_with_words() {
        let parent = ancestors().next().unwrap();
        assert!(!words(parent).is_empty());
        assert!(ancestors().all(|pid| pid != std::process::id()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_environment_is_that_of_the_start() {
        let own = environment(std::process::id());
        let path = own.iter().find(|(name, _)| name == "PATH").unwrap();
        assert_eq!(Some(&path.1), std::env::var_os("PATH").as_ref());
    }
}
