//! `never-red`: verify was green before the work, so that it cannot show that the work was done.

use super::Finding;
use super::facts::Facts;
use crate::plan::model::GoalKind;
use crate::signoff::history::Seen;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    facts.verify?;
    let green = facts.seen == Seen::Green && facts.goal.kind() != GoalKind::Refactor;
    green.then(|| {
        Finding::lead(
            "never-red",
            "a verify that was red before the work",
            "verify was green when the goal was started",
            "name a verify that fails without the work, or `kind: refactor`",
        )
    })
}
