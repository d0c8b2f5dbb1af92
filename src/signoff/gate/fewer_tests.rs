//! `fewer-tests`: the same verify had more tests when the goal was started.

use super::facts::Facts;
use super::nothing_ran::Tally;
use super::{Depth, Finding};
use crate::repo::Change;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    between(then, now, facts.depth, is_excused(facts))
}

/// The tests at the start against those of now. `excused`: the goal may change tests and did.
pub(super) fn between(then: Tally, now: Tally, depth: Depth, excused: bool) -> Option<Finding> {
    let (had, has) = (then.ran + then.skipped + then.left_out, now.ran + now.skipped + now.left_out);
    (has < had).then(|| {
        Finding::of(
            allowed(depth, excused),
            "fewer-tests",
            &format!("{had} tests, as at the goal's start"),
            format!("verify has {has} tests, {had} at the goal's start{}", excuse(excused)),
            "put them back, or name their files in `may_change` and start the goal again",
        )
    })
}

/// Where the goal may change tests and did, which of them are gone cannot be told from a number: never more than a lead.
pub(super) fn allowed(depth: Depth, excused: bool) -> Depth {
    if excused { Depth::Fast } else { depth }
}

/// What is said of an excuse.
pub(super) fn excuse(excused: bool) -> &'static str {
    if excused { "; files under `may_change` were changed" } else { "" }
}

/// Files that the goal may change were changed.
pub(super) fn is_excused(facts: &Facts<'_>) -> bool {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    changed.filter(|file| file.change != Change::Added).any(|file| facts.harness.may_change(&file.path))
}
