//! `open-steps`: the plan itself says that something is left to do.

use super::Finding;
use super::facts::Facts;
use crate::plan::model::Mark;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let open = facts
        .goal
        .steps()
        .iter()
        .filter(|step| matches!(step.mark, Mark::Pending | Mark::Active | Mark::Failed))
        .count();
    let all = facts.goal.steps().len();
    (open > 0).then(|| {
        Finding::lead(
            "open-steps",
            "no open step",
            format!("{open} of {all} steps are not complete or skipped"),
            "tick them, or skip them with a reason",
        )
    })
}
