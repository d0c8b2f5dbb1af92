//! A temporary folder that is removed in every case.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::remove;
use crate::process::interrupt::SignalHold;

/// The file in such a folder that is locked as long as its owner lives.
const LOCK: &str = "lock";
/// A folder without a lock may be one that is being made just now.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that nobody else can look into. Removed when dropped; where `plan` was killed, by the next one of its name.
/// As long as it lives Ctrl-C and SIGTERM do not end `plan`, so that they cannot leave half of it.
pub struct Temporary {
    folder: PathBuf,
    _lock: File,
    // Last, so that the signals are let go when the folder is removed.
    held: SignalHold,
}

impl Temporary {
    /// Makes one in the system's temporary folder, named by `prefix` and a number, and removes those of that name which the
    /// dead have left behind.
    pub fn make(prefix: &str) -> io::Result<Temporary> {
        Temporary::make_in(&std::env::temp_dir(), prefix)
    }

    /// [`Temporary::make`], in another folder.
    pub fn make_in(temp: &Path, prefix: &str) -> io::Result<Temporary> {
        let held = SignalHold::begin()?;
        let temp = temp.canonicalize()?;
        sweep(&temp, prefix);
        let mut number = u64::from(std::process::id());
        loop {
            let folder = temp.join(format!("{prefix}{number}"));
            match fs::DirBuilder::new().mode(0o700).create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u64::MAX / 2 => {}
                Err(error) => return Err(error),
                Ok(()) => match locked(&folder) {
                    Ok(Some(lock)) => return Ok(Temporary { folder, _lock: lock, held }),
                    Ok(None) => {}
                    Err(error) => {
                        let _ = remove(&folder);
                        return Err(error);
                    }
                },
            }
            number += 1 << 32;
        }
    }

    /// Where it is, links resolved.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a signal came since it was made.
    pub fn is_interrupted(&self) -> bool {
        self.held.is_interrupted()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = remove(&self.folder); // what is left is swept by the next one
    }
}

/// The lock of a new folder; none where somebody swept it away between its making and its locking.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let swept = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { Ok(None) } else { Err(error) };
    let lock = match File::create_new(folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) => return swept(error),
    };
    lock.lock()?;
    Ok((lock.metadata()?.nlink() > 0).then_some(lock))
}

/// Removes our own user's folders of this name that nobody holds a lock on any more.
fn sweep(temp: &Path, prefix: &str) {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(temp).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(prefix));
        if number.and_then(|number| number.parse::<u64>().ok()).is_none() {
            continue;
        }
        let folder = entry.path();
        if folder.symlink_metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == me) {
            remove_dead(&folder);
        }
    }
}

/// Removes a folder whose owner is dead. What cannot be removed is not ours to report: it hinders nothing.
fn remove_dead(folder: &Path) {
    let lock = folder.join(LOCK);
    if !lock.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        let made = folder.symlink_metadata().and_then(|meta| meta.modified());
        let age = made.ok().and_then(|made| SystemTime::now().duration_since(made).ok());
        if age.is_some_and(|age| age > YOUNG) {
            let _ = remove(folder);
        }
    } else if let Ok(lock) = File::open(lock) {
        remove_unheld(folder, &lock);
    }
}

/// Removes a folder if nobody holds the lock that was opened in it.
fn remove_unheld(folder: &Path, lock: &File) {
    // A lock that is gone says nothing of the folder that now has the name.
    let stands = || lock.metadata().is_ok_and(|meta| meta.nlink() > 0);
    if lock.try_lock().is_ok() && stands() {
        // Held until it is gone: who was just about to lock it sees that it is.
        let _ = remove(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_took_the_name_of_another_is_not_swept() {
        let outer = tempfile::tempdir().unwrap();
        let make = || Temporary::make_in(outer.path(), "plan-test-").unwrap();
        let first = make();
        let lock = File::open(first.folder().join(LOCK)).unwrap();
        drop(first);
        let second = make();
        remove_unheld(second.folder(), &lock);
        assert!(second.folder().join(LOCK).is_file());
    }

    #[test]
    fn what_the_dead_left_is_swept_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let make = || Temporary::make_in(temp.path(), "plan-x-").unwrap();
        let (one, two) = (make(), make());
        assert_eq!(one.folder().metadata().unwrap().mode() & 0o777, 0o700);
        for left in ["plan-x-7", "plan-x-test-7", "plan-y-7"] {
            fs::create_dir(temp.path().join(left)).unwrap();
            fs::write(temp.path().join(left).join(LOCK), "").unwrap();
        }
        fs::create_dir(temp.path().join("plan-x-8")).unwrap();
        let three = make();
        assert!(one.folder().exists() && two.folder().exists() && three.folder().exists());
        let there = ["plan-x-7", "plan-x-test-7", "plan-y-7", "plan-x-8"].map(|name| temp.path().join(name).exists());
        assert_eq!(there, [false, true, true, true], "only one without a lock that is old enough");
        let path = one.folder().to_owned();
        drop(one);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_that_was_swept_before_it_was_locked_is_not_taken() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("plan-x-7");
        assert!(locked(&folder).unwrap().is_none(), "gone before its lock was made");
        fs::create_dir(&folder).unwrap();
        let lock = File::create_new(folder.join(LOCK)).unwrap();
        fs::remove_file(folder.join(LOCK)).unwrap();
        assert_eq!(lock.metadata().unwrap().nlink(), 0, "gone after");
        assert!(locked(&folder).unwrap().is_some());
    }
}
