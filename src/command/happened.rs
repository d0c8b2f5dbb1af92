//! The events of a write (`CLI.md`, `plan events`), and the history of steps that ran, as the events tell it.

use serde_json::{Value, json};

use crate::exchange::planner::{History, Run, status_word};
use crate::plan::change::Change;
use crate::plan::lookup::StepRef;
use crate::plan::model::{Mark, Plan};
use crate::plan::text::plain_line;
use crate::session::events;
use crate::signoff::mask::mask;
use crate::store::Place;

/// Returns an `execution` event for each step whose mark changes, and one `plan_updated`: the goals whose status
/// changes, and the new log lines. A step that ends gets the next index of the history.
pub(super) fn events(place: &Place, plan: &Plan<'_>, changes: &[Change]) -> Vec<(&'static str, Value)> {
    let mut events = Vec::new();
    let (mut goals, mut log, mut history) = (serde_json::Map::new(), Vec::new(), None);
    for change in changes {
        match change {
            Change::SetMark { step, mark, .. } => {
                let Some(step) = plan.step(*step) else { continue };
                let (name, goal) = (step.name(), step.goal().name());
                let mut event = json!({ "goal": goal, "step": name, "status": mark.word(),
                    "plan_step_id": name, "plan_step_status": status_word(*mark) });
                if matches!(mark, Mark::Complete | Mark::Failed) {
                    let history = history.get_or_insert_with(|| self::history(place));
                    extend(&mut event, history.push(run_of(step, *mark)));
                }
                events.push(("execution", event));
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

/// Returns the runs and plans so far.
pub(super) fn history(place: &Place) -> History {
    History::read(&events::all(place))
}

/// Returns a command as the events hold it: one line, secrets masked.
pub(super) fn masked(command: &str) -> String {
    mask(&plain_line(command))
}

fn run_of(step: StepRef<'_, '_>, mark: Mark) -> Run {
    let command = step.run().map(masked).unwrap_or_default();
    Run { goal: step.goal().name().to_owned(), step: step.name(), command, is_failed: mark == Mark::Failed }
}

/// Records the end of a command that belongs to no step.
pub(super) fn ran(place: &Place, command: &str, is_failed: bool) {
    let mark = if is_failed { Mark::Failed } else { Mark::Complete };
    let mut event = json!({ "plan_step_id": null, "plan_step_status": status_word(mark), "status": mark.word() });
    let run = Run { command: masked(command), is_failed, ..Run::default() };
    extend(&mut event, history(place).push(run));
    events::append(place, "execution", &event);
}

fn extend(event: &mut Value, more: Value) {
    if let (Value::Object(event), Value::Object(more)) = (event, more) {
        event.extend(more);
    }
}
