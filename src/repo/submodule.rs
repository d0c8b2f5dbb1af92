//! Submodules: repositories below this one, read with the same care and the same environment.

use std::fs;
use std::path::Path;

use super::error::RepoError;
use super::open::{common_dir, git_dir};
use super::reader::Reader;
use super::tree::Submodule;
use super::{ObjectId, Repo};

/// How deep submodules may nest; deeper ones count as dirty without a look.
const DEEPEST: usize = 8;

impl Repo {
    /// The submodule at a path, and its commit. None if it is not checked out. A submodule that cannot be read, or a
    /// folder with files but no repository, is dirty.
    ///
    /// # Errors
    /// Only if git could not run.
    pub(super) fn look_into(
        &self,
        path: &Path,
        depth: usize,
    ) -> Result<(Option<Submodule>, Option<ObjectId>), RepoError> {
        let top = self.top.join(path);
        let unknown = || Submodule { path: path.to_owned(), dirty: true, tree: None };
        let Some(git_dir) = git_dir(&top) else {
            let empty = fs::read_dir(&top).is_ok_and(|mut entries| entries.next().is_none());
            return Ok(((!empty).then(unknown), None));
        };
        let common_dir = common_dir(&git_dir);
        let (program, format, reader) = (self.program.clone(), self.format, Reader::default());
        let mut repo = Repo { program, top, git_dir, common_dir, format, reader };
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
}

/// Turns an error into none, except an interrupt.
fn or_none_on_error<T>(result: Result<T, RepoError>) -> Result<Option<T>, RepoError> {
    match result {
        Ok(told) => Ok(Some(told)),
        Err(RepoError::Process(error)) => Err(RepoError::Process(error)),
        Err(_) => Ok(None),
    }
}

fn is_clean(tree: &super::Tree) -> bool {
    tree.clean_commit && tree.skipped.is_empty() && tree.dirty_submodules().next().is_none()
}
