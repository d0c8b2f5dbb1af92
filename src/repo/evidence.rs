//! Evidence: a file of the repository, opened so that nobody can exchange it (`SIGNOFF.md` §1.3).

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{Mode, OFlags, openat};
use sha2::{Digest as _, Sha256};

use super::beneath::{WalkError, descend, none, open_folder};
use crate::error::{Error, Result};

/// The facts about a file, all read from one open descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Its real path with all links resolved, relative to the folder it must be beneath.
    pub path: PathBuf,
    /// Its size in bytes, never 0.
    pub size: u64,
    /// SHA-256 of the content, 64 hex digits.
    pub sha256: String,
    /// When it was last written.
    pub modified: Option<SystemTime>,
}

/// Opens, checks and digests the file at `path` (absolute, or relative to `beneath`).
///
/// # Errors
/// [`Kind::Input`](crate::error::Kind), with the reason why the file is no evidence.
pub fn evidence(beneath: &Path, path: &Path) -> Result<Evidence> {
    digested(beneath, path).map_err(|why| {
        let hint = "give a regular, non-empty file of this repository, such as a log or a report";
        Error::input(format!("no evidence: {why}")).hint(hint)
    })
}

fn digested(beneath: &Path, path: &Path) -> std::result::Result<Evidence, String> {
    let (mut file, found) = open_beneath(beneath, path)?;
    let unreadable = |error| unreadable(path, &error);
    let meta = file.metadata().map_err(unreadable)?;
    let mut hasher = Sha256::new();
    let size = io::copy(&mut file, &mut hasher).map_err(unreadable)?;
    if size == 0 {
        return Err(format!("`{}` is empty", path.display()));
    }
    let sha256 = format!("{:x}", hasher.finalize());
    Ok(Evidence { path: found, size, sha256, modified: meta.modified().ok() })
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("cannot read `{}`: {error}", path.display())
}

/// Opens a regular file beneath a folder for reading. Follows links within the folder, but none that leads out, into
/// a git folder or into another repository. Does not block on pipes and devices. Returns the file and its path with
/// all links resolved, relative to `beneath`.
///
/// Resolves the path first, and then opens folder by folder without following any link. So every system refuses a link
/// that is created between the two steps.
///
/// # Errors
/// One line with the reason.
pub fn open_beneath(beneath: &Path, path: &Path) -> std::result::Result<(File, PathBuf), String> {
    let shown = path.display();
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => format!("`{shown}` does not exist"),
        _ => unreadable(path, &error),
    };
    let outside = || format!("`{shown}` leads out of `{}`", beneath.display());
    let no_file = || format!("`{shown}` is not a regular file");
    let top = beneath.canonicalize().map_err(unreadable)?;
    let real = top.join(path).canonicalize().map_err(unreadable)?;
    let found = real.strip_prefix(&top).map_err(|_| outside())?.to_owned();
    let mut names = Vec::new();
    for component in found.components() {
        let Component::Normal(name) = component else { return Err(outside()) };
        if name.eq_ignore_ascii_case(".git") {
            return Err(format!("`{shown}` is in the git folder, which does not count as a file of the repository"));
        }
        names.push(name);
    }
    let last = names.pop().ok_or_else(no_file)?;
    let folder = open_folder(rustix::fs::CWD, &top).map_err(unreadable)?;
    let folder = descend(folder, &names.iter().collect::<PathBuf>(), &mut none).map_err(|error| match error {
        WalkError::Io(error) => unreadable(error),
        WalkError::Repository(repository) => format!("`{shown}` is in another repository, `{}`", repository.display()),
    })?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let opened = openat(&folder, last, flags, Mode::empty());
    // A socket cannot be opened at all.
    if matches!(opened, Err(rustix::io::Errno::NXIO)) {
        return Err(no_file());
    }
    let file = File::from(opened.map_err(|error| unreadable(error.into()))?);
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(no_file());
    }
    Ok((file, found))
}
