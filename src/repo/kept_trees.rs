//! A private object folder of this clone for trees that are in no commit (`CONTRACT.md` §5). No ref names these
//! objects, so nothing pushes them. They are not in git's own store, so no `git gc` removes them.
//!
//! ```text
//! <common git dir>/plan/checkpoints/          0700
//!   kept/<name>.json                          a tree that somebody needs, and the files that were left out
//!   objects/                                  its blobs and trees that the commit at HEAD lacks
//! ```
//!
//! A caller that keeps a tree gives it a name (`base-cache-1-0123456789ab`) and releases that name when the tree is no longer
//! needed. [`Repo::sweep`] removes the objects that no kept tree uses. The plan loses nothing if the folder is
//! deleted.

mod record;
mod sweep;

use std::collections::HashSet;
use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use record::{KeptTree, LeftOut};

use super::error::{RepoError, RepoResult};
use super::tree::{Mode, Tree, TreeEntry};
use super::{ObjectId, Repo};
use crate::error::Result;

/// The longest name of a kept tree.
const LONGEST: usize = 120;

/// The limits for storing one tree.
#[derive(Clone, Copy, Debug)]
pub struct KeptTreeLimits {
    /// Bytes of one file. Larger files are left out.
    pub file: u64,
    /// Bytes in total. If there are more, nothing is kept.
    pub total: u64,
    /// Files in total. If there are more, nothing is kept.
    pub files: usize,
    /// The time for storing. If it takes longer, nothing is kept.
    pub time: Duration,
}

impl Default for KeptTreeLimits {
    fn default() -> Self {
        KeptTreeLimits { file: 32 << 20, total: 512 << 20, files: 300_000, time: Duration::from_secs(20) }
    }
}

/// The result of keeping a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeepOutcome {
    /// The tree is kept under its name; `new` if the name did not exist before.
    Kept {
        /// The name, and the files that were left out.
        kept: KeptTree,
        /// This call made the name.
        new: bool,
    },
    /// The tree exceeds the limits, for this reason.
    TooMuch(String),
}

impl Repo {
    /// Keeps `tree` under `name`. Stores every blob and tree that the commit at HEAD lacks, even if git's own store has a copy,
    /// because `git gc` may remove that copy. Three processes, more for many files.
    ///
    /// # Errors
    /// [`Kind::Changed`](crate::error::Kind) if a file changed since the tree was taken, `Unknown` if git fails or the
    /// folder cannot be written, `Input` for an invalid name.
    pub fn keep(&self, name: &str, tree: &Tree, limits: &KeptTreeLimits) -> Result<KeepOutcome> {
        check(name)?;
        let begin = Instant::now();
        let head = tree.head.map_or(Ok(Vec::new()), |head| self.entries(head))?;
        let known: HashSet<ObjectId> = head.iter().map(|entry| entry.id).collect();
        let (wanted, left_out) = match self.wanted(tree, &known, limits) {
            Ok(chosen) => chosen,
            Err(why) => return Ok(KeepOutcome::TooMuch(why)),
        };
        let folder = self.make_kept_folder()?;
        let kept = KeptTree { name: name.to_owned(), tree: tree.id, left_out, age: Duration::ZERO };
        // The name comes first, so that a sweep at the same time knows the tree.
        let new = self.write_kept(&kept)?;
        let wanted: Vec<&TreeEntry> = wanted.into_iter().filter(|entry| !is_there(&folder, entry.id)).collect();
        let stored = self.store_blobs(&wanted, &folder, begin + limits.time).and_then(|whole| match whole {
            true => self.store_trees(tree, &head, &folder).map(|()| true),
            false => Ok(false),
        });
        match stored {
            Ok(true) => Ok(KeepOutcome::Kept { kept, new }),
            other => {
                if new {
                    self.remove_kept(name)?;
                }
                other?;
                Ok(KeepOutcome::TooMuch(format!("storing it took more than {} s", limits.time.as_secs())))
            }
        }
    }

    /// Returns the entries to store, one per blob, and the ones that are too large. An error says which limit is exceeded.
    fn wanted<'t>(
        &self,
        tree: &'t Tree,
        known: &HashSet<ObjectId>,
        limits: &KeptTreeLimits,
    ) -> std::result::Result<(Vec<&'t TreeEntry>, Vec<LeftOut>), String> {
        let (mut wanted, mut left_out) = (Vec::new(), Vec::new());
        let (mut seen, mut total) = (HashSet::new(), 0_u64);
        let is_new = |entry: &&TreeEntry| entry.mode != Mode::Submodule && !known.contains(&entry.id);
        for entry in tree.entries.iter().filter(is_new) {
            let size = self.top.join(&entry.path).symlink_metadata().map_or(0, |meta| meta.len());
            if size > limits.file {
                left_out.push(LeftOut { path: entry.path.to_string_lossy().into_owned(), bytes: size });
            } else if seen.insert(entry.id) {
                wanted.push(entry);
                total += size;
            }
        }
        if wanted.len() > limits.files {
            return Err(format!("{} files are in no commit, and at most {} are kept", wanted.len(), limits.files));
        }
        if total > limits.total {
            let (total, most) = (total >> 20, limits.total >> 20);
            return Err(format!("{total} MiB of files are in no commit, and at most {most} MiB are kept"));
        }
        Ok((wanted, left_out))
    }

    /// Removes a name. Its objects stay until [`Repo::sweep`].
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if its file cannot be removed, `Input` for an invalid name.
    pub fn release(&self, name: &str) -> Result<()> {
        check(name)?;
        Ok(self.remove_kept(name)?)
    }

    /// The folder of the objects.
    pub(super) fn kept_objects(&self) -> PathBuf {
        self.kept_folder().join("objects")
    }

    fn kept_folder(&self) -> PathBuf {
        self.common_dir.join("plan/checkpoints")
    }

    /// Creates the folders, accessible to this user only. Refuses a link on the way, because it would lead the files elsewhere.
    fn make_kept_folder(&self) -> RepoResult<PathBuf> {
        let folder = self.kept_folder();
        let above = self.common_dir.join("plan");
        for step in [above, folder.clone(), folder.join("kept"), folder.join("objects")] {
            private(&step).map_err(|error| RepoError::Write { path: step.clone(), error })?;
        }
        Ok(folder.join("objects"))
    }
}

/// Whether the object is in the folder already. If so, it is marked as new again, so that no sweep removes it meanwhile.
fn is_there(folder: &Path, id: ObjectId) -> bool {
    let name = id.to_string();
    let path = folder.join(&name[..2]).join(&name[2..]);
    std::fs::File::open(path).is_ok_and(|file| file.set_modified(std::time::SystemTime::now()).is_ok())
}

/// Creates a folder, or makes an existing one inaccessible to others.
fn private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let meta = folder.symlink_metadata()?;
    if !meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "expected a folder of `plan`'s own"));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        std::fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Accepts only the name of one visible file.
fn check(name: &str) -> RepoResult<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let fits = !name.is_empty() && name.len() <= LONGEST && name.bytes().all(plain);
    if fits { Ok(()) } else { Err(RepoError::KeptName { name: name.to_owned() }) }
}
