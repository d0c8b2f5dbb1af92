//! Runs `plan` itself as a child, for one command: the caller can interrupt it alone, as Ctrl-C would, and the end of the
//! child does not end the caller.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::capture::capture_within;
use super::child::TERM_GRACE;
use super::environment::Environment;
use super::launched::own_program;

/// The first argument of `plan` as such a child; then [`ASKS`] or another word, then the command line.
pub const VERB: &str = "__call";
/// The word that tells the child that the caller answers questions.
pub const ASKS: &str = "asks";

/// The maximum number of bytes kept of stdout.
const STDOUT_CAP: u64 = 8 << 20;
/// The additional time a command may take to end, after the programs that it ends.
const SLACK: Duration = Duration::from_secs(3);

/// One command of `plan`.
#[derive(Clone, Debug)]
pub struct OwnCall {
    /// The arguments of `plan`.
    pub arguments: Vec<OsString>,
    /// The folder in which it runs.
    pub cwd: PathBuf,
    /// Its environment.
    pub env: Environment,
    /// Whether the caller answers its questions.
    pub asks: bool,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOutput {
    /// Its exit status; 130 if a signal ended it.
    pub code: u8,
    /// Its stdout, at most 8 MiB.
    pub stdout: Vec<u8>,
}

/// Runs `plan` as a child without input, and returns its stdout, or its stderr if stdout is empty. `None` if it prints nothing, cannot
/// be started, or is silent for longer than `limit`.
pub fn said(arguments: &[&OsStr], cwd: &Path, limit: Duration) -> Option<String> {
    let program = own_program(None).ok()?;
    let ran = capture_within(Some(limit), program, arguments, cwd, &Environment::inherited(), b"").ok()?;
    let said = if ran.stdout.is_empty() { ran.stderr } else { ran.stdout };
    Some(String::from_utf8_lossy(&said).trim().to_owned()).filter(|said| !said.is_empty())
}

/// Must be called first in the child: lets it end if its parent is killed.
pub fn settle() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
}

/// The calls of this process, so that all can be ended.
#[derive(Debug, Default)]
pub struct Calls(Mutex<CallRegistry>);

#[derive(Debug, Default)]
struct CallRegistry {
    closed: bool,
    tickets: Vec<Arc<Ticket>>,
}

/// One call; created before the call starts.
#[derive(Debug)]
pub struct Ticket {
    phase: Mutex<Phase>,
    interrupted: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running(Pid),
    /// The call ended, or was interrupted before its start.
    Over,
}

impl Calls {
    /// Returns a ticket for one call. After [`Calls::interrupt`] the ticket starts nothing.
    pub fn ticket(&self) -> Arc<Ticket> {
        let mut standing = lock(&self.0);
        let phase = if standing.closed { Phase::Over } else { Phase::Waiting };
        let ticket = Arc::new(Ticket { phase: Mutex::new(phase), interrupted: AtomicBool::new(standing.closed) });
        standing.tickets.retain(|ticket| !ticket.is_over());
        standing.tickets.push(Arc::clone(&ticket));
        ticket
    }

    /// Interrupts all calls, and all future ones.
    pub fn interrupt(&self) {
        let mut standing = lock(&self.0);
        standing.closed = true;
        standing.tickets.iter().for_each(|ticket| ticket.interrupt());
    }

    /// Interrupts all calls, waits until they have ended, and kills those that do not end in time.
    pub fn end(&self) {
        self.interrupt();
        let tickets = std::mem::take(&mut lock(&self.0).tickets);
        let until = Instant::now() + TERM_GRACE + SLACK;
        while tickets.iter().any(|ticket| !ticket.is_over()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        tickets.iter().for_each(|ticket| ticket.signal(Signal::KILL));
    }
}

impl Ticket {
    /// Ends the call as Ctrl-C would, or prevents its start.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        // Not INT: background processes of a script ignore it.
        self.signal(Signal::TERM);
        let mut phase = lock(&self.phase);
        if *phase == Phase::Waiting {
            *phase = Phase::Over;
        }
    }

    /// Whether the call was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Runs the call to its end. Each line of its stderr is passed to `heard`; the result of `heard` is written to its stdin as a line.
    ///
    /// # Errors
    /// The call cannot be started, or was interrupted before.
    pub fn run(&self, call: &OwnCall, heard: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<CallOutput> {
        let mut child = self.start(call)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let stdout = std::thread::scope(|scope| {
            let reader = scope.spawn(|| stdout.map(all).unwrap_or_default());
            if let Some(stderr) = stderr {
                converse(stderr, stdin, heard);
            }
            reader.join().unwrap_or_default()
        });
        let code = self.wait(&mut child)?;
        Ok(CallOutput { code, stdout })
    }

    fn start(&self, call: &OwnCall) -> io::Result<Child> {
        let mut phase = lock(&self.phase);
        if *phase == Phase::Over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = Command::new(own_program(None)?)
            .arg0("plan")
            .args([VERB, if call.asks { ASKS } else { "-" }])
            .args(&call.arguments)
            .current_dir(&call.cwd)
            .env_clear()
            .envs(call.env.vars())
            .stdin(if call.asks { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .inspect_err(|_| *phase = Phase::Over)?;
        *phase = Pid::from_raw(child.id() as i32).map_or(Phase::Over, Phase::Running);
        Ok(child)
    }

    /// Waits without collecting the child first, so that a signal never goes to another process with the same number.
    fn wait(&self, child: &mut Child) -> io::Result<u8> {
        // Copied, because a thread that interrupts the call needs the same lock meanwhile.
        let phase = *lock(&self.phase);
        if let Phase::Running(pid) = phase {
            let ended = || rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            while matches!(ended(), Err(rustix::io::Errno::INTR)) {}
        }
        let mut phase = lock(&self.phase);
        *phase = Phase::Over;
        Ok(child.wait()?.code().map_or(130, |code| code as u8))
    }

    fn signal(&self, signal: Signal) {
        if let Phase::Running(pid) = *lock(&self.phase) {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }

    fn is_over(&self) -> bool {
        *lock(&self.phase) == Phase::Over
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn all(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(STDOUT_CAP).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    bytes
}

fn converse(stderr: impl Read, mut stdin: Option<ChildStdin>, heard: &mut dyn FnMut(&str) -> Option<String>) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let answer = heard(String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).as_ref());
        if let (Some(answer), Some(stdin)) = (answer, &mut stdin) {
            let _ = writeln!(stdin, "{answer}");
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_waited_for_can_be_interrupted() {
        let mut child = Command::new("sleep").arg("20").spawn().unwrap();
        let pid = Pid::from_raw(child.id() as i32).unwrap();
        let ticket = Ticket { phase: Mutex::new(Phase::Running(pid)), interrupted: AtomicBool::new(false) };
        let began = Instant::now();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| ticket.wait(&mut child));
            std::thread::sleep(Duration::from_millis(100));
            ticket.interrupt();
            assert_eq!(waiting.join().unwrap().unwrap(), 130);
        });
        assert!(began.elapsed() < Duration::from_secs(10), "it went on to its end");
    }
}
