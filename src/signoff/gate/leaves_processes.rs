//! `verify-leaves-processes`: it exited 0 and left others running, which were ended.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (_, report) = facts.verify?;
    report.left_processes.then(|| {
        Finding::lead(
            "verify-leaves-processes",
            "a verify that ends what it starts",
            "processes lived on after verify and were ended",
            "let it wait for them or end them",
        )
    })
}
