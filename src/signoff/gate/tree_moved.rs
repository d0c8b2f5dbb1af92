//! `tree-moved`: verify changed tracked files, so that it tests what it made itself.

use super::Finding;
use super::facts::Facts;
use crate::repo::tracked_changes;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (before, after) = facts.trees?;
    facts.verify?;
    let moved = tracked_changes(before, after);
    let first = moved.first()?;
    let more = if moved.len() > 1 { format!(" and {} more", moved.len() - 1) } else { String::new() };
    let seen = format!("verify changed the tracked file `{}`{more}", first.path.display());
    let finding = Finding::block(
        "tree-moved",
        "a verify that leaves tracked files as they are",
        seen,
        "let it write to ignored files or a temporary folder",
    );
    Some(finding.at(first.path.to_string_lossy()))
}
