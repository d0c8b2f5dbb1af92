//! `open-steps`: the plan itself has steps that are not finished.

use super::Finding;
use super::facts::Facts;
use crate::plan::model::Mark;

/// Returns the lead, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let open = facts
        .goal
        .steps()
        .iter()
        .filter(|step| matches!(step.mark, Mark::Pending | Mark::Active | Mark::Failed))
        .count();
    let all = facts.goal.steps().len();
    let seen = format!("{open} of {all} steps are still open");
    let resolve = "complete the steps, or skip them with a reason";
    (open > 0).then(|| Finding::lead("open-steps", "no open steps", seen, resolve))
}
