//! Finds the base of a goal.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Base, BaseOrigin, CommitUnderStart, Files, name, sign_off_ref};
use crate::error::Result;
use crate::plan::contract::{GoalContract, goal_contract};
use crate::plan::history;
use crate::plan::log::{SignOff, StartLine};
use crate::plan::model::{GoalRef, Plan};
use crate::plan::parse;
use crate::repo::{LeftOut, Mode, ObjectId, Repo, TreeEntry, sort_entries};
use crate::store::Place;

/// The maximum number of versions of the plan file that are searched for the first one that holds a goal.
const VERSIONS: usize = 1000;
/// The maximum size of a plan file that is searched, in bytes.
const LARGEST: u64 = 4 << 20;
/// The maximum number of files that are tried as the old place of a plan that was moved since.
const MOVED: usize = 50;

/// Returns the base of a goal; `now` is the tree of the current files. `None` if there is nothing to compare them with: no commit,
/// and no start whose files are here. Runs one process if the goal began on a commit's files, four if on other files, more if it
/// was never started.
///
/// # Errors
/// [`Kind::Unknown`](crate::error::Kind) if git fails.
pub fn find(repo: &Repo, place: &Place, goal: GoalRef<'_, '_>, now: ObjectId) -> Result<Option<Base>> {
    let _open = repo.keep_open();
    let finder = Finder { repo, plan_file: plan_file(repo, place) };
    let id = goal.id().unwrap_or_default();
    let starts = history::starts(goal.plan(), id);
    let Some(begin) = starts.first().filter(|begin| begin.tree != "none") else {
        return finder.by_history(goal, now, false);
    };
    let Some(mut base) = finder.started(id, begin)? else { return finder.by_history(goal, now, true) };
    if let Some(under_start) = &mut base.under_start {
        under_start.signed = finder.is_signed(goal.plan(), begin.tree)?;
    }
    // Work under a goal that was given up and added again is not the work of the new goal.
    let is_own = || history::abandoned_start(goal.plan(), id).is_none();
    if let Some(under) = base.under_start.take_if(|under| is_late(begin, &base.files, under, now) && is_own()) {
        return Ok(Some(self::base(BaseOrigin::StartedLate(under.commit), under.files)));
    }
    if base.origin == BaseOrigin::Start {
        finder.merge(id, begin, &mut base)?;
    }
    Ok(Some(base))
}

/// Returns a revision as a base, with which an audit compares a goal. `moved` is the path of the plan file at that
/// revision, if it was elsewhere. Runs one process.
///
/// # Errors
/// [`Kind::Unknown`](crate::error::Kind) if git fails.
pub fn of_revision(repo: &Repo, place: &Place, name: &str, commit: ObjectId, moved: Option<&Path>) -> Result<Base> {
    let finder = Finder { repo, plan_file: plan_file(repo, place) };
    let mut entries = repo.entries(commit)?;
    entries.retain(|entry| Some(entry.path.as_path()) != moved);
    Ok(base(BaseOrigin::Revision(name.to_owned()), finder.files(entries)?))
}

/// Returns the files of a commit if they have this tree; both are given by 12 digits. Runs one process.
///
/// # Errors
/// [`Kind::Unknown`](crate::error::Kind) if git fails.
pub fn of_commit(repo: &Repo, place: &Place, at: &str, tree: &str) -> Result<Option<Files>> {
    Finder { repo, plan_file: plan_file(repo, place) }.of_commit(at, tree)
}

/// Returns the plan file as it is in a commit; `None` if it is not there. Two processes.
///
/// # Errors
/// [`Kind::Unknown`](crate::error::Kind) if git fails.
pub fn plan_at(repo: &Repo, place: &Place, commit: ObjectId) -> Result<Option<Vec<u8>>> {
    repo.file_at(commit, &plan_file(repo, place))
}

fn plan_file(repo: &Repo, place: &Place) -> PathBuf {
    place.file.strip_prefix(repo.top()).unwrap_or(&place.file).to_owned()
}

fn base(origin: BaseOrigin, files: Files) -> Base {
    Base { origin, files, under_start: None, left_out: Vec::new(), merged: None }
}

