//! Takes the files as they are on disk, for checkpoints (`CONTRACT.md` §5.1). Unlike [`Repo::tree`], this trusts no blob id of the
//! index: for a file that git converts (line ends, filters, git-lfs) that id stands for other bytes.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Repo;
use super::disk::{PathKind, hash, in_parallel, look};
use super::error::RepoError;
use super::tree::{Mode, Tree, TreeEntry, build, sort};
use crate::error::Result;

/// The limits for reading.
#[derive(Clone, Copy, Debug)]
pub struct RawLimits {
    /// Bytes of one file; larger files are left out.
    pub file: u64,
    /// The time when reading must end.
    pub until: Instant,
}

/// The files of a work tree, with the ids of their raw bytes and their permission bits.
#[derive(Clone, Debug)]
pub struct RawTree {
    /// The files. Entries that a sparse checkout leaves absent are in its `flagged` list only.
    pub tree: Tree,
    /// The permission bits of each entry of the tree, in its order; 0 for links and submodules.
    pub bits: Vec<u16>,
    /// The permission bits of each folder that holds an entry.
    pub folders: BTreeMap<PathBuf, u16>,
}

/// The kind of thing at one path.
#[derive(Clone, Debug)]
pub enum RawEntry {
    /// Nothing.
    Absent,
    /// A folder.
    Folder,
    /// A file or a link, and its permission bits.
    Content(TreeEntry, u16),
    /// A pipe, socket or device, an unreadable file, or one that is larger than the limit.
    Other(&'static str),
}

impl Repo {
    /// Reads every file that git does not ignore, without `exclude`, from the disk. Files with the same stat data as in `before`
    /// are not read again. One process, three more for each submodule. `None` if the time is over.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails, `Changed` if a file keeps changing.
    pub fn raw(&self, exclude: &[&Path], before: Option<&Tree>, limits: RawLimits) -> Result<Option<RawTree>> {
        let exclude = self.relatives(exclude)?;
        let mut tree = match self.snapshot(&exclude, 0, before, Some(limits)) {
            Err(RepoError::Late) => return Ok(None),
            tree => tree?,
        };
        tree.head = self.head()?;
        let bits = in_parallel(&tree.entries, |entry| match entry.mode {
            Mode::File | Mode::Executable => permissions(&self.top.join(&entry.path)).unwrap_or(plain(entry.mode)),
            Mode::Link | Mode::Submodule => 0,
        });
        let mut folders = BTreeMap::new();
        for entry in &tree.entries {
            for folder in entry.path.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty()) {
                if folders.contains_key(folder) {
                    break;
                }
                folders.insert(folder.to_owned(), permissions(&self.top.join(folder)).unwrap_or(0o755));
            }
        }
        Ok(Some(RawTree { tree, bits, folders }))
    }

    /// Examines `path`, relative to the top, whether git ignores it or not. No process.
    ///
    /// # Errors
    /// [`Kind::Changed`](crate::error::Kind) if the file keeps changing.
    pub fn raw_entry(&self, path: &Path, limits: RawLimits) -> Result<RawEntry> {
        let place = self.top.join(path);
        // Nothing is at `d/f` while `d` is a link, even if the link leads to a folder with an `f`.
        let mut above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        if above.any(|folder| matches!(look(&self.top.join(folder)), Ok(PathKind::Content(..) | PathKind::Special))) {
            return Ok(RawEntry::Absent);
        }
        let stat = match look(&place) {
            Ok(PathKind::Absent) => return Ok(RawEntry::Absent),
            Ok(PathKind::Folder) => return Ok(RawEntry::Folder),
            Ok(PathKind::Special) => return Ok(RawEntry::Other("no regular file")),
            Ok(PathKind::Content(_, stat)) => stat,
            Err(_) => return Ok(RawEntry::Other("unreadable")),
        };
        Ok(match hash(&place, self.format, limits.file) {
            Ok((mode, id)) => {
                let entry = TreeEntry { path: path.to_owned(), mode, id, tracked: false, read: true, stat: Some(stat) };
                let bits = if mode == Mode::Link { 0 } else { permissions(&place).unwrap_or(plain(mode)) };
                RawEntry::Content(entry, bits)
            }
            Err(RepoError::Look { error, .. }) => match error.kind() {
                std::io::ErrorKind::NotFound => RawEntry::Absent,
                std::io::ErrorKind::FileTooLarge => RawEntry::Other("too large"),
                _ => RawEntry::Other("unreadable"),
            },
            Err(error) => return Err(error.into()),
        })
    }
}

impl RawTree {
    /// Adds entries that the listing does not have.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if a path becomes a file and a folder at once.
    pub fn add(&mut self, repo: &Repo, more: Vec<(TreeEntry, u16)>) -> Result<()> {
        let entries = std::mem::take(&mut self.tree.entries);
        let mut all: Vec<(TreeEntry, u16)> = entries.into_iter().zip(std::mem::take(&mut self.bits)).collect();
        all.extend(more);
        let mut bits: BTreeMap<PathBuf, u16> = BTreeMap::new();
        for (entry, mode) in all {
            bits.insert(entry.path.clone(), mode);
            self.tree.entries.push(entry);
        }
        sort(&mut self.tree.entries);
        self.bits = self.tree.entries.iter().map(|entry| bits.get(&entry.path).copied().unwrap_or(0)).collect();
        self.tree.id = build(repo.format, &self.tree.entries, &mut |_, _| {})?;
        Ok(())
    }
}

fn permissions(path: &Path) -> Option<u16> {
    Some((path.symlink_metadata().ok()?.mode() & 0o7777) as u16)
}

/// The usual bits of a mode.
fn plain(mode: Mode) -> u16 {
    if mode == Mode::Executable { 0o755 } else { 0o644 }
}
