//! `fewer-tests`: the same verify had more tests when the goal was started.

use super::facts::Facts;
use super::{Depth, Finding};
use crate::repo::Change;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    let (had, has) = (then.ran + then.skipped + then.left_out, now.ran + now.skipped + now.left_out);
    (has < had).then(|| {
        Finding::of(
            depth(facts),
            "fewer-tests",
            &format!("{had} tests, as at the goal's start"),
            format!("verify has {has} tests, {had} at the goal's start{}", excuse(facts)),
            "put them back, or name their files in `may_change` and start the goal again",
        )
    })
}

/// Where the goal may change tests and did, which of them are gone cannot be told from a number: never more than a lead.
pub(super) fn depth(facts: &Facts<'_>) -> Depth {
    if is_excused(facts) { Depth::Fast } else { facts.depth }
}

/// What is said of an excuse.
pub(super) fn excuse(facts: &Facts<'_>) -> &'static str {
    if is_excused(facts) { "; files under `may_change` were changed" } else { "" }
}

fn is_excused(facts: &Facts<'_>) -> bool {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    changed.filter(|file| file.change != Change::Added).any(|file| facts.harness.may_change(&file.path))
}
