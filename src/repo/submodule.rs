//! Submodules: repositories below this one, read with the same care and the same environment.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{RepoError, RepoResult};
use super::export::{Export, Layout};
use super::open::{common_dir, git_dir};
use super::reader::Reader;
use super::tree::Submodule;
use super::{ObjectId, Repo};
use crate::error::{Error, Kind, Result};
use crate::shell::quote;

/// The maximum nesting of submodules. Deeper ones are not examined and count as dirty.
const DEEPEST: usize = 8;

impl Repo {
    /// Returns the submodule at a path, and its commit. `None` if it is not checked out. A submodule that cannot be read, or a
    /// folder with files but no repository, is dirty.
    ///
    /// # Errors
    /// Only if git could not run.
    pub(super) fn look_into(&self, path: &Path, depth: usize) -> RepoResult<(Option<Submodule>, Option<ObjectId>)> {
        let unknown = || Submodule { path: path.to_owned(), dirty: true, tree: None };
        let Some(mut repo) = self.inner(path) else {
            let empty = fs::read_dir(self.top.join(path)).is_ok_and(|mut entries| entries.next().is_none());
            return Ok(((!empty).then(unknown), None));
        };
        let Some(head) = or_none_on_error(repo.head_and_tree())?.flatten() else { return Ok((Some(unknown()), None)) };
        repo.format = head.commit.format();
        let tree = if depth < DEEPEST { or_none_on_error(repo.tree_at(&[], depth + 1, None))? } else { None };
        let submodule = Submodule {
            path: path.to_owned(),
            dirty: !tree.as_ref().is_some_and(is_clean),
            tree: tree.map(|tree| tree.id),
        };
        // Our tree cannot hold a commit with another hash.
        Ok((Some(submodule), Some(head.commit).filter(|commit| commit.format() == self.format)))
    }

    /// Writes the files of the submodule at a path, as of one of its commits, into an empty folder.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the submodule does not have the commit; otherwise as [`Export::lay`].
    pub fn export_submodule(&self, path: &Path, commit: ObjectId, folder: &Path) -> Result<()> {
        let repo = self.inner(path).ok_or_else(|| without_commit(path))?;
        let entries = repo.entries_of(&commit.to_string())?.ok_or_else(|| without_commit(path))?;
        Export::new(&repo, folder).lay(&Layout::of(&entries), &|_| false)
    }

    /// The files that differ between two commits of the submodule at a path, relative to it.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the submodule does not have one of the commits.
    pub fn changed_in_submodule(&self, path: &Path, one: ObjectId, other: ObjectId) -> Result<Vec<PathBuf>> {
        let repo = self.inner(path).ok_or_else(|| without_commit(path))?;
        repo.changed_paths(one, other).map_err(|_| without_commit(path))
    }

    /// Opens the repository at a path, with the format of this one. `None` if there is no repository.
    fn inner(&self, path: &Path) -> Option<Repo> {
        let top = self.top.join(path);
        let git_dir = git_dir(&top)?;
        let common_dir = common_dir(&git_dir);
        let (program, format, reader) = (self.program.clone(), self.format, Reader::default());
        Some(Repo { program, top, git_dir, common_dir, format, reader })
    }
}

fn without_commit(path: &Path) -> Error {
    let (shown, quoted) = (path.display(), quote(&path.to_string_lossy()));
    Error::new(Kind::Unknown, format!("the submodule `{shown}` lacks what the goal's start has of it"))
        .hint(format!("`git -C {quoted} fetch --unshallow`"))
}

/// Turns an error into `None`, except an error of the process itself, such as an interrupt.
fn or_none_on_error<T>(result: RepoResult<T>) -> RepoResult<Option<T>> {
    match result {
        Ok(told) => Ok(Some(told)),
        Err(RepoError::Process(error)) => Err(RepoError::Process(error)),
        Err(_) => Ok(None),
    }
}

fn is_clean(tree: &super::Tree) -> bool {
    tree.clean_commit && tree.skipped.is_empty() && tree.dirty_submodules().next().is_none()
}
