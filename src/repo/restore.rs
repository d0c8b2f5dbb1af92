//! Puts files of a stored tree back into the work tree, and deletes others (`CONTRACT.md` §5.4).
//!
//! Every step goes through folders that are opened from the plan's root without following a link. `.git` in any spelling, other
//! repositories and other file systems are never entered. A file is touched only if it still has the stat data from the
//! listing. A new file is complete before it gets its name.
//!
//! ```text
//! deletions ──► folders that give way to a file ──► writes ──► modes ──► folders that became empty
//! ```

mod listed;
mod preflight;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use listed::{TouchedFiles, is_as_listed};
use rustix::fs::{AtFlags, Mode as Bits, OFlags};

use super::beneath::{WalkError, descend, none, open_folder};
use super::error::{RepoError, RepoResult};
use super::export::check_path;
use super::id::object_id;
use super::tree::{Mode, TreeEntry};
use super::{ObjectId, Repo};
use crate::error::Result;

/// The start of a new file's name until it is complete; a process id and a number follow.
const TEMPORARY: &str = ".plan-rewind-";

/// The changes to make. Paths are relative to the top of the work tree.
#[derive(Clone, Debug, Default)]
pub struct Restoration {
    /// Files and links to delete, as listed.
    pub deletions: Vec<TreeEntry>,
    /// Files and links to write.
    pub writes: Vec<FileWrite>,
    /// Files that only get new permission bits.
    pub modes: Vec<ModeChange>,
    /// The permission bits of folders that may have to be made; other folders get the usual ones.
    pub folders: BTreeMap<PathBuf, u16>,
    /// Folders that an interrupted restoration may have emptied or made: they are removed if empty.
    pub emptied: BTreeSet<PathBuf>,
    /// Folders that stay, even if empty.
    pub kept: BTreeSet<PathBuf>,
}

/// A file or link to write.
#[derive(Clone, Debug)]
pub struct FileWrite {
    /// Its path.
    pub path: PathBuf,
    /// A file or a link.
    pub mode: Mode,
    /// Its stored bytes.
    pub id: ObjectId,
    /// Its permission bits; ignored for a link.
    pub bits: u16,
    /// The entry to replace, as listed; `None` if nothing may exist there.
    pub now: Option<TreeEntry>,
}

/// A file that gets new permission bits.
#[derive(Clone, Debug)]
pub struct ModeChange {
    /// The entry as listed.
    pub now: TreeEntry,
    /// Its new bits.
    pub bits: u16,
}

impl Restoration {
    /// Every folder above a file that the restoration touches.
    pub fn folders_above(&self) -> BTreeSet<PathBuf> {
        above(self.paths())
    }

    /// The path of each file that the restoration touches.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let deletions = self.deletions.iter().map(|deletion| deletion.path.as_path());
        let writes = self.writes.iter().map(|write| write.path.as_path());
        deletions.chain(writes).chain(self.modes.iter().map(|change| change.now.path.as_path()))
    }
}

impl Repo {
    /// Carries out a restoration below `root`, a folder of the work tree. The caller has called [`Repo::obstacles`], has saved all files
    /// that are overwritten or deleted, and must undo a partial change after an error. One process, and one for each 32 MiB.
    ///
    /// # Errors
    /// [`Kind::Changed`](crate::error::Kind) if a file differs from the listing, `Input` for an invalid name, `Unknown` if
    /// writing or git fails.
    pub fn restore(&self, root: &Path, restoration: &Restoration) -> Result<()> {
        restoration.paths().try_for_each(check_path)?;
        let mut writer = FileWriter::open(self, root, &restoration.folders)?;
        let mut emptied: BTreeSet<PathBuf> =
            restoration.emptied.iter().filter(|folder| writer.is_below(folder)).cloned().collect();
        for now in &restoration.deletions {
            writer.delete(now)?;
            emptied.extend(now.path.ancestors().skip(1).filter(|folder| writer.is_below(folder)).map(Path::to_owned));
        }
        let files: BTreeSet<&Path> = restoration.writes.iter().map(|write| write.path.as_path()).collect();
        let gives_way = |folder: &Path| folder.ancestors().any(|above| files.contains(above));
        emptied.retain(|folder| !restoration.kept.contains(folder));
        let (first, last): (Vec<PathBuf>, Vec<PathBuf>) =
            emptied.into_iter().rev().partition(|folder| gives_way(folder));
        first.iter().try_for_each(|folder| writer.remove_empty(folder))?;
        let ids: Vec<ObjectId> = restoration.writes.iter().map(|write| write.id).collect();
        self.blobs(&ids, &mut |at, bytes| writer.write(&restoration.writes[at], bytes))?;
        restoration.modes.iter().try_for_each(|change| writer.change_mode(change))?;
        last.iter().try_for_each(|folder| writer.remove_empty(folder))?;
        Ok(writer.flush()?)
    }

