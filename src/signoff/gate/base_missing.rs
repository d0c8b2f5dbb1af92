//! `base-missing`: the tree at the start is not at hand, so the rows that need it tell nothing.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    (!facts.pinned).then(|| {
        Finding::lead(
            "base-missing",
            "the tree at the goal's start",
            "no base of this goal is pinned: what changed since the start cannot be told",
            "`plan goal start` pins it; in another clone, fetch `refs/plan/*`",
        )
    })
}
