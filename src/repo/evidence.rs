//! Evidence: a file of the repository, opened so that nobody can exchange it (`SIGNOFF.md` §1.3).

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{Mode, OFlags, openat};
use sha2::{Digest as _, Sha256};

use super::beneath::{WalkError, descend, none, open_folder};
use crate::error::Error;

/// An opened file, and the facts read from the same descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Its real path with all links resolved, relative to the folder it must be beneath.
    pub path: PathBuf,
    /// In bytes, never 0.
    pub size: u64,
    /// SHA-256 of the content, 64 hex digits.
    pub sha256: String,
    /// When it was last written.
    pub modified: Option<SystemTime>,
}

/// Why a path is not evidence.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The path does not exist.
    #[error("`{}` does not exist", .0.display())]
    Missing(PathBuf),
    /// It leads out of the folder that it must be beneath.
    #[error("`{}` leads out of `{}`", path.display(), beneath.display())]
    Outside {
        /// The path as given.
        path: PathBuf,
        /// The folder that it must be beneath.
        beneath: PathBuf,
    },
    /// It is in a git folder.
    #[error("`{}` is in the git folder, which does not count as a file of the repository", .0.display())]
    InGit(PathBuf),
    /// It is in a submodule or another repository, which the tree does not digest.
    #[error("`{}` is in another repository, `{}`", path.display(), repository.display())]
    Elsewhere {
        /// The path as given.
        path: PathBuf,
        /// The folder that has its own `.git`.
        repository: PathBuf,
    },
    /// A folder, pipe, socket or device.
    #[error("`{}` is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The file is empty.
    #[error("`{}` is empty", .0.display())]
    Empty(PathBuf),
    /// The system denies access.
    #[error("cannot read `{}`: {error}", path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// The system's message.
        error: io::Error,
    },
}

impl From<EvidenceError> for Error {
    fn from(error: EvidenceError) -> Self {
        let hint = "give a regular, non-empty file of this repository, such as a log or a report";
        Error::input(format!("no evidence: {error}")).hint(hint)
    }
}

/// Opens, checks and digests `path` (absolute, or relative to `beneath`).
///
/// # Errors
/// [`EvidenceError`], which is always [`Kind::Input`](crate::error::Kind).
pub fn evidence(beneath: &Path, path: &Path) -> Result<Evidence, EvidenceError> {
    let (mut file, found) = open_beneath(beneath, path)?;
    let unreadable = |error| EvidenceError::Unreadable { path: path.to_owned(), error };
    let meta = file.metadata().map_err(unreadable)?;
    let mut hasher = Sha256::new();
    let size = io::copy(&mut file, &mut hasher).map_err(unreadable)?;
    if size == 0 {
        return Err(EvidenceError::Empty(path.to_owned()));
    }
    let sha256 = format!("{:x}", hasher.finalize());
    Ok(Evidence { path: found, size, sha256, modified: meta.modified().ok() })
}

/// Opens a regular file beneath a folder for reading. It follows links within the folder, but none that leads out, into
/// a git folder or into another repository. It does not wait for pipes and devices. Returns the file and its path with
/// all links resolved, relative to `beneath`.
///
/// It resolves the path first and then opens folder by folder without following any link. So every system refuses a
/// link that somebody creates between the two steps.
pub fn open_beneath(beneath: &Path, path: &Path) -> Result<(File, PathBuf), EvidenceError> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => EvidenceError::Missing(path.to_owned()),
        _ => EvidenceError::Unreadable { path: path.to_owned(), error },
    };
    let outside = || EvidenceError::Outside { path: path.to_owned(), beneath: beneath.to_owned() };
    let top = beneath.canonicalize().map_err(unreadable)?;
    let real = top.join(path).canonicalize().map_err(unreadable)?;
    let found = real.strip_prefix(&top).map_err(|_| outside())?.to_owned();
    let mut names = Vec::new();
    for component in found.components() {
        let Component::Normal(name) = component else { return Err(outside()) };
        if name.eq_ignore_ascii_case(".git") {
            return Err(EvidenceError::InGit(path.to_owned()));
        }
        names.push(name);
    }
    let Some(last) = names.pop() else { return Err(EvidenceError::NotAFile(path.to_owned())) };
    let folder = open_folder(rustix::fs::CWD, &top).map_err(unreadable)?;
    let folder = descend(folder, &names.iter().collect::<PathBuf>(), &mut none).map_err(|error| match error {
        WalkError::Io(error) => unreadable(error),
        WalkError::Repository(repository) => EvidenceError::Elsewhere { path: path.to_owned(), repository },
    })?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let opened = openat(&folder, last, flags, Mode::empty());
    // A socket cannot be opened at all.
    if matches!(opened, Err(rustix::io::Errno::NXIO)) {
        return Err(EvidenceError::NotAFile(path.to_owned()));
    }
    let file = File::from(opened.map_err(|error| unreadable(error.into()))?);
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(EvidenceError::NotAFile(path.to_owned()));
    }
    Ok((file, found))
}