    /// Removes the temporary files that an interrupted [`Repo::restore`] left beside these paths.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if one cannot be removed.
    pub fn sweep_restored(&self, root: &Path, paths: &[PathBuf]) -> Result<()> {
        let folders: BTreeMap<PathBuf, u16> = BTreeMap::new();
        let mut writer = FileWriter::open(self, root, &folders)?;
        let parents: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
        for parent in parents {
            writer.sweep(parent)?;
        }
        Ok(())
    }
}

/// Every folder above these paths.
pub fn above<'p>(paths: impl Iterator<Item = &'p Path>) -> BTreeSet<PathBuf> {
    let folders = paths.flat_map(|path| path.ancestors().skip(1));
    folders.filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned).collect()
}

/// A running restoration.
struct FileWriter<'r> {
    repo: &'r Repo,
    root: OwnedFd,
    /// The plan's root, relative to the top.
    prefix: PathBuf,
    device: u64,
    folders: &'r BTreeMap<PathBuf, u16>,
    /// The folder opened last, because neighbouring files follow each other.
    opened: Option<(PathBuf, OwnedFd)>,
    names: u32,
    touched: TouchedFiles,
}

impl<'r> FileWriter<'r> {
    fn open(repo: &'r Repo, root: &Path, folders: &'r BTreeMap<PathBuf, u16>) -> RepoResult<Self> {
        let trouble = |error| RepoError::Write { path: root.to_owned(), error };
        let outside = || RepoError::Outside { path: root.to_owned(), top: repo.top.clone() };
        let prefix = root.strip_prefix(&repo.top).map_err(|_| outside())?.to_owned();
        let root = open_folder(rustix::fs::CWD, root).map_err(trouble)?;
        let device = device(&root).map_err(trouble)?;
        Ok(FileWriter { repo, root, prefix, device, folders, opened: None, names: 0, touched: TouchedFiles::default() })
    }

    /// Whether a folder is below the plan's root.
    fn is_below(&self, folder: &Path) -> bool {
        folder != self.prefix && folder.starts_with(&self.prefix)
    }

