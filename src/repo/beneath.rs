//! Opens folders beneath another one in a way that nobody can redirect: one name after the other, without following
//! links, and without entering another repository.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

/// The reason why a folder cannot be opened.
#[derive(Debug)]
pub(super) enum WalkError {
    /// The system's error: the folder is missing, is a link or a file, or access is denied.
    Io(io::Error),
    /// This folder on the way has a `.git` of its own.
    Repository(PathBuf),
}

/// Opens `path` (relative, plain names) beneath `top`. `missing` may make a folder that does not exist; it gets the open
/// folder above it, its name, and its path from `top`.
pub(super) fn descend(
    top: OwnedFd,
    path: &Path,
    missing: &mut dyn FnMut(&OwnedFd, &OsStr, &Path) -> io::Result<()>,
) -> Result<OwnedFd, WalkError> {
    let (mut folder, mut walked) = (top, PathBuf::new());
    for name in path {
        walked.push(name);
        folder = match open_folder(&folder, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                missing(&folder, name, &walked).and_then(|()| open_folder(&folder, name))
            }
            opened => opened,
        }
        .map_err(WalkError::Io)?;
        if statat(&folder, ".git", AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(WalkError::Repository(walked));
        }
    }
    Ok(folder)
}

/// A `missing` function that makes no folder.
pub(super) fn none(_: &OwnedFd, _: &OsStr, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::NotFound.into())
}

/// Opens a folder, but not through a link.
pub(super) fn open_folder(at: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}
