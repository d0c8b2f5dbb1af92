//! The parts of plan.md that go back with the files: marks and outcomes of the steps that existed then. The contract, the log, prose and
//! the archive stay (`CONTRACT.md` §5.8).

use std::collections::HashMap;

use crate::plan::change::Change;
use crate::plan::log::{GoalEvent, LogLine};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan, Status};

/// The parts of plan.md that go back.
#[derive(Debug, Default)]
pub struct PlanRestoration {
    /// The changes of plan.md.
    pub changes: Vec<Change>,
    /// The goals that are reopened, by name.
    pub reopened: Vec<String>,
    /// The goals that were done then and are not now, in the form that a user types: only `plan complete` makes a goal done.
    pub stays_open: Vec<String>,
}

/// Returns the changes that bring `now` back to the marks of `then`. `tree` holds the 12 digits of the restored files; a goal that was
/// signed off for exactly these files stays signed off. `why` is a text such as `rewind to step 3`.
pub fn changes(now: &Plan<'_>, then: &Plan<'_>, tree: &str, why: &str, stamp: &str) -> PlanRestoration {
    let mut back = PlanRestoration { changes: marks(now, then), ..PlanRestoration::default() };
    for goal in now.live_goals() {
        let Some(was) = status_then(goal, then) else { continue };
        let is = goal.status();
        if was == Status::Done && matches!(is, Status::Open | Status::Active) {
            back.stays_open.push(goal.typed().into_owned());
            // A goal that has not begun cannot be completed.
            if is == Status::Open {
                back.changes.push(Change::SetStatus { goal: goal.index(), status: Status::Active });
            }
            continue;
        }
        let goes_back = match (is, was) {
            (Status::Done, Status::Open | Status::Active) => signed_tree(goal).is_none_or(|signed| signed != tree),
            (Status::Active, Status::Open) | (Status::Open, Status::Active) => true,
            _ => false,
        };
        if !goes_back {
            continue;
        }
        back.changes.push(Change::SetStatus { goal: goal.index(), status: was });
        if is != Status::Open {
            let id = goal.name().to_owned();
            let text = LogLine::Goal { id: &id, event: GoalEvent::Reopened { why } }.to_string();
            back.changes.push(Change::AppendLog { stamp: stamp.to_owned(), text });
            back.reopened.push(id);
        }
    }
    back
}

/// The status of a goal then; a goal that did not exist counts as open.
fn status_then(goal: GoalRef<'_, '_>, then: &Plan<'_>) -> Option<Status> {
    let found = then.all_goals().find(|was| was.name() == goal.name());
    Some(found.map_or(Status::Open, GoalRef::status))
}

/// The tree of the last sign-off of a goal.
fn signed_tree<'a>(goal: GoalRef<'_, 'a>) -> Option<&'a str> {
    let of_goal = |text: &'a str| LogLine::parse(text)?.goal().filter(|(id, _)| *id == goal.name());
    goal.plan().log_lines().rev().filter_map(|(_, text)| of_goal(text)).find_map(|(_, event)| match event {
        GoalEvent::SignedOff(line) => Some(line.tree),
        _ => None,
    })
}

fn marks(now: &Plan<'_>, then: &Plan<'_>) -> Vec<Change> {
    let was: HashMap<String, StepRef<'_, '_>> = then.all_steps().map(|step| (step.name(), step)).collect();
    let live = now.all_steps().filter(|step| !step.goal().raw().archived);
    live.filter_map(|step| {
        let (mark, outcome) = match was.get(&step.name()) {
            Some(was) => (was.raw().mark, was.outcome()),
            None => (Mark::Pending, None),
        };
        let is = step.raw().mark;
        // The note of a pending step is a person's own and stays.
        let is_same = is == mark && (mark == Mark::Pending || step.outcome() == outcome);
        let outcome = Some(outcome.unwrap_or_default().to_owned());
        (!is_same).then_some(Change::SetMark { step: step.index(), mark, outcome })
    })
    .collect()
}
