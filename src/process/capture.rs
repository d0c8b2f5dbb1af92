//! Runs a program that we chose ourselves, such as git, and captures its output.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::environment::Environment;
use super::feed::Feed;
use super::interrupt::Watch;
use super::poll;
use super::resolve::{refusal, resolve};
use crate::error::{Error, Kind, Result};

/// The number of bytes kept of the end of stderr.
const STDERR_CAP: usize = 64 * 1024;

/// How long a program that works on this machine may neither print nor take input. A repository can put a pipe at a path
/// where git reads a file, and git then waits forever.
pub const SILENCE: Duration = Duration::from_secs(120);

/// The result of a captured program.
#[derive(Clone, Debug)]
pub struct Captured {
    /// Its exit status.
    pub status: ExitStatus,
    /// Everything that it printed on stdout, in memory.
    pub stdout: Vec<u8>,
    /// The last 64 KiB of what it printed on stderr.
    pub stderr: Vec<u8>,
}

/// Runs `program` to its end, in a process group of its own, and returns what it printed.
///
/// For programs that are trusted and leave no processes behind: it is ended only if it is silent for [`SILENCE`], and its
/// children are not searched for. For any other program there is [`run`](super::run::run). `program` is looked up on `PATH`, where
/// relative entries are skipped. `stdin` is its input; empty means `/dev/null`. Any exit status is an `Ok`.
///
/// Errors: [`Kind::Unknown`] if it cannot be started or is silent for too long; [`Kind::Interrupted`] on Ctrl-C, SIGTERM or SIGHUP, after
/// its group was killed.
pub fn capture(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    cwd: &Path,
    environment: &Environment,
    stdin: &[u8],
) -> Result<Captured> {
    capture_within(Some(SILENCE), program, args, cwd, environment, stdin)
}

/// Like [`capture`], with another limit of silence; `None` for a program that waits for another machine.
///
/// Errors: as [`capture`].
pub fn capture_within(
    silence: Option<Duration>,
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    cwd: &Path,
    environment: &Environment,
    stdin: &[u8],
) -> Result<Captured> {
    let program = program.as_ref();
    let file = resolve(program, cwd, environment).map_err(|why| Error::new(Kind::Unknown, why))?;
    let mut watch = Watch::begin().map_err(|error| broken(program, &error))?;
    let mut child = command(&file, program, args, cwd, environment)
        .stdin(if stdin.is_empty() { Stdio::null() } else { Stdio::piped() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Error::new(Kind::Unknown, refusal(program, &file, cwd, &error)))?;
    let printed = Streams::of(&mut child, stdin).and_then(|streams| streams.pump(&mut watch, silence));
    if !matches!(printed, Ok(Some(_))) {
        kill_group(&child);
    }
    let status = child.wait();
    match (printed, status) {
        (Ok(Some((stdout, stderr))), Ok(status)) => Ok(Captured { status, stdout, stderr }),
        (Ok(None), _) => Err(Error::new(Kind::Interrupted, "interrupted")),
        (Err(error), _) | (_, Err(error)) => Err(broken(program, &error)),
    }
}

fn broken(program: &OsStr, error: &io::Error) -> Error {
    Error::new(Kind::Unknown, format!("lost the connection to `{}`: {error}", program.to_string_lossy()))
}

/// A command for the program at `file`, called by `name`, in a process group of its own.
pub(super) fn command(
    file: &Path,
    name: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    cwd: &Path,
    environment: &Environment,
) -> Command {
    let mut command = Command::new(file);
    command.arg0(name).args(args).current_dir(cwd).env_clear().envs(environment.vars()).process_group(0);
    command
}

pub(super) fn kill_group(child: &Child) {
    if let Some(group) = Pid::from_raw(child.id() as i32) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The three pipes; an output is `None` once it is closed.
struct Streams<'a> {
    stdin: Feed<'a>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl<'a> Streams<'a> {
    fn of(child: &mut Child, stdin: &'a [u8]) -> io::Result<Self> {
        let stdin = Feed::new(child.stdin.take(), stdin)?;
        Ok(Streams { stdin, stdout: child.stdout.take(), stderr: child.stderr.take() })
    }

    /// Returns both outputs once both are closed; `None` if a signal came first.
    fn pump(mut self, watch: &mut Watch, silence: Option<Duration>) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut buffer = vec![0; 64 * 1024];
        while self.stdout.is_some() || self.stderr.is_some() {
            let wants = [
                Some(poll::read(watch)),
                self.stdin.want(),
                self.stdout.as_ref().map(poll::read),
                self.stderr.as_ref().map(poll::read),
            ];
            let until = silence.and_then(|silence| Instant::now().checked_add(silence));
            let [signal, writable, out, err] = poll::wait(wants, until)?;
            let heard = signal || writable || out || err;
            if !heard && until.is_some_and(|until| Instant::now() >= until) {
                let waited = format!("it was silent for {} s", silence.unwrap_or_default().as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, waited));
            }
            if signal && watch.count() > 0 {
                return Ok(None);
            }
            if writable {
                self.stdin.write();
            }
            if out {
                receive(&mut self.stdout, &mut buffer, &mut stdout)?;
            }
            if err {
                receive(&mut self.stderr, &mut buffer, &mut stderr)?;
                stderr.drain(..stderr.len().saturating_sub(STDERR_CAP));
            }
        }
        Ok(Some((stdout, stderr)))
    }
}

