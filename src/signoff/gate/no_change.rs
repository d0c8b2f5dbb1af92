//! `no-change`: the tree is the one at the start.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    facts.base?.unchanged.then(|| {
        let finding = Finding::lead(
            "no-change",
            "files that differ from the goal's start",
            "nothing was changed since the goal was started",
            "do the work, or say in `done_when` what was there already",
        );
        finding.level(facts.depth.level())
    })
}
