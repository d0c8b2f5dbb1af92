//! `unread-item`: list items below `done_when`, `failure_modes` and their kin that are not read as part of them. Where they can
//! hardly be meant as anything else, what the goal asks for cannot be told, and that blocks.

use super::facts::Facts;
use super::{Finding, Level};
use crate::plan::model::Severity;
use crate::plan::rules;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let plan = facts.goal.plan();
    rules::unread_items(facts.goal)
        .map(|found| {
            let seen = format!("`{}`: {}", plan.text(found.span), found.message);
            let level = if found.severity == Severity::Error { Level::Block } else { Level::Lead };
            Finding::block("unread-item", "every item of the contract's lists is read", seen, &found.remedy)
                .level(level)
                .at(format!("line {} of the plan", plan.line_of(found.span.start as usize)))
        })
        .collect()
}
