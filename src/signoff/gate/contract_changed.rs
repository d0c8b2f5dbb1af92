//! `contract-changed`: what is judged is not what the work was started with.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let new = &facts.contract;
    let seen = match (facts.changed_since, facts.started_with) {
        (Some(old), _) => format!("the contract is {new}, and the log named {old}: it was changed by hand"),
        (None, Some(old)) => format!("the contract is {new}, and the goal was started with {old}: it was amended"),
        (None, None) => return None,
    };
    Some(Finding::lead(
        "contract-changed",
        "the contract that the goal was started with",
        seen,
        "change it with `plan goal set`, which logs how; a judge that reads decides whether that is right",
    ))
}
