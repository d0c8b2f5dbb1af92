//! `start-missing`: the log tells a start, but its record is not here, so that rows which need it tell nothing.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    // Without the base nothing of the start is here, which is said already.
    (facts.start.missing && facts.base.is_some()).then(|| {
        Finding::lead(
            "start-missing",
            "the record of the goal's start",
            "it is not here: `fewer-tests`, `more-skips` and `runner-moved` are unresolved",
            "fetch `refs/plan/*` from where the goal was started",
        )
    })
}
