//! `start-missing`: the log names a start whose record is not in this clone, so rows that need the record decide
//! nothing. `start-differs`: the record contradicts the log.

use super::Finding;
use super::facts::Facts;

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    if let Some(seen) = &facts.start.differs {
        let (expected, resolve) =
            ("a log line that agrees with the record of the start", "restore the log line as `plan` wrote it");
        return Some(Finding::of(facts.depth, "start-differs", expected, seen, resolve));
    }
    let seen = "the record is not in this clone, so `fewer-tests`, `more-skips` and `runner-moved` are unresolved";
    let resolve = "`plan audit --fetch origin`, after its author has run `plan audit --push origin`";
    // Without a base nothing of the start is here, and `base-missing` says so.
    let is_missing = facts.start.missing && facts.base.is_some();
    is_missing.then(|| Finding::lead("start-missing", "the record of the goal's start", seen, resolve))
}
