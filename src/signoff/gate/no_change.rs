//! `no-change`: the tree is the one at the start, or that of the commit under it, or all of it is the work of another goal.

use super::Finding;
use super::facts::Facts;
use crate::signoff::history::{self, Seen};

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let since = facts.base?;
    let put_back = since.uncommitted.as_ref().filter(|uncommitted| uncommitted.put_back);
    let seen = match put_back {
        Some(uncommitted) => {
            format!(
                "the files are those of commit {}: what differed at the goal's start was put back",
                uncommitted.commit
            )
        }
        None if since.unchanged => format!("nothing was changed since {}", since.origin.whole()),
        None => return of_another(facts),
    };
    let expected = "files that differ from the goal's start, and from the commit under it";
    let resolve = "do the work, or say in `done_when` what was there already";
    Some(Finding::of(facts.depth, "no-change", expected, seen, resolve))
}

/// The very files that another goal was signed off with since this one was started, though nothing was red then: its work and
/// its tests stand in for work that nobody may have done. Goals that are worked on side by side look the same, so a reader decides.
fn of_another(facts: &Facts<'_>) -> Option<Finding> {
    let goal = facts.goal;
    if facts.seen == Seen::Red || goal.kind().begins_green() {
        return None;
    }
    let tree = facts.trees?.1.id.short();
    let (name, other) = (goal.name(), history::signed_off_with(goal.plan(), goal.id()?, &tree)?);
    let seen =
        format!("nothing was changed since `{other}` was signed off, and verify was not red when {name} was started");
    let resolve = format!(
        "do the work and test it; if it was done together with `{other}`: `plan goal set {name} --kind chore --because \"why\"`"
    );
    Some(Finding::lead("no-change", "work that was done for this goal", seen, &resolve))
}