pub(super) struct Finder<'r> {
    pub(super) repo: &'r Repo,
    pub(super) plan_file: PathBuf,
}

impl Finder<'_> {
    /// Returns the base that the first start since the goal began names, as far as it is here.
    fn started(&self, id: &str, begin: &StartLine<'_>) -> Result<Option<Base>> {
        let stood_on = Some(begin.at.trim_end_matches('+')).filter(|at| *at != "none");
        let is_clean = !begin.at.ends_with('+');
        if let Some(at) = stood_on.filter(|_| is_clean)
            && let Some(files) = self.of_commit(at, begin.tree)?
        {
            return Ok(Some(base(BaseOrigin::Start, files)));
        }
        let own = match self.repo.entries_of(begin.tree)? {
            Some(entries) => Some(self.files(entries)?).filter(|files| files.id.short() == begin.tree),
            None => None,
        };
        let under_start = match stood_on.filter(|_| !is_clean || own.is_none()) {
            Some(at) => self.commit(at)?,
            None => None,
        };
        let own = match own {
            Some(files) => {
                self.left_out(id, &files, under_start.as_ref().map(|(_, under)| under))?.map(|out| (files, out))
            }
            None => None,
        };
        let own = match own {
            None if !is_clean => self.committed_with(id, begin)?.map(|files| (files, Vec::new())),
            own => own,
        };
        Ok(match (own, under_start) {
            (Some((files, left_out)), under_start) => {
                let under_start = under_start.filter(|(_, under)| under.id != files.id);
                let under_start = under_start.map(|(commit, files)| CommitUnderStart { commit, files, signed: false });
                Some(Base { under_start, left_out, ..base(BaseOrigin::Start, files) })
            }
            (None, Some((commit, files))) => Some(base(BaseOrigin::Lost(commit), files)),
            (None, None) => None,
        })
    }

    /// Returns the files of a start that were in no commit then, if the first commit with the start's line has them: the start
    /// was made in another clone.
    fn committed_with(&self, id: &str, begin: &StartLine<'_>) -> Result<Option<Files>> {
        let is_it = |start: &StartLine<'_>| (start.tree, start.at) == (begin.tree, begin.at);
        let has_line = |bytes: &[u8]| {
            memchr::memmem::find(bytes, begin.tree.as_bytes()).is_some()
                && parse(bytes).is_ok_and(|plan| history::starts(&plan, id).iter().any(is_it))
        };
        let Some(commit) = self.repo.first_version(&self.plan_file, VERSIONS, LARGEST, &has_line)? else {
            return Ok(None);
        };
        Ok(Some(self.files_of(commit)?).filter(|files| files.id.short() == begin.tree))
    }

    /// Returns the files of a start that were too large to be kept, so that their contents are not here. `None` if
    /// other contents are missing as well: then somebody has removed them, and the start is not here.
    fn left_out(&self, id: &str, files: &Files, under: Option<&Files>) -> Result<Option<Vec<LeftOut>>> {
        let known: HashSet<ObjectId> = under.iter().flat_map(|files| &files.entries).map(|entry| entry.id).collect();
        let is_own = |entry: &&TreeEntry| entry.mode != Mode::Submodule && !known.contains(&entry.id);
        let own: Vec<&TreeEntry> = files.entries.iter().filter(is_own).collect();
        let missing = self.repo.missing(&own.iter().map(|entry| entry.id).collect::<Vec<_>>())?;
        let mut left_out = Vec::new();
        if !missing.is_empty() {
            let kept = self.repo.kept(&name(id, &files.id.short())).map(|kept| kept.left_out).unwrap_or_default();
            for entry in own.iter().filter(|entry| missing.contains(&entry.id)) {
                let Some(left) = kept.iter().find(|left| left.is(&entry.path)) else { return Ok(None) };
                left_out.push(left.clone());
            }
        }
        Ok(Some(left_out))
    }

    /// Returns whether a goal was signed off with this tree and left a record of it. Runs one process if the log says so.
    fn is_signed(&self, plan: &Plan<'_>, tree: &str) -> Result<bool> {
        let lines = plan.log_lines().filter_map(|(_, text)| SignOff::read(text));
        let names = lines.filter(|(_, line)| line.tree == tree);
        let names: Vec<String> = names.map(|(id, line)| sign_off_ref(id, line.contract, line.tree)).collect();
        Ok(!self.repo.read_refs(&names)?.is_empty())
    }

    /// Returns the files of a start if they were those of its commit: the tree tells whether they were.
    fn of_commit(&self, at: &str, tree: &str) -> Result<Option<Files>> {
        let Some(entries) = self.repo.entries_of(at)? else { return Ok(None) };
        let files = self.files(entries.clone())?;
        if files.id.short() == tree {
            return Ok(Some(files));
        }
        // The plan file may have been elsewhere then.
        let is_text = |path: &Path| path.extension().is_some_and(|end| end == "md");
        for place in entries.iter().map(|entry| &entry.path).filter(|path| is_text(path)).take(MOVED) {
            let others: Vec<TreeEntry> = entries.iter().filter(|entry| entry.path != *place).cloned().collect();
            let id = self.repo.tree_id(&others)?;
            if id.short() == tree {
                return Ok(Some(Files { id, entries: others }));
            }
        }
        Ok(None)
    }

    /// Returns a commit, named by its first digits, and its files.
    fn commit(&self, digits: &str) -> Result<Option<(String, Files)>> {
        let found = self.repo.commits(&[digits.to_owned()])?;
        let Some(commit) = found.first().copied().flatten() else { return Ok(None) };
        Ok(Some((commit.short(), self.files_of(commit)?)))
    }

    /// Returns the first commit whose plan holds the goal with this contract, else HEAD. If that commit has today's
    /// files and brought them along, returns the commit before it.
    fn by_history(&self, goal: GoalRef<'_, '_>, now: ObjectId, lost: bool) -> Result<Option<Base>> {
        let Some(head) = self.repo.head()? else { return Ok(None) };
        let contract = goal_contract(goal);
        let holds = |bytes: &[u8]| holds(bytes, &contract);
        let first = self.repo.first_version(&self.plan_file, VERSIONS, LARGEST, &holds)?.unwrap_or(head);
        let files = self.files_of(first)?;
        if lost {
            return Ok(Some(base(BaseOrigin::Lost(first.short()), files)));
        }
        if files.id == now
            && let Some(before) = self.repo.parent(first)?
        {
            let before_it = self.files_of(before)?;
            if before_it.id != now {
                return Ok(Some(base(BaseOrigin::BroughtAlong(before.short()), before_it)));
            }
        }
        Ok(Some(base(BaseOrigin::NeverStarted(first.short()), files)))
    }

    pub(super) fn files_of(&self, commit: ObjectId) -> Result<Files> {
        self.files(self.repo.entries(commit)?)
    }

    fn files(&self, mut entries: Vec<TreeEntry>) -> Result<Files> {
        entries.retain(|entry| entry.path != self.plan_file);
        self.sorted(entries)
    }

    /// Returns these files in order, with the id of their tree.
    pub(super) fn sorted(&self, mut entries: Vec<TreeEntry>) -> Result<Files> {
        sort_entries(&mut entries);
        Ok(Files { id: self.repo.tree_id(&entries)?, entries })
    }
}

/// Returns whether a start came after the work: verify was green on files that were in no commit, and no file
/// changed since. Files that another goal was signed off with do not count, because they are not this goal's work.
fn is_late(begin: &StartLine<'_>, start: &Files, under: &CommitUnderStart, now: ObjectId) -> bool {
    begin.verify == "green" && start.id == now && under.files.id != now && !under.signed
}

/// Returns whether a version of the plan has a goal with this contract. A goal that had no id yet is recognized by all else.
fn holds(bytes: &[u8], contract: &GoalContract) -> bool {
    let subject = contract.subject.split(' ').next().unwrap_or_default();
    if memchr::memmem::find(bytes, subject.as_bytes()).is_none() {
        return false;
    }
    let Ok(plan) = parse(bytes) else { return false };
    let id = contract.id.as_deref().unwrap_or_default();
    plan.all_goals().any(|goal| goal_contract(goal).with_id(id).digest == contract.digest)
}
