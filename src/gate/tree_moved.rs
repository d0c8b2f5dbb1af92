//! `tree-moved`: verify changed tracked files, so it tests what it made itself.

use super::Finding;
use super::facts::Facts;
use crate::repo::tracked_changes;

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (before, after) = facts.trees?;
    facts.verify?;
    let moved = tracked_changes(before, after);
    let first = moved.first()?;
    let more = if moved.len() > 1 { format!(" and {} more", moved.len() - 1) } else { String::new() };
    let seen = format!("verify changed the tracked file `{}`{more}", first.path.display());
    let finding = Finding::block(
        "tree-moved",
        "a verify that does not change tracked files",
        seen,
        "make verify write to ignored files or to a temporary folder",
    );
    Some(finding.at(first.path.to_string_lossy()))
}
