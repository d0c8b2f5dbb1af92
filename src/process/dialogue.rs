//! A program that we chose, which stays open and answers many questions, such as `git cat-file --batch-command`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use super::capture::{SILENCE, command, kill_group};
use super::environment::Environment;
use super::interrupt::Watch;
use super::poll;
use super::resolve::resolve;
use crate::error::{Error, Kind, Result};

/// The maximum number of bytes of a question. It fits into an empty pipe, so that asking never waits until an answer is read.
pub const QUESTION: usize = 4096;

/// The open program; it is ended when dropped.
#[derive(Debug)]
pub struct Dialogue {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Output that was read from the pipe; the first `taken` bytes were already returned.
    unread: Vec<u8>,
    taken: usize,
}

impl Dialogue {
    /// Starts `program` in a process group of its own; its stderr is discarded.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if it cannot be started.
    pub fn start(program: &Path, args: &[OsString], cwd: &Path, environment: &Environment) -> Result<Self> {
        let name: &OsStr = program.as_os_str();
        let file = resolve(name, cwd, environment).map_err(|why| Error::new(Kind::Unknown, why))?;
        let mut child = command(&file, name, args, cwd, environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| broken(&error))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Dialogue { child, stdin, stdout, unread: Vec::new(), taken: 0 }),
            _ => Err(broken(&io::ErrorKind::BrokenPipe.into())),
        }
    }

    /// Sends a question. All answers to earlier questions must have been taken.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the program does not read it.
    pub fn ask(&mut self, question: &[u8]) -> Result<()> {
        self.stdin.write_all(question).map_err(|error| broken(&error))
    }

    /// Reads the next line of the answer, without its line end.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the program ends or is silent for [`SILENCE`]; [`Kind::Interrupted`] on Ctrl-C, SIGTERM or SIGHUP.
    pub fn line(&mut self) -> Result<Vec<u8>> {
        let mut seen = self.taken;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.unread[seen..]) {
                let line = self.unread[self.taken..seen + at].to_vec();
                self.taken = seen + at + 1;
                return Ok(line);
            }
            let known = self.unread.len() - self.taken;
            self.more()?;
            seen = self.taken + known;
        }
    }

    /// Reads the next `count` bytes of the answer.
    ///
    /// # Errors
    /// As [`Dialogue::line`].
    pub fn bytes(&mut self, count: usize) -> Result<&[u8]> {
        while self.unread.len() - self.taken < count {
            self.more()?;
        }
        self.taken += count;
        Ok(&self.unread[self.taken - count..self.taken])
    }

    /// Waits for more output.
    fn more(&mut self) -> Result<()> {
        self.unread.drain(..self.taken);
        self.taken = 0;
        let mut watch = Watch::begin().map_err(|error| broken(&error))?;
        let until = Instant::now() + SILENCE;
        loop {
            let wants = [Some(poll::read(&watch)), Some(poll::read(&self.stdout))];
            let [signal, printed] = poll::wait(wants, Some(until)).map_err(|error| broken(&error))?;
            if signal && watch.count() > 0 {
                return Err(Error::new(Kind::Interrupted, "interrupted"));
            }
            if printed {
                let mut buffer = [0; 64 * 1024];
                return match self.stdout.read(&mut buffer) {
                    Ok(0) => Err(broken(&io::ErrorKind::UnexpectedEof.into())),
                    Ok(count) => {
                        self.unread.extend_from_slice(&buffer[..count]);
                        Ok(())
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(broken(&error)),
                };
            }
            if Instant::now() >= until {
                return Err(broken(&io::ErrorKind::TimedOut.into()));
            }
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        kill_group(&self.child);
        let _ = self.child.wait();
    }
}

fn broken(error: &io::Error) -> Error {
    Error::new(Kind::Unknown, format!("lost the connection to a program that was kept open: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(script: &str) -> Dialogue {
        let args = ["-c", script].map(OsString::from);
        Dialogue::start(Path::new("/bin/sh"), &args, Path::new("/"), &Environment::inherited()).unwrap()
    }

    #[test]
    fn answers_come_as_they_are_asked_for() {
        let mut cat = start("exec cat");
        for round in 0..3 {
            cat.ask(format!("one {round}\nabc\0\ndef\nlast\n").as_bytes()).unwrap();
            assert_eq!(cat.line().unwrap(), format!("one {round}").into_bytes());
            assert_eq!(cat.bytes(9).unwrap(), b"abc\0\ndef\n");
            assert_eq!(cat.line().unwrap(), b"last");
        }
        cat.ask(&[&[b'x'; QUESTION - 1][..], b"\n"].concat()).unwrap();
        assert_eq!(cat.line().unwrap().len(), QUESTION - 1);
    }

    #[test]
    fn a_program_that_ends_is_no_answer() {
        let mut gone = start("read line; echo half; exit 3");
        gone.ask(b"x\n").unwrap();
        assert_eq!(gone.line().unwrap(), b"half");
        assert_eq!(gone.bytes(1).unwrap_err().kind, Kind::Unknown);
    }
}
