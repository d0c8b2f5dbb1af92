//! Reads the output of a program and keeps the requested parts.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::OwnedFd;

use super::log::{HALF, RunLog};
use super::poll::{self, Want};
use super::spec::{Output, RunResult};
use super::tail::TailBuffer;

const CHUNK: usize = 64 * 1024;

/// The reading ends of the pipes, and the output so far.
pub(super) struct Collector {
    stdout: Option<PipeReader>,
    /// `None` from the start if both outputs use one pipe.
    stderr: Option<PipeReader>,
    buffer: Vec<u8>,
    tail: TailBuffer,
    kept: Keep,
}

enum Keep {
    Log { log: Option<RunLog>, error: Option<String> },
    Stdout { bytes: Vec<u8>, cap: usize, over: bool },
}

impl Collector {
    /// Returns the collector, and the two ends that the program writes to.
    pub(super) fn new(output: &Output) -> io::Result<(Collector, OwnedFd, OwnedFd)> {
        let (stdout, out) = io::pipe()?;
        let (stderr, err) = match output {
            Output::Together { .. } => (None, out.try_clone()?),
            Output::Apart { .. } => {
                io::pipe().map(|(reader, writer): (PipeReader, PipeWriter)| (Some(reader), writer))?
            }
        };
        for pipe in [Some(&stdout), stderr.as_ref()].into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let kept = match output {
            Output::Together { log: None } => Keep::Log { log: None, error: None },
            Output::Together { log: Some(path) } => match RunLog::create(path, HALF) {
                Ok(log) => Keep::Log { log: Some(log), error: None },
                Err(error) => Keep::Log { log: None, error: Some(error.to_string()) },
            },
            Output::Apart { stdout_cap } => Keep::Stdout { bytes: Vec::new(), cap: *stdout_cap, over: false },
        };
        let buffer = vec![0; CHUNK];
        let collector = Collector { stdout: Some(stdout), stderr, buffer, tail: TailBuffer::default(), kept };
        Ok((collector, out.into(), err.into()))
    }

    /// The descriptors to wait for before [`Collector::read`].
    pub(super) fn wants(&self) -> [Option<Want<'_>>; 2] {
        [self.stdout.as_ref().map(poll::read), self.stderr.as_ref().map(poll::read)]
    }

    /// Reads once from each pipe that is ready. True if there was any output.
    pub(super) fn read(&mut self, [stdout, stderr]: [bool; 2]) -> bool {
        let mut any = false;
        if stdout && let Some(count) = receive(&mut self.stdout, &mut self.buffer) {
            let piece = &self.buffer[..count];
            match &mut self.kept {
                Keep::Log { log, error } => {
                    self.tail.push(piece);
                    if let Some(Err(failed)) = log.as_mut().map(|log| log.write(piece)) {
                        *error = Some(failed.to_string());
                        *log = None;
                    }
                }
                Keep::Stdout { bytes, cap, over } => {
                    let room = cap.saturating_sub(bytes.len()).min(count);
                    bytes.extend_from_slice(&piece[..room]);
                    *over |= room < count;
                }
            }
            any = true;
        }
        if stderr && let Some(count) = receive(&mut self.stderr, &mut self.buffer) {
            self.tail.push(&self.buffer[..count]);
            any = true;
        }
        any
    }

    /// Reads the rest of the pipes after all writers have ended, and puts everything into `ran`.
    pub(super) fn finish(mut self, ran: &mut RunResult) {
        // Bounded, in case a writer could not be ended or passed its end of the pipe to another process.
        for _ in 0..64 {
            if !self.read([true, true]) {
                break;
            }
        }
        ran.tail = self.tail.finish();
        match self.kept {
            Keep::Stdout { bytes, over, .. } => (ran.stdout, ran.truncated) = (bytes, over),
            Keep::Log { log, error } => {
                let finished = log.map_or(Ok(0), RunLog::finish);
                ran.truncated = finished.as_ref().is_ok_and(|&dropped| dropped > 0);
                ran.log_error = error.or(finished.err().map(|error| error.to_string()));
            }
        }
    }
}

/// Returns the number of bytes received; closes a pipe at its end.
fn receive(pipe: &mut Option<PipeReader>, buffer: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(buffer) {
        Ok(count) if count > 0 => Some(count),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => None,
        _ => {
            *pipe = None;
            None
        }
    }
}
