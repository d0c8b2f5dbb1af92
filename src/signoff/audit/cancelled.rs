//! Every goal that says it is cancelled was given up in the log, with the reason (`CLI.md`, log lines that `plan` writes).

use super::facts::{Facts, status_at};
use super::finding::Finding;
use crate::plan::model::Status;
use crate::plan::rules::What;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for goal in facts.plan.all_goals().filter(|goal| goal.status() == Status::Cancelled) {
        let given_up = |id| facts.about(id).any(|line| line.said.is_some_and(|said| said.what == What::Cancelled));
        if goal.id().is_some_and(given_up) {
            continue;
        }
        let name = goal.name();
        let seen = format!("{name} says cancelled, and the log does not say why");
        let expected = "a goal that is cancelled was given up with a reason";
        let resolve = format!("set its status back to what it was; `plan goal cancel {name} REASON` gives it up");
        found.push(Finding::new("hand-cancelled", status_at(goal), seen, expected, resolve).of(name));
    }
}
