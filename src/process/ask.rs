//! Asks a program that answers in a conversation: its input stays open until it has answered.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::capture::command;
use super::environment::Environment;
use super::interrupt::Watch;
use super::poll;
use super::resolve::resolve;

/// The maximum number of bytes of its output.
const LARGEST: usize = 4 << 20;
/// How long it may take to end by itself after its input is closed.
const GRACE: Duration = Duration::from_secs(1);

/// Writes `question` to `program`, and returns the first line of its stdout for which `is_answer` is true. Then closes its
/// input, and kills the rest of its process group a second later. `question` must fit into a pipe, 4 KiB.
///
/// `None` if it cannot be started, ends or stays silent without an answer, prints too much, takes longer than `limit`, or on Ctrl-C.
pub fn ask(
    argv: &[&str],
    cwd: &Path,
    environment: &Environment,
    question: &str,
    limit: Duration,
    is_answer: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let (name, arguments) = argv.split_first()?;
    let file = resolve(OsStr::new(name), cwd, environment).ok()?;
    let mut watch = Watch::begin().ok()?;
    let mut child = command(&file, name, arguments, cwd, environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let found = converse(&mut child, &mut watch, question, limit, is_answer);
    end(&mut child);
    found
}

fn converse(
    child: &mut Child,
    watch: &mut Watch,
    question: &str,
    limit: Duration,
    is_answer: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let until = Instant::now() + limit;
    child.stdin.as_mut()?.write_all(question.as_bytes()).ok()?;
    let stdout = child.stdout.as_mut()?;
    let (mut said, mut looked) = (Vec::new(), 0);
    while said.len() < LARGEST && Instant::now() < until {
        let [signal, readable] = poll::wait([Some(poll::read(watch)), Some(poll::read(stdout))], Some(until)).ok()?;
        if signal && watch.count() > 0 {
            return None;
        }
        if readable && !receive(stdout, &mut said) {
            return None;
        }
        while let Some(length) = said[looked..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&said[looked..looked + length]);
            if is_answer(&line) {
                return Some(line.into_owned());
            }
            looked += length + 1;
        }
    }
    None
}

/// Returns false at the end of the output.
fn receive(stdout: &mut ChildStdout, said: &mut Vec<u8>) -> bool {
    let mut buffer = [0; 1 << 16];
    match stdout.read(&mut buffer) {
        Ok(count) => {
            said.extend_from_slice(&buffer[..count]);
            count > 0
        }
        Err(error) => error.kind() == io::ErrorKind::Interrupted,
    }
}

/// Lets the program end by itself first: a killed program has no time to put its own files in order.
fn end(child: &mut Child) {
    drop(child.stdin.take());
    let until = Instant::now() + GRACE;
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        // The child is not reaped yet, so its number stays that of its group until the whole group is killed.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        while matches!(waitid(WaitId::Pid(group), look), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(script: &str, limit: u64) -> Option<String> {
        let argv = ["sh", "-c", script];
        let limit = Duration::from_millis(limit);
        ask(&argv, Path::new("/"), &Environment::inherited(), "hello\n", limit, &|line| line.contains("id 2"))
    }

    #[test]
    fn the_answer_comes_while_the_input_is_open_and_nothing_stays() {
        let script = "read line; echo noise; echo \"id 2 $line\"; cat >/dev/null; echo late";
        assert_eq!(say(script, 5000).as_deref(), Some("id 2 hello"));
        let start = Instant::now();
        assert_eq!(say("sleep 60", 200), None);
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(say("exit 1", 5000), None);
        assert_eq!(say("yes no", 5000), None);
        assert_eq!(ask(&["no-such-program-x"], Path::new("/"), &Environment::inherited(), "", GRACE, &|_| true), None);
    }
}