    /// Returns the folder above `path`, and the file name.
    fn parent<'p>(&mut self, path: &'p Path, make: bool) -> RepoResult<(&OwnedFd, &'p OsStr)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(RepoError::Name { path: path.to_owned() });
        };
        if self.opened.as_ref().is_none_or(|(opened, _)| opened != parent) {
            let folder = self.folder(parent, make).map_err(|error| failed(path, error))?;
            self.opened = Some((parent.to_owned(), folder));
        }
        self.opened.as_ref().map(|(_, folder)| (folder, name)).ok_or_else(|| RepoError::Name { path: path.to_owned() })
    }

    fn folder(&self, folder: &Path, make: bool) -> io::Result<OwnedFd> {
        let below =
            folder.strip_prefix(&self.prefix).map_err(|_| io::Error::other("it is outside the plan's folder"))?;
        let root = self.root.try_clone()?;
        let opened = match make {
            false => descend(root, below, &mut none),
            true => descend(root, below, &mut |above, name, walked| {
                if device(above)? != self.device {
                    return Err(other_device());
                }
                rustix::fs::mkdirat(above, name, Bits::from_raw_mode(0o777))?;
                match self.folders.get(&self.prefix.join(walked)) {
                    Some(bits) => Ok(rustix::fs::fchmod(open_folder(above, name)?, bits_of(*bits))?),
                    None => Ok(()),
                }
            }),
        };
        let opened = opened.map_err(|error| match error {
            WalkError::Io(error) => error,
            WalkError::Repository(folder) => io::Error::other(format!("`{}` is another repository", folder.display())),
        })?;
        if device(&opened)? == self.device { Ok(opened) } else { Err(other_device()) }
    }

    fn delete(&mut self, now: &TreeEntry) -> RepoResult<()> {
        let is_touched = self.touched.holds(Some(now));
        let (folder, name) = self.parent(&now.path, false)?;
        is_as_listed(folder, name, Some(now), is_touched)?;
        rustix::fs::unlinkat(folder, name, AtFlags::empty()).map_err(|error| failed(&now.path, error.into()))?;
        self.touched.add(Some(now));
        Ok(())
    }

    /// Removes a folder if it is empty.
    fn remove_empty(&mut self, path: &Path) -> RepoResult<()> {
        self.opened = None;
        let parent = self.parent(path, false);
        let (folder, name) = match parent {
            // A file or a link has replaced a folder above it.
            Err(RepoError::Write { error, .. }) if is_no_folder(&error) => return Ok(()),
            parent => parent?,
        };
        match rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR) {
            // The folder is not empty or not there, or something else has its name, which stays.
            Ok(()) | Err(rustix::io::Errno::NOTEMPTY | rustix::io::Errno::EXIST) => Ok(()),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Ok(()),
            Err(error) => Err(failed(path, error.into())),
        }
    }

    fn write(&mut self, write: &FileWrite, bytes: &[u8]) -> RepoResult<()> {
        if object_id(self.repo.format, "blob", bytes) != write.id {
            return Err(RepoError::Missing { id: write.id });
        }
        self.names += 1;
        let temporary = OsString::from(format!("{TEMPORARY}{}-{}", std::process::id(), self.names));
        let is_touched = self.touched.holds(write.now.as_ref());
        let (folder, name) = self.parent(&write.path, true)?;
        let trouble = |error| failed(&write.path, error);
        let made =
            match write.mode {
                Mode::Link => Ok(rustix::fs::symlinkat(OsStr::from_bytes(bytes), folder, &temporary)
                    .map_err(trouble_of(&write.path))?),
                _ => new_file(folder, &temporary, bytes, write.bits),
            };
        let moved = made.map_err(trouble).and_then(|()| {
            is_as_listed(folder, name, write.now.as_ref(), is_touched).map_err(|error| match error {
                RepoError::Unstable { .. } => RepoError::Unstable { path: write.path.clone() },
                other => other,
            })?;
            rustix::fs::renameat(folder, &temporary, folder, name).map_err(trouble_of(&write.path))
        });
        if moved.is_err() {
            let _ = rustix::fs::unlinkat(folder, &temporary, AtFlags::empty());
        }
        self.touched.add(write.now.as_ref());
        moved
    }

    fn change_mode(&mut self, change: &ModeChange) -> RepoResult<()> {
        let path = &change.now.path;
        let is_touched = self.touched.holds(Some(&change.now));
        let (folder, name) = self.parent(path, false)?;
        is_as_listed(folder, name, Some(&change.now), is_touched)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let file = rustix::fs::openat(folder, name, flags, Bits::empty()).map_err(trouble_of(path))?;
        rustix::fs::fchmod(&file, bits_of(change.bits)).map_err(trouble_of(path))?;
        self.touched.add(Some(&change.now));
        Ok(())
    }

    fn sweep(&mut self, parent: &Path) -> RepoResult<()> {
        let Ok(folder) = self.folder(parent, false) else { return Ok(()) };
        let trouble = trouble_of(parent);
        for entry in rustix::fs::Dir::read_from(&folder).map_err(&trouble)? {
            let entry = entry.map_err(&trouble)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if is_temporary(name) {
                rustix::fs::unlinkat(&folder, name, AtFlags::empty()).map_err(&trouble)?;
            }
        }
        Ok(())
    }

    /// Makes the changes durable, before the caller discards the data to undo them.
    fn flush(&self) -> RepoResult<()> {
        sync(&self.root).map_err(|error| RepoError::Write { path: self.repo.top.join(&self.prefix), error })
    }
}

impl Repo {
    /// Makes the stored objects durable, before files are deleted whose content only these objects hold.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if the system cannot write them.
    pub fn flush_kept(&self) -> Result<()> {
        let path = self.kept_objects();
        let synced = open_folder(rustix::fs::CWD, &path).and_then(|folder| sync(&folder));
        Ok(synced.map_err(|error| RepoError::Write { path, error })?)
    }
}

#[cfg(target_os = "linux")]
fn sync(folder: &OwnedFd) -> io::Result<()> {
    Ok(rustix::fs::syncfs(folder)?)
}

#[cfg(not(target_os = "linux"))]
fn sync(_: &OwnedFd) -> io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

/// Whether a name has the form `.plan-rewind-<pid>-<n>`.
fn is_temporary(name: &OsStr) -> bool {
    let parts = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts.is_some_and(|(pid, number)| is_number(pid) && is_number(number))
}

fn new_file(folder: &OwnedFd, name: &OsStr, bytes: &[u8], bits: u16) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(folder, name, flags, bits_of(0o600))?);
    // A file gets an execute or set-id bit only once its bytes are complete.
    file.write_all(bytes)?;
    Ok(rustix::fs::fchmod(&file, bits_of(bits))?)
}

fn device(folder: &OwnedFd) -> io::Result<u64> {
    Ok(rustix::fs::fstat(folder)?.st_dev as u64)
}

/// Whether a folder could not be opened because it does not exist or is no folder.
fn is_no_folder(error: &io::Error) -> bool {
    let is_link = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    is_link || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn other_device() -> io::Error {
    io::Error::other("it is on another file system")
}

fn bits_of(bits: u16) -> Bits {
    Bits::from_raw_mode(bits.into())
}

fn failed(path: &Path, error: io::Error) -> RepoError {
    RepoError::Write { path: path.to_owned(), error }
}

fn trouble_of(path: &Path) -> impl Fn(rustix::io::Errno) -> RepoError {
    move |error| failed(path, error.into())
}
