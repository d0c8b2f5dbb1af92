//! `start-missing`: the log tells a start, but its record is not here, so that rows which need it tell nothing;
//! `start-differs`: the record says something else than the log.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    if let Some(seen) = &facts.start.differs {
        let (expected, resolve) = ("line and record of a start say the same", "restore the line as it was written");
        return Some(Finding::of(facts.depth, "start-differs", expected, seen, resolve));
    }
    // Without the base nothing of the start is here, which is said already.
    (facts.start.missing && facts.base.is_some()).then(|| {
        Finding::lead(
            "start-missing",
            "the record of the goal's start",
            "it is not here: `fewer-tests`, `more-skips` and `runner-moved` are unresolved",
            "`plan audit --fetch origin`, where its author has pushed it with `plan audit --push origin`",
        )
    })
}
