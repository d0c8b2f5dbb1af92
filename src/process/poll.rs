//! Waits for several descriptors at once, without a thread for each.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

/// A descriptor to wait for.
#[derive(Clone, Copy)]
pub(super) struct Want<'a> {
    fd: BorrowedFd<'a>,
    flags: PollFlags,
}

/// A wait until `fd` can be read or its other end is closed.
pub(super) fn read<F: AsFd>(fd: &F) -> Want<'_> {
    Want { fd: fd.as_fd(), flags: PollFlags::IN }
}

/// A wait until `fd` can be written or its other end is closed.
pub(super) fn write<F: AsFd>(fd: &F) -> Want<'_> {
    Want { fd: fd.as_fd(), flags: PollFlags::OUT }
}

/// Waits until a descriptor is ready or `until` has passed; returns which ones are ready. A signal may end it early with none ready.
pub(super) fn wait<const N: usize>(wants: [Option<Want<'_>>; N], until: Option<Instant>) -> io::Result<[bool; N]> {
    let mut polled: Vec<PollFd<'_>> =
        wants.iter().flatten().map(|want| PollFd::from_borrowed_fd(want.fd, want.flags)).collect();
    match rustix::event::poll(&mut polled, timespec(until).as_ref()) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return Ok([false; N]),
        Err(error) => return Err(error.into()),
    }
    let mut results = polled.iter().map(|fd| !fd.revents().is_empty());
    Ok(wants.map(|want| want.is_some() && results.next().unwrap_or(false)))
}

fn timespec(until: Option<Instant>) -> Option<Timespec> {
    let left: Duration = until?.saturating_duration_since(Instant::now());
    Some(Timespec { tv_sec: left.as_secs().min(86_400) as i64, tv_nsec: i64::from(left.subsec_nanos()) })
}
