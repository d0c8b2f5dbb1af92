//! A program's stdin, fed as fast as it reads and no faster.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ChildStdin;

use super::poll::{self, Want};

/// What is still to be written; the pipe is closed once all is, or nobody reads any more.
pub(super) struct Feed<'a> {
    pipe: Option<ChildStdin>,
    bytes: Cow<'a, [u8]>,
    written: usize,
}

impl<'a> Feed<'a> {
    /// `pipe` may be absent: then there is nothing to do.
    pub(super) fn new(pipe: Option<ChildStdin>, bytes: impl Into<Cow<'a, [u8]>>) -> io::Result<Self> {
        let bytes = bytes.into();
        let pipe = pipe.filter(|_| !bytes.is_empty());
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Feed { pipe, bytes, written: 0 })
    }

    /// What to wait for before [`Feed::write`].
    pub(super) fn want(&self) -> Option<Want<'_>> {
        self.pipe.as_ref().map(poll::write)
    }

    /// Writes what fits.
    pub(super) fn write(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        match pipe.write(&self.bytes[self.written..]) {
            Ok(count) => self.written += count,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => return,
            Err(_) => self.written = self.bytes.len(),
        }
        if self.written == self.bytes.len() {
            self.pipe = None;
        }
    }
}
