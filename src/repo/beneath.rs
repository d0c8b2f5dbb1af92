//! Opens folders beneath another one, so that nobody can lead the way elsewhere: one name after the other, no link is
//! followed, and no other repository is entered.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

/// Why a folder cannot be opened.
#[derive(Debug)]
pub(super) enum WalkError {
    /// The system's answer: the folder is missing, a link or a file stands in its place, or access is denied.
    Io(io::Error),
    /// This folder on the way has a `.git` of its own.
    Repository(PathBuf),
}

/// Opens `path` (relative, plain names) beneath `top`. `missing` may make a folder that does not exist; it gets the open
/// folder above it and the path from `top`.
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

/// Makes no folder.
pub(super) fn none(_: &OwnedFd, _: &OsStr, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::NotFound.into())
}

/// Opens a folder itself, not the target of a link.
pub(super) fn open_folder(at: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}
