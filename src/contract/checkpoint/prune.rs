//! Decides which checkpoints stay (`CONTRACT.md` §5.5).

use std::collections::BTreeSet;
use std::time::Duration;

use super::document;
use super::record::{self, Checkpoint, Kind};
use crate::plan::model::Plan;
use crate::repo::{KeptTree, Repo};
use crate::store::Place;

/// The age, in seconds, after which an unprotected checkpoint is removed.
const KEPT: u64 = 30 * 24 * 60 * 60;
/// The maximum number of checkpoints.
const MOST: usize = 100;
/// The maximum number of bytes of objects.
const BYTES: u64 = 1 << 30;
/// The number of protected checkpoints from before a rewind; only one if no goal above the archive has a step.
const BEFORE: usize = 10;
/// Younger trees and objects stay: they may belong to a checkpoint that another process is writing.
const FRESH: Duration = Duration::from_secs(60 * 60);

/// Removes checkpoints that are old or too many, and the objects that only they need. Returns a line for the user if a limit made it remove
/// one. A checkpoint that cannot be removed now is removed the next time.
pub fn prune(repo: &Repo, place: &Place, plan: &Plan<'_>) -> Option<String> {
    let listed = document::list(place);
    if listed.iter().any(Result::is_err) {
        // The record of a newer version may name trees that only that version knows.
        return None;
    }
    let all: Vec<Checkpoint> = listed.into_iter().flatten().collect();
    let now = record::now();
    let protected = protected(&all, plan);
    let is_over = |one: &&Checkpoint| !protected.contains(&one.number) && now.saturating_sub(one.taken) > KEPT;
    let mut goes: BTreeSet<u32> = all.iter().filter(is_over).map(|one| one.number).collect();
    let over = (all.len() - goes.len()).saturating_sub(MOST);
    let is_large = all.len() > 1 && repo.kept_bytes() > BYTES;
    // The newest stays whatever the limits say.
    let rest: Vec<u32> =
        all.iter().rev().skip(1).rev().map(|one| one.number).filter(|one| !goes.contains(one)).collect();
    let more = over.max(if is_large { rest.len().div_ceil(4) } else { 0 });
    goes.extend(rest.iter().take(more));
    if goes.is_empty() {
        return None;
    }
    for number in &goes {
        let _ = document::remove(place, *number);
    }
    let left: BTreeSet<String> = all
        .iter()
        .filter(|one| !goes.contains(&one.number))
        .map(|one| record::kept_name(repo, place, &one.tree.short()))
        .collect();
    release(repo, place, &left);
    let _ = if is_large { repo.sweep_older(FRESH) } else { repo.sweep() };
    (more > 0)
        .then(|| format!("note: {more} old checkpoints were removed: at most {MOST} and {} GiB are kept", BYTES >> 30))
}

/// The checkpoints that stay at any age.
fn protected(all: &[Checkpoint], plan: &Plan<'_>) -> BTreeSet<u32> {
    let steps: BTreeSet<String> =
        plan.all_steps().filter(|step| !step.goal().raw().archived).map(|step| step.name()).collect();
    let before = if steps.is_empty() { 1 } else { BEFORE };
    let newest = |is: &dyn Fn(&Checkpoint) -> bool, count: usize| -> Vec<u32> {
        all.iter().rev().filter(|one| is(one)).take(count).map(|one| one.number).collect()
    };
    let mut kept: BTreeSet<u32> =
        newest(&|one| matches!(one.kind, Kind::Before | Kind::Halfway), before).into_iter().collect();
    kept.extend(newest(&|one| one.kind == Kind::Start, 1));
    for step in &steps {
        kept.extend(newest(&|one| one.kind == Kind::Step && one.step.as_deref() == Some(step), 1));
    }
    kept
}

/// Releases the trees that no checkpoint needs: those of this plan, and those of work trees that no longer exist.
fn release(repo: &Repo, place: &Place, left: &BTreeSet<String>) {
    let ours = record::kept_prefix(repo, place);
    let linked = std::fs::read_dir(repo.common_dir().join("worktrees")).into_iter().flatten().flatten();
    let mut alive: Vec<String> = linked
        .map(|entry| record::work_tree(&entry.path(), repo.common_dir()))
        .map(|one| format!("checkpoint-{one}-"))
        .collect();
    alive.push("checkpoint-main-".to_owned());
    let is_gone = |kept: &&KeptTree| {
        let name = &kept.name;
        let is_unused = name.starts_with(&ours) && !left.contains(name);
        let is_orphan = name.starts_with("checkpoint-") && !alive.iter().any(|one| name.starts_with(one));
        (is_unused || is_orphan) && kept.age > FRESH
    };
    for kept in repo.all_kept().iter().filter(is_gone) {
        let _ = repo.release(&kept.name);
    }
}
