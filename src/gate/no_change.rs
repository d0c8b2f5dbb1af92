//! `no-change`: the tree equals the tree of the start or of the commit under it, or all of the work belongs to another
//! goal.

use super::facts::Facts;
use super::{Finding, remedy};
use crate::plan::history::{self, Seen};

const RESOLVE: &str = "do the work; if it was done already, say so in `done_when`";

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let since = facts.base?;
    let put_back = since.uncommitted.as_ref().filter(|uncommitted| uncommitted.put_back);
    let seen = match put_back {
        Some(uncommitted) => {
            format!("the files are those of commit {}: the changes of the goal's start were undone", uncommitted.commit)
        }
        None if since.unchanged => format!("nothing has changed since {}", since.origin.whole()),
        None => return of_another(facts),
    };
    let expected = "files that differ from the goal's start and from the commit under it";
    let changed = facts.trees.and_then(|(_, after)| after.dirty_submodules().next());
    let resolve = changed.map_or_else(|| RESOLVE.to_owned(), remedy::of_submodule);
    Some(Finding::of(facts.depth, "no-change", expected, seen, &resolve))
}

/// The files equal those of another goal's sign-off since this goal was started, and verify was not red at the start.
/// The other goal's work and tests may stand in for work that nobody did. Goals that are worked on side by side look
/// the same, so a reader decides.
fn of_another(facts: &Facts<'_>) -> Option<Finding> {
    let goal = facts.goal;
    if facts.seen == Seen::Red || goal.kind().begins_green() {
        return None;
    }
    let tree = facts.trees?.1.id.short();
    let (name, other) = (goal.name(), history::signed_off_with(goal.plan(), goal.id()?, &tree)?);
    let seen =
        format!("nothing has changed since `{other}` was signed off, and verify was not red when {name} was started");
    let resolve = format!(
        "do the work and test it; if you did it together with `{other}`: `plan goal set {name} --kind chore --because \"why\"`"
    );
    Some(Finding::lead("no-change", "work done for this goal", seen, &resolve))
}
