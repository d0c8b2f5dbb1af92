//! Turns a change of plan.md into the events that `plan events` prints (`CLI.md`).

use serde_json::{Value, json};

use crate::plan::change::Change;
use crate::plan::model::Plan;

/// `execution` for each step that moved, `plan_updated` for the whole: the goals whose status moved, and what was logged.
pub(super) fn events(plan: &Plan<'_>, changes: &[Change]) -> Vec<(&'static str, Value)> {
    let mut events = Vec::new();
    let (mut goals, mut log) = (serde_json::Map::new(), Vec::new());
    for change in changes {
        match change {
            Change::SetMark { step, mark, .. } => {
                let step = plan.step(*step).map(|step| (step.name(), step.goal().name()));
                let (name, goal) = step.unwrap_or_default();
                events.push(("execution", json!({ "goal": goal, "step": name, "status": mark.word() })));
            }
            Change::SetStatus { goal, status } => {
                let name = plan.goal(*goal).map(|goal| goal.name()).unwrap_or_default();
                goals.insert(name.to_owned(), status.word().into());
            }
            Change::AppendLog { text, .. } => log.push(text.as_str()),
            _ => {}
        }
    }
    events.push(("plan_updated", json!({ "goals": goals, "log": log })));
    events
}
