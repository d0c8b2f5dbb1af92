//! What came from the remote's default branch since the goal's start: it is not this goal's work.
//!
//! The base is the start with that branch merged in, file by file: where the start had a file as it was when the histories parted,
//! the base has it as the branch has it now. A local branch does not count, because whoever works here can make one. Nor does work
//! of this goal that was merged already: the plan there would name its start. What `origin/main` names can be written here as well
//! as fetched; `audit --base origin/main --rerun` elsewhere holds the work against the real one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::find::Finder;
use super::{Base, Files};
use crate::error::Result;
use crate::plan::history;
use crate::plan::log::StartLine;
use crate::plan::parse;
use crate::repo::{ObjectId, TreeEntry, changes, find_entry};

/// What came by merging or rebasing on the remote's default branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// `origin/main`.
    pub branch: String,
    /// The newest commit of it that HEAD holds, 12 digits.
    pub commit: String,
    /// The files that the base has from there.
    pub files: Vec<PathBuf>,
}

/// Where the branch stands that was merged, and where the histories parted.
struct MergePoint {
    branch: String,
    tip: ObjectId,
    fork: ObjectId,
}

impl Finder<'_> {
    /// Adds to the base of goal `id`, which began with this start, what came since. Some processes where something came, two
    /// where nothing did, none without a remote.
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
        // Nothing here that is not there too: the goal's own work may have been merged.
        if tip == head {
            return Ok(None);
        }
        let Some(fork) = self.repo.merge_base(stood_on, tip)?.filter(|fork| *fork != tip) else { return Ok(None) };
        // Who works on the branch itself pushes his own work there.
        let is_own = self.repo.branch()?.is_some_and(|own| own == branch) || self.knows(id, begin, tip, head)?;
        Ok((!is_own).then(|| MergePoint { branch: format!("origin/{branch}"), tip, fork }))
    }

    /// Whether the plan at this commit names the start, so that work of this goal may stand there too. A plan that is in no
    /// commit says nothing.
    fn knows(&self, id: &str, begin: &StartLine<'_>, tip: ObjectId, head: ObjectId) -> Result<bool> {
        let Some(bytes) = self.repo.file_at(tip, &self.plan_file)? else {
            return Ok(self.repo.file_at(head, &self.plan_file)?.is_none());
        };
        let is_it = |start: &StartLine<'_>| (start.contract, start.tree) == (begin.contract, begin.tree);
        Ok(parse(&bytes).map_or(true, |plan| history::every_start(&plan, id).iter().any(is_it)))
    }

    /// Takes over the files that `came`, where they were as in `old`; returns their paths.
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
        // A file of the start may stand where a folder came.
        let Ok(merged) = self.sorted(entries) else { return Ok(Vec::new()) };
        *files = merged;
        Ok(taken)
    }
}