fn receive(pipe: &mut Option<impl Read>, buffer: &mut [u8], into: &mut Vec<u8>) -> io::Result<()> {
    let Some(reader) = pipe else { return Ok(()) };
    match reader.read(buffer) {
        Ok(0) => *pipe = None,
        Ok(count) => into.extend_from_slice(&buffer[..count]),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(program: &str, args: &[&str], stdin: &[u8]) -> Result<Captured> {
        capture(program, args, Path::new("/"), &Environment::inherited(), stdin)
    }

    #[test]
    fn both_outputs_and_the_status_come_back() {
        let captured = run("sh", &["-c", "cat; echo oops >&2; exit 7"], b"in").unwrap();
        assert_eq!(
            (captured.status.code(), &captured.stdout[..], &captured.stderr[..]),
            (Some(7), &b"in"[..], &b"oops\n"[..])
        );
    }

    #[test]
    fn more_than_the_pipes_hold_goes_both_ways_at_once() {
        let input = vec![b'x'; 3_000_000];
        let captured = run("sh", &["-c", "tee /dev/stderr"], &input).unwrap();
        assert_eq!(captured.stdout, input);
        assert_eq!(captured.stderr.len(), STDERR_CAP);
    }

    #[test]
    fn input_that_nobody_reads_is_no_error() {
        assert!(run("true", &[], &vec![b'x'; 1_000_000]).unwrap().status.success());
    }

    #[test]
    fn silence_is_ended() {
        let within = |limit: Option<Duration>, script: &str| {
            capture_within(limit, "sh", ["-c", script], Path::new("/"), &Environment::inherited(), b"")
        };
        let silent = |script: &str| within(Some(Duration::from_millis(300)), script);
        let error = silent("sleep 60 & wait").unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (Kind::Unknown, "lost the connection to `sh`: it was silent for 0 s")
        );
        assert!(silent("for i in 1 2 3 4 5; do sleep 0.1; echo $i; done").unwrap().status.success());
        assert!(within(None, "sleep 0.4").unwrap().status.success(), "no limit at all");
    }

    #[test]
    fn no_input_is_end_of_file() {
        assert_eq!(run("cat", &[], b"").unwrap().stdout, b"");
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let error = run("no-such-program-x", &[], b"").unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (Kind::Unknown, "`no-such-program-x` cannot be started: not found on `PATH`")
        );
        let missing = capture("true", [""; 0], Path::new("/no/such"), &Environment::inherited(), b"").unwrap_err();
        assert_eq!(missing.message, "`true` cannot be started: its folder `/no/such` does not exist");
    }
}
