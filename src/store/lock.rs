//! The writers' lock: a file in the state folder that is never deleted, so that all writers lock the same file.

use std::fs::File;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::error;
use super::place::Place;
use super::state::{open_state, state_file};
use crate::error::Result;

/// The file name of the lock in the state folder.
pub(super) const NAME: &str = "lock";

/// How long a writer waits for other writers.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The lock; held until dropped, or until the process ends in any way.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Takes the lock of a plan.
///
/// # Errors
/// [`crate::error::Kind::Changed`] after `patience`; [`crate::error::Kind::Unknown`] if the state folder cannot be
/// written.
pub(super) fn take(place: &Place, patience: Duration) -> Result<Lock> {
    let path = state_file(place, NAME);
    let file = open_state(place, NAME)?;
    match retry(|| flock(&file, FlockOperation::NonBlockingLockExclusive)) {
        Ok(()) => return Ok(Lock { _file: file }),
        Err(Errno::WOULDBLOCK) => {}
        Err(error) => return Err(error::state(&path, &error.into())),
    }
    match wait(file, patience) {
        Ok(Some(file)) => Ok(Lock { _file: file }),
        Ok(None) => Err(error::locked(&path, patience.as_secs())),
        Err(error) => Err(error::state(&path, &error)),
    }
}

/// Checks that a write could begin: the state folder and the lock can be used. Makes the folder. For commands that work
/// for a long time before they write.
///
/// # Errors
/// [`crate::error::Kind::Unknown`]: the folder in the git directory cannot be written, as in an agent's sandbox. An update
/// returns this kind for the same reason, and for no other.
pub fn ready(place: &Place) -> Result<()> {
    open_state(place, NAME).map(drop)
}

/// Waits in a separate thread, because a blocking `flock` has no deadline, and polling starves against a busy writer.
/// After a timeout, the thread releases the lock as soon as it gets it.
fn wait(file: File, patience: Duration) -> io::Result<Option<File>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().stack_size(64 * 1024).spawn(move || {
        let taken = retry(|| flock(&file, FlockOperation::LockExclusive));
        let _ = sender.send(taken.map(|()| file));
    })?;
    match receiver.recv_timeout(patience) {
        Ok(taken) => Ok(Some(taken?)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("the waiting thread ended")),
    }
}

fn retry(mut call: impl FnMut() -> rustix::io::Result<()>) -> rustix::io::Result<()> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}
