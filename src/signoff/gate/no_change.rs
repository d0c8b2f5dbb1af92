//! `no-change`: the tree is the one at the start, or that of the commit under it.

use super::Finding;
use super::facts::Facts;

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
        None => return None,
    };
    let expected = "files that differ from the goal's start, and from the commit under it";
    let resolve = "do the work, or say in `done_when` what was there already";
    Some(Finding::of(facts.depth, "no-change", expected, seen, resolve))
}
