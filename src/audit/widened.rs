//! Excuses a `may_change` that was widened for files that a merge brought. `complete` compares the work with its start,
//! so files that came from the base after the start differ. Compared with the base, they do not differ.

use std::path::{Path, PathBuf};

use super::facts::{AuditFacts, DoneGoal};
use super::finding::{AuditFinding, AuditLevel};
use super::rerun::RerunResult;
use super::since::{ComparedFiles, goal_then};
use crate::base;
use crate::error::Result;
use crate::gate::harness::Harness;
use crate::plan::contract::{Amendment, Effect, goal_contract};
use crate::plan::history;
use crate::repo::{Changed, Repo, TreeEntry, changes};
use crate::store::Place;

/// Turns `contract-changed` into a note if `may_change` was widened only for files that a merge brought, and nothing else asks for
/// less. Then no file that the new globs match differs from the base, neither now nor at the sign-off, and each new glob matches a
/// file that differs between the start and the base. If this is not known of the start, or not shown of the sign-off, a rerun of
/// verify that nothing blocks is enough: it gives no permission that the base does not give.
pub(super) fn excuse(
    facts: &AuditFacts<'_>,
    compared: &ComparedFiles,
    (repo, place): (&Repo, &Place),
    reruns: &[RerunResult],
    found: &mut [AuditFinding],
) -> Result<()> {
    let name = compared.base.origin.to_string();
    for finding in found.iter_mut().filter(|finding| finding.counts() && finding.code == "contract-changed") {
        let of = |done: &&DoneGoal<'_>| finding.goal.as_deref() == Some(done.goal.name());
        let Some(done) = facts.done.iter().find(of) else { continue };
        let Some(globs) = widened(facts, done) else { continue };
        let names = |globs: &[String], changed: &[Changed]| {
            let root: PathBuf = place.root.strip_prefix(repo.top()).map(Path::to_owned).unwrap_or_default();
            let allowed = Harness::of(None, &root, globs, &|_| None);
            changed.iter().any(|changed| allowed.may_change(&changed.path))
        };
        let started = started(done, repo)?.map(|entries| changes(&entries, &compared.base.files.entries));
        let came = started.map(|came| globs.iter().all(|glob| names(std::slice::from_ref(glob), &came)));
        if names(&globs, &compared.changed) || came == Some(false) {
            continue;
        }
        let is_green =
            |rerun: &RerunResult| rerun.goal == done.goal.name() && !rerun.blocked && rerun.not_run.is_none();
        let signed =
            signed(done, compared, repo, place)?.map(|entries| changes(&compared.base.files.entries, &entries));
        let is_known = came.is_some() && signed.is_some_and(|changed| !names(&globs, &changed));
        if is_known || reruns.iter().any(is_green) {
            finding.level = AuditLevel::Note;
            finding.seen = format!("{}; the files that it names are those of {name}", finding.seen);
            "nothing to do: the change to be merged does not touch these files".clone_into(&mut finding.resolve);
        } else {
            finding.resolve = format!(
                "`plan audit --base {name} --rerun` runs verify again; the files that `may_change` names are those of {name} \
                 now, and what they were at the sign-off is not known here"
            );
        }
    }
    Ok(())
}

/// Returns the globs that `may_change` gained since the base; `None` if there are none, or if the contract asks for less elsewhere.
fn widened(facts: &AuditFacts<'_>, done: &DoneGoal<'_>) -> Option<Vec<String>> {
    let id = done.goal.id().unwrap_or_default();
    let old = goal_contract(goal_then(facts.base()?.plan?, done.goal)?).with_id(id);
    let mut is = goal_contract(done.goal);
    let more: Vec<String> = is.may_change.iter().filter(|glob| !old.may_change.contains(glob)).cloned().collect();
    is.may_change.clone_from(&old.may_change);
    let rest = Amendment::between(&old, &is);
    let is_wider = rest.is_none_or(|rest| rest.effect == Effect::Tightened || rest.what.is_empty());
    Some(more).filter(|more| is_wider && !more.is_empty())
}

/// Returns the files of the commit that the goal was started on, if this clone has them.
fn started(done: &DoneGoal<'_>, repo: &Repo) -> Result<Option<Vec<TreeEntry>>> {
    let starts = history::starts(done.goal.plan(), done.goal.name());
    starts.first().map_or(Ok(None), |start| repo.entries_of(start.at.trim_end_matches('+')))
}

/// Returns the files that were signed off, if they are available.
fn signed(done: &DoneGoal<'_>, compared: &ComparedFiles, repo: &Repo, place: &Place) -> Result<Option<Vec<TreeEntry>>> {
    let Some((_, line)) = done.line else { return Ok(None) };
    if compared.now.id.short() == line.tree {
        return Ok(Some(compared.now.entries.clone()));
    }
    Ok(base::of_commit(repo, place, line.at, line.tree)?.map(|files| files.entries))
}
