//! The protocol between `plan` and its launcher over a socket: one request, then orders of one byte; reports come back.
//!
//! Both ends are the same binary, so there is no version and no text to parse. Argv, environment and input are sent here.
//! In the launcher's own argv and environment they would steer the launcher (`LD_PRELOAD=…`) and be visible to others.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The order to send TERM to all processes, and KILL after the grace period.
pub(super) const TERMINATE: u8 = b'T';
/// The order to send KILL at once.
pub(super) const KILL: u8 = b'K';

/// The program to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) program: PathBuf,
    pub(super) argv: Vec<OsString>,
    pub(super) cwd: PathBuf,
    pub(super) env: Vec<(OsString, OsString)>,
    /// `None`: `/dev/null`.
    pub(super) stdin: Option<Vec<u8>>,
    pub(super) no_new_privileges: bool,
}

impl Request {
    pub(super) fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut body = vec![0; 8];
        body.extend([u8::from(self.no_new_privileges), u8::from(self.stdin.is_some())]);
        put(&mut body, self.stdin.as_deref().unwrap_or_default());
        put(&mut body, self.program.as_os_str().as_bytes());
        put(&mut body, self.cwd.as_os_str().as_bytes());
        let env = self.env.iter().flat_map(|(name, value)| [name, value]);
        put_all(&mut body, self.argv.iter());
        put_all(&mut body, env);
        let length = (body.len() - 8) as u64;
        body[..8].copy_from_slice(&length.to_le_bytes());
        to.write_all(&body)
    }

    /// Reads exactly one request and no byte after it.
    pub(super) fn read(mut from: impl Read) -> io::Result<Request> {
        let mut length = [0; 8];
        from.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let mut body = Vec::new();
        from.take(length).read_to_end(&mut body)?;
        let rest = &mut &body[..];
        let [no_new_privileges, has_stdin] = [byte(rest)? != 0, byte(rest)? != 0];
        let stdin = take(rest)?.to_vec();
        let program = PathBuf::from(OsStr::from_bytes(take(rest)?));
        let cwd = PathBuf::from(OsStr::from_bytes(take(rest)?));
        let argv = take_all(rest)?;
        let mut flat = take_all(rest)?.into_iter();
        let env = std::iter::from_fn(|| Some((flat.next()?, flat.next()?))).collect();
        Ok(Request { program, argv, cwd, env, stdin: has_stdin.then_some(stdin), no_new_privileges })
    }
}

/// The reports of the launcher, each sent once: first how the program ended, then that no process of it is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaunchReport {
    Exited(i32),
    Signalled(i32),
    /// The system's error number.
    NotStarted(i32),
    /// `left`: other processes outlived the program. `stuck`: some still run, because not even KILL ended them.
    Cleared {
        left: bool,
        stuck: bool,
    },
}

/// The length of a report in bytes.
const REPORT: usize = 5;

impl LaunchReport {
    pub(super) fn write(self, mut to: impl Write) -> io::Result<()> {
        let (tag, value) = match self {
            LaunchReport::Exited(code) => (b'E', code),
            LaunchReport::Signalled(signal) => (b'S', signal),
            LaunchReport::NotStarted(errno) => (b'N', errno),
            LaunchReport::Cleared { left, stuck } => (b'C', i32::from(left) | i32::from(stuck) << 1),
        };
        let mut bytes = [tag; REPORT];
        bytes[1..].copy_from_slice(&value.to_le_bytes());
        to.write_all(&bytes)
    }

    /// Removes the first complete report from `received` and returns it.
    pub(super) fn take(received: &mut Vec<u8>) -> Option<LaunchReport> {
        let (&[tag, a, b, c, d], _) = received.split_first_chunk::<REPORT>()?;
        received.drain(..REPORT);
        let value = i32::from_le_bytes([a, b, c, d]);
        Some(match tag {
            b'E' => LaunchReport::Exited(value),
            b'S' => LaunchReport::Signalled(value),
            b'N' => LaunchReport::NotStarted(value),
            _ => LaunchReport::Cleared { left: value & 1 != 0, stuck: value & 2 != 0 },
        })
    }
}

fn put(body: &mut Vec<u8>, bytes: &[u8]) {
    body.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    body.extend_from_slice(bytes);
}

fn put_all<'a>(body: &mut Vec<u8>, items: impl Iterator<Item = &'a OsString> + Clone) {
    body.extend_from_slice(&(items.clone().count() as u64).to_le_bytes());
    items.for_each(|item| put(body, item.as_bytes()));
}

fn byte(rest: &mut &[u8]) -> io::Result<u8> {
    let (&first, others) = rest.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
    *rest = others;
    Ok(first)
}

fn number(rest: &mut &[u8]) -> io::Result<usize> {
    let (bytes, others) = rest.split_first_chunk::<8>().ok_or(io::ErrorKind::UnexpectedEof)?;
    *rest = others;
    Ok(u64::from_le_bytes(*bytes) as usize)
}

fn take<'a>(rest: &mut &'a [u8]) -> io::Result<&'a [u8]> {
    let length = number(rest)?;
    let (bytes, others) = rest.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
    *rest = others;
    Ok(bytes)
}

fn take_all(rest: &mut &[u8]) -> io::Result<Vec<OsString>> {
    let count = number(rest)?;
    (0..count).map(|_| take(rest).map(|bytes| OsString::from_vec(bytes.to_vec()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            program: "/bin/x".into(),
            argv: vec!["x".into(), OsString::from_vec(vec![0xff, 0xfe]), "".into()],
            cwd: "/tmp".into(),
            env: vec![("A".into(), "1".into()), ("B".into(), "".into())],
            stdin: Some(b"in".to_vec()),
            no_new_privileges: true,
        }
    }

    #[test]
    fn a_request_comes_out_as_it_went_in_and_leaves_what_follows() {
        for request in [request(), Request { stdin: None, no_new_privileges: false, ..request() }] {
            let mut bytes = Vec::new();
            request.write(&mut bytes).unwrap();
            bytes.push(TERMINATE);
            let mut rest = &bytes[..];
            assert_eq!(Request::read(&mut rest).unwrap(), request);
            assert_eq!(rest, [TERMINATE]);
        }
    }

    #[test]
    fn a_request_cut_anywhere_is_an_error() {
        let mut bytes = Vec::new();
        request().write(&mut bytes).unwrap();
        for length in 0..bytes.len() {
            assert!(Request::read(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn reports_come_out_as_they_went_in() {
        let cleared = LaunchReport::Cleared { left: true, stuck: false };
        let mut bytes = Vec::new();
        for report in [LaunchReport::Exited(255), LaunchReport::Signalled(9), LaunchReport::NotStarted(2), cleared] {
            report.write(&mut bytes).unwrap();
        }
        let last = bytes.pop();
        assert_eq!(LaunchReport::take(&mut bytes), Some(LaunchReport::Exited(255)));
        assert_eq!(LaunchReport::take(&mut bytes), Some(LaunchReport::Signalled(9)));
        assert_eq!(LaunchReport::take(&mut bytes), Some(LaunchReport::NotStarted(2)));
        assert_eq!(LaunchReport::take(&mut bytes), None);
        bytes.extend(last);
        assert_eq!(LaunchReport::take(&mut bytes), Some(cleared));
    }
}
