//! The temporary folder of one gate, which is gone afterwards whatever happens.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::repo::export;

/// Folders of gates in the system's temporary folder begin so.
const PREFIX: &str = "plan-gate-";
/// The file in such a folder that is locked as long as its gate lives.
const LOCK: &str = "lock";
/// A folder without a lock may be one that is being made just now.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that nobody else can look into. Removed when dropped; where `plan` was killed, by the next gate.
#[derive(Debug)]
pub(super) struct Place {
    folder: PathBuf,
    _lock: File,
}

impl Place {
    /// Makes one, and removes those that dead gates have left behind.
    pub(super) fn make() -> io::Result<Place> {
        let temp = std::env::temp_dir().canonicalize()?;
        sweep(&temp);
        Place::make_in(&temp)
    }

    fn make_in(temp: &Path) -> io::Result<Place> {
        let mut number = u64::from(std::process::id());
        let folder = loop {
            let folder = temp.join(format!("{PREFIX}{number}"));
            match fs::DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => break folder,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u64::MAX / 2 => {
                    number += 1 << 32
                }
                Err(error) => return Err(error),
            }
        };
        match locked(&folder) {
            Ok(lock) => Ok(Place { folder, _lock: lock }),
            Err(error) => {
                let _ = export::remove(&folder);
                Err(error)
            }
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = export::remove(&self.folder); // what is left is swept by the next gate
    }
}

/// The lock of a folder, which gets its name when it is held: a sweeper never meets one that is still to be locked.
fn locked(folder: &Path) -> io::Result<File> {
    let unnamed = folder.join("lock.new");
    let lock = File::create_new(&unnamed)?;
    lock.lock()?;
    fs::rename(&unnamed, folder.join(LOCK))?;
    Ok(lock)
}

/// Removes the folders of our own user's gates that nobody holds a lock on any more.
fn sweep(temp: &Path) {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(temp).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let folder = entry.path();
        let ours = folder.symlink_metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == me);
        if ours && is_dead(&folder) {
            let _ = export::remove(&folder); // not ours to report: it hinders nothing
        }
    }
}

fn is_dead(folder: &Path) -> bool {
    let lock = folder.join(LOCK);
    if !lock.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        let made = folder.symlink_metadata().and_then(|meta| meta.modified());
        let age = made.ok().and_then(|made| SystemTime::now().duration_since(made).ok());
        return age.is_some_and(|age| age > YOUNG);
    }
    let Ok(lock) = File::open(lock) else { return false };
    match lock.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_folder_that_is_being_made_is_not_swept() {
        let temp = tempfile::tempdir().unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    sweep(temp.path());
                }
            });
            let made = (0..3000).map(|_| Place::make_in(temp.path()));
            let lost = made.filter(|place| !place.as_ref().is_ok_and(|place| place.folder().join(LOCK).exists()));
            let lost = lost.count();
            done.store(true, Ordering::Relaxed);
            assert_eq!(lost, 0);
        });
    }
}
