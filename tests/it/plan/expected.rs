//! The expected result of a change, computed a second time in a simple way.

use plan::plan::change::Change;
use plan::plan::model::{Mark, Status};
use plan::plan::text::{one_line, plain_line, step_text};

use super::support::{Seen, SeenStep};

/// The content that a reader must see after `change`; `None` if the test has no expectation of its own.
pub(super) fn expected(mut before: Seen, after: &Seen, change: &Change, numbers: u32) -> Option<Seen> {
    match change {
        Change::SetStatus { goal, status } => before.goals[*goal].status = *status,
        Change::SetMark { step, mark, outcome } => {
            let step = step_mut(&mut before, *step);
            step.mark = *mark;
            if let Some(outcome) = outcome {
                step.outcome = Some(one_line(outcome)).filter(|text| !text.is_empty());
            }
        }
        Change::AppendLog { text, .. } => {
            let at = before.log.iter().filter(|line| !line.2).count();
            before.log.insert(at, ("2026-06-15 14:33".into(), one_line(text), false));
        }
        Change::SetField { goal, key, .. } => {
            let slot = |seen: &Seen| seen.goals[*goal].fields.iter().position(|field| field.0 == *key).unwrap();
            let at = slot(&before);
            before.goals[*goal].fields[at] = after.goals[*goal].fields[at].clone();
        }
        Change::SetSubject { goal, subject } => {
            before.goals[*goal].subject.clone_from(&after.goals[*goal].subject);
            assert_eq!(after.goals[*goal].subject.replace('\\', ""), one_line(subject).replace('\\', ""));
        }
        Change::AddId { .. } => {}
        Change::AddNumber { step } => {
            let step = step_mut(&mut before, *step);
            step.number = Some(numbers);
        }
        Change::RemoveGoal { goal } => {
            before.goals.remove(*goal);
            before.log.clone_from(&after.log); // A log section in it is gone too.
        }
        Change::AddStep { goal, text, after: first, run, note } => {
            let step = SeenStep {
                mark: Mark::Pending,
                number: Some(numbers),
                text: step_text(text),
                run: run.as_deref().map(plain_line).filter(|run| !run.is_empty()),
                after: first.clone(),
                outcome: note.as_deref().map(one_line).filter(|note| !note.is_empty()),
            };
            let at = after_steps(after, *goal, &step);
            before.goals[*goal].steps.insert(at, step);
        }
        Change::SetStepText { step, text } => {
            let new = step_mut(&mut before, *step);
            let written = step_text(text);
            new.text = if new.number.is_none() { find_text(after, *step) } else { written };
        }
        Change::SetStepParts { step, text, after: first, run } => {
            let found = find_text(after, *step);
            let new = step_mut(&mut before, *step);
            if let Some(text) = text {
                new.text = if new.number.is_none() { found } else { step_text(text) };
            }
            if let Some(first) = first {
                new.after.clone_from(first);
            }
            if let Some(run) = run {
                new.run = Some(plain_line(run)).filter(|run| !run.is_empty());
            }
        }
        Change::MoveStep { step, goal, at } => {
            let moved = step_mut(&mut before, *step).clone();
            let sorted = |seen: &Seen| {
                let mut steps: Vec<String> =
                    seen.goals.iter().flat_map(|goal| &goal.steps).map(|step| format!("{step:?}")).collect();
                steps.sort();
                steps
            };
            assert_eq!(sorted(&before), sorted(after), "no step is lost or made");
            let steps = &after.goals[*goal].steps;
            assert!(steps.contains(&moved));
            assert!(at.is_none_or(|at| steps.get(at - 1) == Some(&moved)), "{steps:?}");
            for (old, new) in before.goals.iter_mut().zip(&after.goals) {
                old.steps.clone_from(&new.steps);
            }
            before.log.clone_from(&after.log); // A log line that hangs on a step goes with it.
        }
        Change::RemoveStep { step } => {
            let (goal, at) = find(&before, *step);
            before.goals[goal].steps.remove(at);
            before.log.clone_from(&after.log); // A log line that hangs on it goes with it.
        }
        Change::Archive { goals } => {
            let mut goal = before.goals.remove(goals[0]);
            goal.archived = true;
            before.goals.push(goal);
            before.has_archive = true;
            before.log.clone_from(&after.log); // A log below a deeper heading moves with its goal.
        }
        Change::Restore { goal } => {
            let mut goal = before.goals.remove(*goal);
            (goal.archived, goal.status) = (false, Status::Active);
            let at = after.goals.iter().position(|other| *other == goal).unwrap_or_default();
            before.goals.insert(at, goal);
            before.log.clone_from(&after.log); // A log below a deeper heading moves with its goal.
        }
        Change::SetObjective { text } => {
            assert_eq!(after.objective.as_deref().unwrap().replace('\\', ""), one_line(text).replace('\\', ""));
            before.objective.clone_from(&after.objective);
        }
        Change::AddGoal(new) | Change::AddGoalBefore { new, .. } => {
            let at = after.goals.iter().position(|goal| !before.goals.contains(goal)).unwrap();
            let goal = &after.goals[at];
            assert_eq!(goal.steps.len(), new.steps.len());
            let listed: Vec<String> =
                new.done_when.iter().map(|text| one_line(text)).filter(|text| !text.is_empty()).collect();
            assert_eq!(goal.fields[0].1, listed);
            before.goals.insert(at, goal.clone());
        }
        Change::AddIntro { .. } | Change::AddFront { .. } => {}
        Change::AddGoalBlock { .. } => return None,
    }
    // The first write to a goal without an id gives it one.
    if before.goals.len() == after.goals.len() {
        for (old, new) in before.goals.iter_mut().zip(&after.goals) {
            if old.id.is_none() {
                old.id.clone_from(&new.id);
            }
        }
    }
    Some(before)
}

fn find(seen: &Seen, step: usize) -> (usize, usize) {
    let mut left = step;
    for (at, goal) in seen.goals.iter().enumerate() {
        if left < goal.steps.len() {
            return (at, left);
        }
        left -= goal.steps.len();
    }
    panic!("no step {step}")
}

fn step_mut(seen: &mut Seen, step: usize) -> &mut SeenStep {
    let (goal, at) = find(seen, step);
    &mut seen.goals[goal].steps[at]
}

fn find_text(seen: &Seen, step: usize) -> String {
    let (goal, at) = find(seen, step);
    seen.goals[goal].steps[at].text.clone()
}

fn after_steps(seen: &Seen, goal: usize, step: &SeenStep) -> usize {
    seen.goals[goal].steps.iter().position(|other| other == step).expect("the new step is read back")
}
