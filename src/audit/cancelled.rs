//! Every goal that is marked cancelled has a log line with the reason (`CLI.md`, log lines that `plan` writes).

use super::facts::{Facts, status_at};
use super::finding::Finding;
use crate::plan::log::GoalEvent;
use crate::plan::model::Status;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for goal in facts.plan.all_goals().filter(|goal| goal.status() == Status::Cancelled) {
        let given_up = |id| facts.about(id).any(|line| matches!(line.event(), Some(GoalEvent::Cancelled { .. })));
        if goal.id().is_some_and(given_up) {
            continue;
        }
        let name = goal.name();
        let seen = format!("{name} is marked cancelled, and the log does not say why");
        let expected = "a reason in the log for each cancelled goal";
        let resolve = format!("`plan goal cancel {name} \"why\"`, or set its status back to what it was");
        found.push(Finding::new("hand-cancelled", status_at(goal), seen, expected, resolve).of(name));
    }
}
