//! Compares the goals done since the base with the files of the base. The branch's own record of its start is not used
//! (`SIGNOFF.md` §8).

use std::path::{Path, PathBuf};

use super::facts::{AuditFacts, DoneGoal, status_at};
use super::finding::{AuditFinding, names};
use super::refs::Refs;
use crate::base::{self, Base};
use crate::error::Result;
use crate::gate::harness::Harness;
use crate::plan::history;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::repo::{Changed, PathChange, Repo, Tree, changes};
use crate::store::Place;
use crate::verify::stage1::CommandLine;

/// The largest test or makefile of the base that is read, in bytes.
const LARGEST: u64 = 256 << 10;

/// A goal that was done since the base.
#[derive(Clone, Copy)]
pub(super) struct NewlyDoneGoal<'s> {
    pub(super) done: &'s DoneGoal<'s>,
    /// The goal as the base has it; `None` if it is new.
    pub(super) then: Option<GoalRef<'s, 's>>,
}

/// The files of the base and the current files.
pub(super) struct ComparedFiles {
    pub(super) base: Base,
    pub(super) now: Tree,
    /// The differences between them, without the plan file.
    pub(super) changed: Vec<Changed>,
}

/// Returns the goals that were done since the base; without a base, every done goal.
pub(super) fn done_since<'s>(facts: &'s AuditFacts<'s>) -> Vec<NewlyDoneGoal<'s>> {
    let then = facts.base().and_then(|then| then.plan);
    let known = facts.base().map(|then| then.known()).unwrap_or_default();
    let all =
        facts.done.iter().map(|done| NewlyDoneGoal { done, then: then.and_then(|plan| goal_then(plan, done.goal)) });
    // A goal is new if it was not done at the base, or if its sign-off line is not in the base's log.
    let is_new = |since: &NewlyDoneGoal<'_>| {
        let was_done = since.then.is_some_and(|old| old.status() == Status::Done);
        let line = since.done.line.and_then(|(at, _)| facts.log.iter().find(|line| line.at == at));
        !was_done || line.is_some_and(|line| !known.contains(&line.key()))
    };
    all.filter(is_new).collect()
}

/// Finds a goal in an older plan: by its id, or by its subject if it had no id then.
pub(super) fn goal_then<'p, 'a>(plan: &'p Plan<'a>, goal: GoalRef<'_, '_>) -> Option<GoalRef<'p, 'a>> {
    let by_id = goal.id().and_then(|id| super::facts::same_goal(plan, id));
    let by_subject = || {
        let mut same = plan.all_goals().filter(|old| old.id().is_none() && old.subject() == goal.subject());
        same.next().filter(|_| same.next().is_none())
    };
    by_id.or_else(by_subject)
}

impl ComparedFiles {
    /// Reads the files of both; `None` if the caller named no base. Starts four processes.
    pub(super) fn of(facts: &AuditFacts<'_>, repo: Option<&Repo>, place: &Place) -> Result<Option<ComparedFiles>> {
        let (Some(then), Some(repo)) = (facts.base(), repo) else { return Ok(None) };
        let past = then.past;
        let base = base::of_revision(repo, place, &past.name(), past.commit, past.moved.as_deref())?;
        let now = repo.tree(&[&place.file])?;
        let changed = changes(&base.files.entries, &now.entries);
        Ok(Some(ComparedFiles { base, now, changed }))
    }

    /// Returns true if no file except the plan file differs.
    pub(super) fn is_unchanged(&self) -> bool {
        self.changed.is_empty()
    }

    /// Returns the tests and harness files of the base that were changed or removed, except files that the base's goal may change.
    fn tests(&self, since: NewlyDoneGoal<'_>, repo: &Repo, place: &Place) -> Vec<&Path> {
        let goal = since.then.unwrap_or(since.done.goal);
        let line = goal.verify().and_then(|line| CommandLine::read(&line).ok());
        let root: PathBuf = place.root.strip_prefix(repo.top()).map(Path::to_owned).unwrap_or_default();
        let read = |path: &Path| {
            let entry = self.base.files.entries.iter().find(|entry| entry.path == path)?;
            repo.contents(&[entry.id], LARGEST).ok()?.pop().flatten()
        };
        let harness = Harness::of(line.as_ref().map(|line| &line.sequence), &root, &goal.may_change(), &read);
        let was_there = self.changed.iter().filter(|one| one.change != PathChange::Added).map(|one| one.path.as_path());
        was_there.filter(|path| harness.is_harness(path) && !harness.may_change(path)).collect()
    }
}

/// Finds problems of goals that were done since the base, without running anything.
pub(super) fn find(
    facts: &AuditFacts<'_>,
    compared: &ComparedFiles,
    repo: &Repo,
    place: &Place,
    found: &mut Vec<AuditFinding>,
) {
    for since in done_since(facts) {
        let (goal, name) = (since.done.goal, compared.base.origin.to_string());
        let at = status_at(goal);
        if compared.is_unchanged() {
            let seen = format!("{} was done since {name}, and only the plan file differs from {name}", goal.name());
            let resolve = format!(
                "put the work on this branch; if it is in {name} already, name an earlier revision with `--base`"
            );
            let expected = format!("files that differ from {name}");
            found.push(AuditFinding::new("no-change", at, seen, expected, resolve).of(goal.name()));
        }
        if since.then.is_none() {
            let seen = format!("{} is not in {name}: its verify and `may_change` come from this branch", goal.name());
            let resolve = "read them as a part of the change";
            found.push(AuditFinding::note("goal-new", at, seen, format!("a goal of {name}"), resolve).of(goal.name()));
        }
        let tests = compared.tests(since, repo, place);
        if !tests.is_empty() {
            let tests = names(tests.iter().map(|path| path.to_str().unwrap_or("?")));
            let seen = format!("{}: tests or harness of {name} were changed or removed: {tests}", goal.name());
            let expected = format!("the tests of {name}");
            let resolve = format!("`plan audit --base {name} --rerun` runs verify with those of {name}");
            found.push(AuditFinding::note("tests-changed", at, seen, expected, resolve).of(goal.name()));
        }
        found.extend(facts.refs.and_then(|refs| unrecorded(refs, goal, at)));
    }
}

/// Returns a finding if the log mentions a start whose record is not here.
fn unrecorded(refs: &Refs, goal: GoalRef<'_, '_>, at: usize) -> Option<AuditFinding> {
    let id = goal.id()?;
    let begin = history::starts(goal.plan(), id).into_iter().rfind(|begin| begin.tree != "none")?;
    if refs.start(id, &begin).is_some() {
        return None;
    }
    let name = crate::base::StartRecord::reference(id, &begin);
    let seen = format!("the log says that {id} was started, and its record `{name}` is missing");
    let resolve = "`plan audit --fetch origin`, if its author has pushed the record with `plan audit --push origin`";
    Some(AuditFinding::new("no-start-record", at, seen, "a record of each start of a done goal", resolve).of(id))
}
