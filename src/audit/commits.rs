//! Checks the commits that sign-offs name. A rebase or a squash leaves unknown commits and commits that are not ancestors,
//! so these are notes, not findings (`SIGNOFF.md` §8).

use std::collections::{BTreeSet, HashMap};

use super::facts::AuditFacts;
use super::finding::{AuditFinding, names};
use crate::error::Result;
use crate::plan::rules::{SignOff, Standing};
use crate::repo::{ObjectId, Repo};

/// Adds the notes of this check to `found`. Starts three processes.
pub(super) fn find(facts: &AuditFacts<'_>, repo: &Repo, found: &mut Vec<AuditFinding>) -> Result<()> {
    let signed = facts.done.iter().filter(|done| done.standing == Standing::SignedOff);
    let lines: Vec<(usize, &str, SignOff<'_>)> =
        signed.filter_map(|done| done.line.and_then(|(at, line)| Some((at, done.goal.id()?, line)))).collect();
    let asked: BTreeSet<String> = lines.iter().filter_map(|(.., line)| line.commit()).map(str::to_owned).collect();
    let asked: Vec<String> = asked.into_iter().collect();
    let (Some(head), false) = (repo.head()?, asked.is_empty()) else { return Ok(()) };
    let known: HashMap<&str, Option<ObjectId>> = asked.iter().map(String::as_str).zip(repo.commits(&asked)?).collect();
    let ids: Vec<ObjectId> = known.values().filter_map(|id| *id).collect();
    let beyond: BTreeSet<ObjectId> = repo.unreachable(&ids, head)?.into_iter().collect();
    let is = |unknown: bool, line: &SignOff<'_>| match line.commit().and_then(|commit| known.get(commit)) {
        Some(None) => unknown,
        Some(Some(id)) => !unknown && beyond.contains(id),
        None => false,
    };
    for (unknown, code, what) in [
        (true, "commit-unknown", "a commit that this clone does not have"),
        (false, "commit-elsewhere", "a commit that is not an ancestor of HEAD"),
    ] {
        let all: Vec<&(usize, &str, SignOff<'_>)> = lines.iter().filter(|(.., line)| is(unknown, line)).collect();
        if let Some((at, ..)) = all.first() {
            let names = names(all.iter().map(|(_, id, _)| *id));
            let seen = match all.len() {
                1 => format!("the sign-off of {names} names {what}"),
                more => format!("{more} sign-offs name {what}: {names}"),
            };
            let resolve = "nothing, if the branch was rebased or squashed; each line names the tree that was checked";
            found.push(AuditFinding::note(code, *at, seen, "commits of this history", resolve));
        }
    }
    Ok(())
}
