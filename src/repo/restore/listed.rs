//! Checks that a file has not changed since it was listed.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::AtFlags;

use crate::repo::error::RepoError;
use crate::repo::index::Stat;
use crate::repo::tree::TreeEntry;

/// The inodes of files that this restoration removed a name from or gave new permission bits. If other names (hard links) of
/// these files show a new change time, we caused it.
#[derive(Default)]
pub(super) struct TouchedFiles(HashSet<u32>);

impl TouchedFiles {
    pub(super) fn holds(&self, listed: Option<&TreeEntry>) -> bool {
        listed.and_then(|entry| entry.stat).is_some_and(|stat| self.0.contains(&stat.inode))
    }

    pub(super) fn add(&mut self, listed: Option<&TreeEntry>) {
        self.0.extend(listed.and_then(|entry| entry.stat).map(|stat| stat.inode));
    }
}

/// Checks that the file at `name` is the listed one, or that none is there if none was listed. For a file that was touched under another name,
/// only the change time may differ: nobody can write its content without changing the other times.
pub(super) fn is_as_listed(
    folder: &OwnedFd,
    name: &OsStr,
    listed: Option<&TreeEntry>,
    is_touched: bool,
) -> Result<(), RepoError> {
    let changed =
        || RepoError::Unstable { path: listed.map_or_else(|| PathBuf::from(name), |entry| entry.path.clone()) };
    let is_same = |listed: Option<Stat>, now: Stat| {
        let expected = listed.map(|stat| if is_touched { Stat { ctime: now.ctime, ..stat } } else { stat });
        expected == Some(now)
    };
    match (rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW), listed) {
        (Err(rustix::io::Errno::NOENT), None) => Ok(()),
        (Err(rustix::io::Errno::NOENT), Some(_)) | (Ok(_), None) => Err(changed()),
        (Ok(now), Some(entry)) if is_same(entry.stat, stat(&now)) => Ok(()),
        (Ok(_), Some(_)) => Err(changed()),
        (Err(error), _) => Err(RepoError::Write { path: PathBuf::from(name), error: error.into() }),
    }
}

/// The stat data, cut as in [`crate::repo::disk::look`].
fn stat(now: &rustix::fs::Stat) -> Stat {
    Stat {
        ctime: (now.st_ctime as u32, now.st_ctime_nsec as u32),
        mtime: (now.st_mtime as u32, now.st_mtime_nsec as u32),
        inode: now.st_ino as u32,
        user: now.st_uid,
        group: now.st_gid,
        size: now.st_size as u32,
    }
}
