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
    let is_compiled = first.path.extension().is_some_and(|extension| extension == "pyc");
    let resolve = match is_compiled {
        true => "take compiled files out of git: `git rm -r -q --cached -- '*.pyc'; echo __pycache__/ >> .gitignore`",
        false => "make verify write to ignored files or to a temporary folder",
    };
    let finding = Finding::block("tree-moved", "a verify that does not change tracked files", seen, resolve);
    Some(finding.at(first.path.to_string_lossy()))
}
