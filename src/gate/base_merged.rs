//! `base-merged`: files that came with the remote's default branch are not held against the goal.

use super::Finding;
use super::facts::Facts;

/// How many files are named.
const NAMED: usize = 5;

/// Returns the note, if something came.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let merged = facts.base?.merged.as_ref()?;
    let mut names: Vec<String> = merged.files.iter().take(NAMED).map(|path| format!("`{}`", path.display())).collect();
    let more = merged.files.len().saturating_sub(NAMED);
    names.extend((more > 0).then(|| format!("{more} more")));
    let (branch, commit) = (&merged.branch, &merged.commit);
    let seen = format!(
        "since the start, {branch} {commit} changed {}: these files are compared with their versions there",
        names.join(", ")
    );
    let resolve =
        format!("nothing to do; in another clone, `plan audit --base {branch} --rerun` uses the remote's own files");
    Some(Finding::note("base-merged", "work of this goal alone", seen, &resolve))
}
