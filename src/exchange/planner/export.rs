//! A goal with its steps to the state of a planner's plan.

use serde::Serialize;
use serde_json::{Value, json};

use crate::plan::model::{GoalRef, Mark};

/// A step as the format has it.
#[derive(Debug, Serialize)]
struct StepState<'p> {
    id: String,
    title: &'p str,
    command: Option<&'p str>,
    label: &'p str,
    description: Option<&'p str>,
    status: &'static str,
    history: [u32; 0],
}

/// The state of a goal's steps, and how many were left out because they are skipped: the format has no word for it, and a
/// planner would begin them. None where no step is left: a plan has at least one.
pub fn export(goal: GoalRef<'_, '_>) -> Option<(Value, usize)> {
    let first = goal.raw().steps.start as usize;
    let all = (first..first + goal.steps().len()).filter_map(|at| goal.plan().step(at));
    let mut steps = Vec::new();
    let mut skipped = 0;
    for step in all {
        let status = match step.raw().mark {
            Mark::Pending => "pending",
            Mark::Active => "in_progress",
            Mark::Complete => "completed",
            Mark::Failed => "failed",
            Mark::Skipped => {
                skipped += 1;
                continue;
            }
        };
        steps.push(StepState {
            id: (steps.len() + 1).to_string(),
            title: step.text(),
            command: step.run(),
            label: step.text(),
            description: step.outcome(),
            status,
            history: [],
        });
    }
    let state = json!({ "plan": { "summary": goal.subject(), "revision": 0, "steps": steps } });
    (!steps.is_empty()).then_some((state, skipped))
}
