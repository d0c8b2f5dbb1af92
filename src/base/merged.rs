//! The changes from the remote's default branch since the goal's start: they are not this goal's work.
//!
//! The base is the start with that branch merged in, file by file: if the start had a file as it was when the histories parted,
//! the base has it as the branch has it now. A local branch does not count, because anyone who works here can make one. Nor does
//! work of this goal that was merged already: the plan on the branch would name its start. A worker here can write `origin/main` as
//! well as fetch it; `audit --base origin/main --rerun` elsewhere compares the work with the real one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::find::Finder;
use super::{Base, Files};
use crate::error::Result;
use crate::plan::history;
use crate::plan::log::StartLine;
use crate::plan::parse;
use crate::repo::{ObjectId, TreeEntry, changes, find_entry};

/// The changes that came by merging or rebasing on the remote's default branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The name of the branch: `origin/main`.
    pub branch: String,
    /// The newest commit of the branch that HEAD contains, 12 digits.
    pub commit: String,
    /// The files that the base takes from the branch.
    pub files: Vec<PathBuf>,
}

/// The tip of the branch that was merged, and the commit where the histories parted.
struct MergePoint {
    branch: String,
    tip: ObjectId,
    fork: ObjectId,
}

impl Finder<'_> {
    /// Adds to the base of goal `id`, which began with this start, the changes that came since. Runs some processes if
    /// something came, two if nothing came, none without a remote.
    pub(super) fn merge(&self, id: &str, begin: &StartLine<'_>, base: &mut Base) -> Result<()> {
        let Some(point) = self.merge_point(id, begin)? else { return Ok(()) };
        let (old, new) = (self.files_of(point.fork)?.entries, self.files_of(point.tip)?.entries);
        let came: HashMap<PathBuf, Option<&TreeEntry>> =
            changes(&old, &new).into_iter().map(|one| (one.path.clone(), find_entry(&new, &one.path))).collect();
        if let Some(under_start) = &mut base.under_start {
            self.take(&came, &old, &mut under_start.files)?;
        }
        let files = self.take(&came, &old, &mut base.files)?;
        base.left_out.retain(|left| !files.iter().any(|path| left.is(path)));
        let is_any = !files.is_empty();
        base.merged = is_any.then(|| Merged { branch: point.branch, commit: point.tip.short(), files });
        Ok(())
    }

    fn merge_point(&self, id: &str, begin: &StartLine<'_>) -> Result<Option<MergePoint>> {
        let Some((branch, upstream)) = self.repo.upstream()? else { return Ok(None) };
        let stood_on = self.repo.commits(&[begin.at.trim_end_matches('+').to_owned()])?.first().copied().flatten();
        let Some((stood_on, head)) = stood_on.zip(self.repo.head()?) else { return Ok(None) };
        let Some(tip) = self.repo.merge_base(head, upstream)? else { return Ok(None) };
        // HEAD has nothing that the branch lacks: the goal's own work may have been merged.
        if tip == head {
            return Ok(None);
        }
        let Some(fork) = self.repo.merge_base(stood_on, tip)?.filter(|fork| *fork != tip) else { return Ok(None) };
        // Whoever works on the branch itself pushes their own work there.
        let is_own = self.repo.branch()?.is_some_and(|own| own == branch) || self.knows(id, begin, tip, head)?;
        Ok((!is_own).then(|| MergePoint { branch: format!("origin/{branch}"), tip, fork }))
    }

    /// Returns whether the plan at this commit names the start, so that work of this goal may be there too. A plan that
    /// is in no commit cannot tell, and counts as yes.
    fn knows(&self, id: &str, begin: &StartLine<'_>, tip: ObjectId, head: ObjectId) -> Result<bool> {
        let Some(bytes) = self.repo.file_at(tip, &self.plan_file)? else {
            return Ok(self.repo.file_at(head, &self.plan_file)?.is_none());
        };
        let is_it = |start: &StartLine<'_>| (start.contract, start.tree) == (begin.contract, begin.tree);
        Ok(parse(&bytes).map_or(true, |plan| history::every_start(&plan, id).iter().any(is_it)))
    }

    /// Takes over the files that `came`, if they were as in `old`; returns their paths.
    fn take(
        &self,
        came: &HashMap<PathBuf, Option<&TreeEntry>>,
        old: &[TreeEntry],
        files: &mut Files,
    ) -> Result<Vec<PathBuf>> {
        let state = |entries: &[TreeEntry], path: &Path| find_entry(entries, path).map(|entry| (entry.mode, entry.id));
        let is_as_old = |path: &&PathBuf| state(&files.entries, path) == state(old, path);
        let mut taken: Vec<PathBuf> = came.keys().filter(is_as_old).cloned().collect();
        taken.sort();
        let is_left = |entry: &&TreeEntry| taken.binary_search(&entry.path).is_err();
        let mut entries: Vec<TreeEntry> = files.entries.iter().filter(is_left).cloned().collect();
        entries.extend(taken.iter().filter_map(|path| came.get(path).copied().flatten().cloned()));
        // A file of the start may be in the place of a folder that came.
        let Ok(merged) = self.sorted(entries) else { return Ok(Vec::new()) };
        *files = merged;
        Ok(taken)
    }
}
