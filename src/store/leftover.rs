//! Finds files that killed runs left beside plan.md, without writing, and checks whether the next write could start.

use std::fs;
use std::path::PathBuf;

use rustix::fs::{Access, FlockOperation, flock};
use rustix::io::Errno;

use super::lock::{self, PATIENCE};
use super::place::Place;
use super::state::{look_state, state_file};
use super::update::LockedWrite;
use super::{error, temp};
use crate::error::Result;

/// The temporary files beside plan.md that no running `plan` owns. Empty while a `plan` is writing.
pub fn leftovers(place: &Place) -> Vec<PathBuf> {
    let name = place.file.file_name().unwrap_or_default();
    let is_left = |entry: &fs::DirEntry| {
        temp::is_temporary(name, &entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    let entries = fs::read_dir(&place.root).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.filter(is_left).map(|entry| entry.path()).collect();
    found.sort();
    if found.is_empty() || is_locked(place) { Vec::new() } else { found }
}

/// Moves the [`leftovers`] to the versions of `plan undo`. Returns a note to the user for each one that may be theirs.
///
/// # Errors
/// As [`super::update()`].
pub fn sweep(place: &Place) -> Result<Vec<String>> {
    let _lock = lock::take(place, PATIENCE)?;
    let mut writer = LockedWrite::open(place)?;
    writer.sweep()?;
    Ok(writer.notes)
}

/// Checks that the state folder can be written, as far as that is possible without making it.
///
/// # Errors
/// As [`super::ready`].
pub fn look_ready(place: &Place) -> Result<()> {
    if place.state.as_os_str().is_empty() {
        return Err(error::homeless());
    }
    match fs::symlink_metadata(&place.state) {
        Ok(meta) if !meta.is_dir() => return Err(error::state_taken(&place.state)),
        Ok(_) => {
            let lock = state_file(place, lock::NAME);
            if fs::symlink_metadata(&lock).is_ok_and(|meta| !meta.is_file()) {
                return Err(error::state_taken(&lock));
            }
        }
        Err(_) => {}
    }
    let nearest = place.state.ancestors().find(|folder| folder.exists()).unwrap_or(&place.state);
    rustix::fs::access(nearest, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| error::state(nearest, &error.into()))
}

/// Whether a process holds the lock. The lock belongs to an open file, so the system releases it when the process dies.
fn is_locked(place: &Place) -> bool {
    let Ok(file) = look_state(&state_file(place, lock::NAME)) else { return false };
    matches!(flock(&file, FlockOperation::NonBlockingLockShared), Err(Errno::WOULDBLOCK))
}
