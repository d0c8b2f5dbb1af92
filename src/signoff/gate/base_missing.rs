//! `base-missing`: the files at the start are not at hand, so that others stand in for them; `never-started`: there was none.

use super::Finding;
use super::facts::Facts;
use crate::signoff::base::Origin;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    if !facts.in_repository {
        return None;
    }
    let start = format!("`plan goal start {}` before the work is done", facts.goal.name());
    let Some(since) = facts.base else {
        let seen = "there is no commit, and nothing of a start is here: what changed cannot be told";
        return Some(lead("base-missing", seen.to_owned(), &start));
    };
    match &since.origin {
        Origin::Start | Origin::NeverStarted(_) | Origin::Revision(_) => {
            let path = since.lost.first()?;
            let seen = format!("`{}` was too large to be kept: what changed in it cannot be told", path.display());
            Some(lead("base-missing", seen, "commit it before a start, or let git ignore it"))
        }
        Origin::Lost(commit) => {
            let seen = format!("they are not in this clone; the work is held against commit {commit} in their place");
            Some(lead("base-missing", seen, "complete the goal in the clone where it was started"))
        }
        Origin::BroughtAlong(commit) => {
            let seen = format!(
                "the goal was never started, and came with its work in one commit; it is held against the one before, {commit}"
            );
            Some(lead("never-started", seen, &start))
        }
    }
}

fn lead(code: &'static str, seen: String, resolve: &str) -> Finding {
    Finding::lead(code, "the files at the goal's start", seen, resolve)
}
