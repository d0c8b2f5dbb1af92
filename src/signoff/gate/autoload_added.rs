//! `autoload-added`: a file that the runner loads by itself came with the work.

use super::Finding;
use super::facts::{ChangedFile, Facts};
use crate::repo::Change;

/// More of them say nothing new.
const MOST: usize = 5;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    facts.verify.map_or_else(Vec::new, |_| {
        let changed = facts.base.iter().flat_map(|base| &base.changed);
        let added = changed.filter(|file| is_added(file, facts) && !facts.harness.may_change(&file.path));
        let finding = |file: &ChangedFile| {
            let seen =
                format!("`{}` is new since the goal's start, and the runner loads it by itself", file.path.display());
            let declare = facts.harness.declare(facts.goal.name(), std::iter::once(file.path.as_path()));
            let resolve = format!("remove it; if the goal needs it: {declare}");
            let expected = "no new file that changes how tests are found or run";
            Finding::of(facts.depth, "autoload-added", expected, seen, &resolve).at(file.path.to_string_lossy())
        };
        added.map(finding).take(MOST).collect()
    })
}

/// New, or not one of these before: settings for a runner in a file that had none.
fn is_added(file: &ChangedFile, facts: &Facts<'_>) -> bool {
    let autoload = |text: &Option<String>| facts.harness.is_autoload(&file.path, text.as_ref().map(String::as_bytes));
    match file.change {
        Change::Added => autoload(&file.now),
        Change::Modified => file.then.is_some() && autoload(&file.now) && !autoload(&file.then),
        Change::Removed | Change::Permission => false,
    }
}
