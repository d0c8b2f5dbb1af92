//! `base-missing`: the files of the start are not available, and other files stand in for them. `never-started`: the
//! goal was never started.

use super::Finding;
use super::facts::Facts;
use crate::base::Origin;
use crate::plan::history;

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    if !facts.in_repository {
        return without_repository(facts);
    }
    let start = format!("`plan goal start {}` before the work is done", facts.goal.name());
    let Some(since) = facts.base else {
        let seen = "this clone has no commit and no record of a start, so the changes cannot be determined";
        return Some(lead("base-missing", seen.to_owned(), &start));
    };
    match &since.origin {
        Origin::Start | Origin::StartedLate(_) | Origin::NeverStarted(_) | Origin::Revision(_) => {
            let path = since.lost.first()?;
            let seen =
                format!("`{}` was too large to keep at the start, so its changes cannot be determined", path.display());
            Some(lead("base-missing", seen, "commit the file before the start, or let git ignore it"))
        }
        Origin::Lost(commit) => {
            let seen = format!(
                "the files of the start are not in this clone; the work is compared with commit {commit} instead"
            );
            Some(lead("base-missing", seen, "complete the goal in the clone where it was started"))
        }
        Origin::BroughtAlong(commit) => {
            let seen = format!(
                "the goal was never started, and one commit holds both the goal and its work; the work is compared with the commit before it, {commit}"
            );
            Some(lead("never-started", seen, &start))
        }
    }
}

/// The goal was started in a repository, and there is none now: somebody moved it away, or verify and judge would look at a copy.
fn without_repository(facts: &Facts<'_>) -> Option<Finding> {
    let starts = history::starts(facts.goal.plan(), facts.goal.id()?);
    let start = starts.iter().find(|start| start.tree != "none")?;
    let seen = format!("the goal was started in a git repository (at {}), and there is none here now", start.at);
    Some(Finding::block("base-missing", "the repository of the goal's start", seen, "put `.git` back"))
}

fn lead(code: &'static str, seen: String, resolve: &str) -> Finding {
    Finding::lead(code, "the files at the goal's start", seen, resolve)
}
