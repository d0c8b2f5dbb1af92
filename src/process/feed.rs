//! Feeds a program's stdin as fast as the program reads.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ChildStdin;

use super::poll::{self, Want};

/// The input still to be written. The pipe is closed when all is written, or when nobody reads any more.
pub(super) struct Feed<'a> {
    pipe: Option<ChildStdin>,
    bytes: Cow<'a, [u8]>,
    written: usize,
}

impl<'a> Feed<'a> {
    /// Without a `pipe` there is nothing to do.
    pub(super) fn new(pipe: Option<ChildStdin>, bytes: impl Into<Cow<'a, [u8]>>) -> io::Result<Self> {
        let bytes = bytes.into();
        let pipe = pipe.filter(|_| !bytes.is_empty());
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Feed { pipe, bytes, written: 0 })
    }

    /// The descriptor to wait for before [`Feed::write`].
    pub(super) fn want(&self) -> Option<Want<'_>> {
        self.pipe.as_ref().map(poll::write)
    }

    /// Writes as much as fits.
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
