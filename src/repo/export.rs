//! A tree as plain files in a folder of its own: our own writer, so that nothing that the repository configures
//! (filters, conversions, hooks) runs and nothing is written outside that folder (`SIGNOFF.md` §3, clean export).

mod bytes;
mod git;
mod layout;
mod names;
mod tidy;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use layout::{Layout, LayoutFile};

use super::disk::{PathKind, look};
use super::error::RepoError;
use super::index::Stat;
use super::tree::Mode;
use super::{ObjectId, Repo};
use crate::error::Result;

/// Bytes that an export may have in all: more does not fit beside other work in a temporary folder.
const LARGEST: u64 = 4 << 30;
/// Files that an export may have.
const MOST: usize = 500_000;

/// A folder that is made to hold exactly what a [`Layout`] says, again and again.
#[derive(Debug)]
pub struct Export<'r> {
    repo: &'r Repo,
    folder: PathBuf,
    /// What was written, with the numbers that it then had: whatever differs from them was changed since.
    laid: BTreeMap<PathBuf, (Mode, ObjectId, Stat)>,
    /// The whole second that the files of the last layout got. Python's caches count seconds, cargo and make the order:
    /// a file that is written again must look newer than all that was built before.
    second: u64,
    /// Files whose bytes are the work tree's, which a conversion of the repository made from those of the tree.
    converted: Vec<PathBuf>,
    /// Files that are on the disk not what the tree says, unchanged since it was taken: a filter made them.
    filtered: Vec<PathBuf>,
}

impl<'r> Export<'r> {
    /// An export into `folder`, which must be fresh and nobody else's.
    pub fn new(repo: &'r Repo, folder: &Path) -> Self {
        // What is written first must not look newer than what a run makes of it within the same second.
        let second = seconds(SystemTime::now()).saturating_sub(2);
        Export {
            repo,
            folder: folder.to_owned(),
            laid: BTreeMap::new(),
            second,
            converted: Vec::new(),
            filtered: Vec::new(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files that the tree has in another form than the work tree (line ends, git-lfs); exported as the work tree has
    /// them, where that form follows from the tree's.
    pub fn converted(&self) -> &[PathBuf] {
        &self.converted
    }

    /// Files that the tree has in another form than the work tree, which does not follow from the tree's: a filter of the
    /// repository, or an index that claims what is not there. Exported as the tree has them.
    pub fn filtered(&self) -> &[PathBuf] {
        &self.filtered
    }

    /// Makes the folder hold what `layout` says and nothing else but what `keep` says (paths relative to the folder;
    /// not looked into). Files that are already right are left alone; every other gets a fresh, growing time of
    /// change. No link is followed, whatever was put into the folder meanwhile. Two processes at most for objects that
    /// are not on the disk, and two for each 32 MiB of them.
    ///
    /// Errors: [`Kind::Input`](crate::error::Kind) for a name that does not belong into a folder, or too much of it;
    /// `Changed` where a file of the work tree is not what it was; `Unknown` where writing or git fails.
    pub fn lay(&mut self, layout: &Layout, keep: &dyn Fn(&Path) -> bool) -> Result<()> {
        Ok(self.make(layout, keep)?)
    }

    fn make(&mut self, layout: &Layout, keep: &dyn Fn(&Path) -> bool) -> std::result::Result<(), RepoError> {
        names::check(layout)?;
        if layout.len() > MOST {
            return Err(RepoError::TooMuch { what: format!("{} files", layout.len()) });
        }
        let right = |path: &Path, stat: Stat| {
            let laid = self.laid.get(path);
            laid.is_some_and(|(mode, id, then)| {
                *then == stat && layout.get(path).is_some_and(|file| file.is(*mode, *id))
            })
        };
        let standing = tidy::tidy(&self.folder, layout, &right, keep)?;
        self.laid.retain(|path, _| standing.contains(path));
        let wanted: Vec<(&Path, &LayoutFile)> = layout
            .files()
            .filter(|(path, file)| file.mode() != Mode::Submodule && !self.laid.contains_key(*path))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        self.second = match self.laid.is_empty() {
            true => self.second,
            false => (self.second + 1).max(seconds(SystemTime::now()) + 1),
        };
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.second);
        let mut total = 0;
        let (folder, laid) = (&self.folder, &mut self.laid);
        let odd = bytes::each(self.repo, &wanted, &mut |path, file, bytes| {
            total += bytes.len() as u64;
            if total > LARGEST {
                return Err(RepoError::TooMuch { what: format!("more than {LARGEST} bytes") });
            }
            let stat = write(folder, path, file.mode(), bytes, time)?;
            laid.insert(path.to_owned(), (file.mode(), file.id(), stat));
            Ok(())
        })?;
        self.converted.extend(odd.converted);
        self.filtered.extend(odd.filtered);
        Ok(())
    }
}

impl Repo {
    /// The bytes of the file at `path` of a layout, as they would be exported; a link's text. None where there is none, or
    /// where it is a submodule. Two processes at most.
    pub fn content(&self, layout: &Layout, path: &Path) -> Result<Option<Vec<u8>>> {
        let mut content = None;
        let Some(file) = layout.get(path).filter(|file| file.mode() != Mode::Submodule) else { return Ok(None) };
        bytes::each(self, &[(path, file)], &mut |_, _, bytes| {
            content = Some(bytes.to_vec());
            Ok(())
        })?;
        Ok(content)
    }
}

/// Writes one new file or link. The folders above it are real ones or not there: [`tidy`] has seen to that.
fn write(
    folder: &Path,
    path: &Path,
    mode: Mode,
    bytes: &[u8],
    time: SystemTime,
) -> std::result::Result<Stat, RepoError> {
    let whole = folder.join(path);
    let trouble = |error| RepoError::Write { path: whole.clone(), error };
    if let Some(parent) = whole.parent() {
        fs::create_dir_all(parent).map_err(trouble)?;
    }
    if mode == Mode::Link {
        symlink(std::ffi::OsStr::from_bytes(bytes), &whole).map_err(trouble)?;
    } else {
        let bits = if mode == Mode::Executable { 0o777 } else { 0o666 };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(bits).open(&whole).map_err(trouble)?;
        file.write_all(bytes).and_then(|()| file.set_modified(time)).map_err(trouble)?;
    }
    match look(&whole).map_err(trouble)? {
        PathKind::Content(_, stat) => Ok(stat),
        _ => Err(RepoError::Unstable { path: whole }),
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
