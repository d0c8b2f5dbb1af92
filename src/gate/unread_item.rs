//! `unread-item`: list items below `done_when`, `failure_modes` and similar fields that `plan` does not read as part of
//! them. If an item can hardly be anything else, the goal's criteria are unknown, and the row blocks.

use super::facts::Facts;
use super::{Finding, Level};
use crate::plan::model::Severity;
use crate::plan::rules;

/// Returns a finding for each such item.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let plan = facts.goal.plan();
    rules::unread_items(facts.goal)
        .map(|found| {
            let seen = format!("`{}`: {}", plan.text(found.span), found.message);
            let level = if found.severity == Severity::Error { Level::Block } else { Level::Lead };
            let place = format!("line {} of the plan", plan.line_of(found.span.start as usize));
            let expected = "every item of the contract in a place where `plan` reads it";
            Finding::block("unread-item", expected, seen, &found.remedy).level(level).at(place)
        })
        .collect()
}
