//! The earlier version of the plan file: at the base revision, or else at the last commit.

use std::path::{Path, PathBuf};

use crate::error::{Error, Kind, Result};
use crate::plan::{self, parse};
use crate::repo::{ObjectId, Repo};
use crate::store::Place;

/// The number of other Markdown files that are searched if the base revision has no plan file of this name.
const CANDIDATES: usize = 50;
/// The largest older plan file that is read, in bytes (`FORMAT.md` §2).
const LARGEST_PLAN: u64 = 64 << 20;
/// The number of committed versions that are searched for an older contract, newest first.
const VERSIONS: usize = 20;

/// A version of the plan file.
pub(super) struct Past {
    /// The revision as the caller named it; `None` for the last commit.
    pub(super) rev: Option<String>,
    pub(super) commit: ObjectId,
    /// The commit of REV itself, if the histories diverged before it.
    pub(super) beside: Option<ObjectId>,
    /// The earlier path of the file, if it was moved since.
    pub(super) moved: Option<PathBuf>,
    /// The bytes of the file; `None` if it did not exist.
    pub(super) source: Option<Vec<u8>>,
}

impl Past {
    /// Finds the commit to compare with: `base`, or its common ancestor with HEAD if the histories diverged; without `base`,
    /// HEAD. `None` if there is no commit.
    ///
    /// # Errors
    /// [`Kind::Input`] if REV names no commit; [`Kind::Unknown`] if the history is cut off.
    pub(super) fn of(repo: &Repo, place: &Place, base: Option<&str>, source: &[u8]) -> Result<Option<Past>> {
        if repo.is_shallow() {
            return Err(Error::new(Kind::Unknown, "this clone is shallow: an audit needs the whole history")
                .hint("`git fetch --unshallow`; in a GitHub job `fetch-depth: 0` for actions/checkout"));
        }
        let head = repo.head()?;
        let Some(rev) = base else {
            let Some(commit) = head else { return Ok(None) };
            let past = Past { rev: None, commit, beside: None, moved: None, source: None };
            return Ok(Some(past.with_source(repo, place, source)?));
        };
        let Some(named) = repo.revision(rev)? else {
            return Err(Error::input(format!("`--base {}`: no such commit here", rev.escape_debug()))
                .hint("expected a branch, tag or commit, such as `origin/main`; `git fetch` brings missing commits"));
        };
        let common = match head {
            Some(head) => repo.merge_base(named, head)?.unwrap_or(named),
            None => named,
        };
        let beside = (common != named).then_some(named);
        let past = Past { rev: Some(rev.to_owned()), commit: common, beside, moved: None, source: None };
        Ok(Some(past.with_source(repo, place, source)?))
    }

    fn with_source(mut self, repo: &Repo, place: &Place, now: &[u8]) -> Result<Past> {
        let path = repo.relative(&place.file)?;
        self.source = repo.file_at(self.commit, &path)?;
        if self.source.is_none() {
            (self.moved, self.source) = self.elsewhere(repo, &path, now)?.unzip();
        }
        Ok(self)
    }

    /// Finds the file under another name: a path that is now a link to the plan file, whatever its content was; otherwise a
    /// file that no longer exists and shares goals with the current plan.
    fn elsewhere(&self, repo: &Repo, path: &Path, now: &[u8]) -> Result<Option<(PathBuf, Vec<u8>)>> {
        let today = repo.top().join(path);
        let kind = |file: &Path| repo.top().join(file).symlink_metadata().map(|meta| meta.file_type());
        let is_file = |file: &Path| kind(file).is_ok_and(|kind| kind.is_file());
        let leads_here = |file: &Path| {
            kind(file).is_ok_and(|kind| kind.is_symlink())
                && repo
                    .top()
                    .join(file)
                    .canonicalize()
                    .is_ok_and(|real| today.canonicalize().is_ok_and(|own| own == real))
        };
        let mut files = repo.markdown_files(self.commit)?;
        files.retain(|(file, _)| file != path && !is_file(file));
        // Likely files come first: many moved files must not push the plan out of the candidates.
        files.sort_by_cached_key(|(file, _)| (!leads_here(file), file.file_name() != path.file_name()));
        files.truncate(CANDIDATES);
        let ids: Vec<ObjectId> = files.iter().map(|(_, id)| *id).collect();
        let mut blobs = repo.small_blobs(&ids, LARGEST_PLAN)?;
        if let Some((file, id)) = files.first().filter(|(file, _)| leads_here(file)) {
            return Ok(blobs.remove(id).map(|bytes| (file.clone(), bytes)));
        }
        let own = ids_of(now);
        let shared = |id: &ObjectId| {
            blobs.get(id).map_or(0, |bytes| ids_of(bytes).iter().filter(|id| own.contains(*id)).count())
        };
        let best = files.into_iter().map(|(file, id)| (shared(&id), file, id)).max_by_key(|(count, ..)| *count);
        Ok(best.filter(|(count, ..)| *count > 0).and_then(|(_, file, id)| Some((file, blobs.remove(&id)?))))
    }

    /// Returns the revision's name for messages.
    pub(super) fn name(&self) -> String {
        self.rev.clone().unwrap_or_else(|| "the last commit".to_owned())
    }

    /// Parses the file; an error if it cannot be read, because then it cannot be compared.
    pub(super) fn plan(&self) -> Result<Option<plan::Plan<'_>>> {
        let Some(source) = &self.source else { return Ok(None) };
        parse(source).map(Some).map_err(|error| {
            let what = format!("the plan file of {} cannot be read: {}", self.name(), error.message);
            Error::new(Kind::Unknown, what).hint("name a revision with a whole plan file")
        })
    }
}

/// Returns the newest committed versions of the plan file. Starts four processes.
pub(super) fn versions(repo: &Repo, file: &Path) -> Vec<Vec<u8>> {
    repo.versions(file, VERSIONS, LARGEST_PLAN).unwrap_or_default()
}

fn ids_of(source: &[u8]) -> std::collections::BTreeSet<String> {
    let Ok(plan) = parse(source) else { return Default::default() };
    plan.all_goals().filter_map(|goal| goal.id()).map(str::to_owned).collect()
}
