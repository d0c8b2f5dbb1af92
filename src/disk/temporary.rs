//! A temporary folder that is always removed.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::remove;
use crate::process::interrupt::SignalHold;

/// The name of the file in the folder that is locked as long as the owner of the folder lives.
const LOCK: &str = "lock";
/// A folder without a lock file that is younger than this may still be in the making.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that no other user can access. It is removed when dropped; if `plan` was killed, the next folder with this prefix removes it.
/// While it exists, Ctrl-C and SIGTERM do not end `plan`, so that they cannot leave a part of it behind.
pub struct Temporary {
    folder: PathBuf,
    _lock: File,
    // The last field, so that the signals are released after the folder was removed.
    held: SignalHold,
}

impl Temporary {
    /// Makes a folder in the system's temporary folder, named by `prefix` and a number. Removes the folders with this prefix that dead
    /// processes left behind.
    pub fn make(prefix: &str) -> io::Result<Temporary> {
        Temporary::make_in(&std::env::temp_dir(), prefix)
    }

    /// Like [`Temporary::make`], but in another folder.
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

    /// Its path, with links resolved.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a signal came since the folder was made.
    pub fn is_interrupted(&self) -> bool {
        self.held.is_interrupted()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = remove(&self.folder); // the next one sweeps what is left
    }
}

/// Makes the lock of a new folder. `None` if another process swept the folder away before it was locked.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let swept = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { Ok(None) } else { Err(error) };
    let lock = match File::create_new(folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) => return swept(error),
    };
    lock.lock()?;
    Ok((lock.metadata()?.nlink() > 0).then_some(lock))
}

/// Removes the folders with this prefix that belong to our user and that no process has locked.
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

/// Removes a folder whose owner is dead. A failure is not reported, because the folder does no harm.
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

/// Removes a folder if no process holds the lock that was opened in it.
fn remove_unheld(folder: &Path, lock: &File) {
    // A lock file that was deleted tells nothing about the folder that has the name now.
    let stands = || lock.metadata().is_ok_and(|meta| meta.nlink() > 0);
    if lock.try_lock().is_ok() && stands() {
        // The lock is held until the folder is gone, so that a process about to lock it notices.
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
