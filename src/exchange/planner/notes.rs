//! The notes for a planner before it answers: the results of the steps, repeated failures, and the next step.

use super::{History, status_word};
use crate::plan::block::quoted;
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark};
use crate::plan::rules;

/// A step is passed over after this many failures.
const ENOUGH: usize = 2;
/// The most finished and failed steps in the notes; the newest are kept.
const TOLD: usize = 40;
/// The number of runs that the risk is based on.
const RECENT: usize = 5;
/// The most commands with a score in the notes; the lowest scores are kept.
const SCORED: usize = 20;
/// The longest quote of a plan's text or a command, in bytes.
const LONGEST: usize = 300;

/// The steps of a goal, in order.
pub(super) fn steps<'p, 'a>(goal: GoalRef<'p, 'a>) -> impl Iterator<Item = StepRef<'p, 'a>> {
    let first = goal.raw().steps.start as usize;
    (first..first + goal.steps().len()).filter_map(move |at| goal.plan().step(at))
}

/// Returns the step to do now: the first unsettled step that is not passed over. A step that failed twice is passed over, and so is a
/// pending step that waits for others. `masked` returns a command in the form that the events record.
pub fn current<'p, 'a>(
    goal: GoalRef<'p, 'a>,
    history: &History,
    masked: &dyn Fn(&str) -> String,
) -> Option<StepRef<'p, 'a>> {
    steps(goal).find(|step| match step.raw().mark {
        Mark::Complete | Mark::Skipped => false,
        Mark::Failed => failures(*step, history, masked) < ENOUGH,
        Mark::Active => true,
        Mark::Pending => rules::waits_for(goal.plan(), step.raw()).is_empty(),
    })
}

fn failures(step: StepRef<'_, '_>, history: &History, masked: &dyn Fn(&str) -> String) -> usize {
    let command = step.run().map(masked).unwrap_or_default();
    history.failures(step.goal().name(), &step.name(), &command)
}

/// Returns the notes, one line each; empty without a plan and runs. They depend only on the plan and the events.
pub fn notes(goal: Option<GoalRef<'_, '_>>, history: &History, masked: &dyn Fn(&str) -> String) -> String {
    let mut lines = goal.map(|goal| of_goal(goal, history, masked)).unwrap_or_default();
    let (runs, failed) = history.newest(RECENT);
    if runs > 0 {
        let word = match failed * 2 {
            0 => "low",
            twice if twice <= runs => "medium",
            _ => "high",
        };
        lines.push(format!("risk: {word}, {failed} of the last {runs} runs failed"));
    }
    let scores: Vec<String> = history
        .scores()
        .iter()
        .take(SCORED)
        .map(|(command, score)| format!("{score} `{}`", quoted(command, LONGEST)))
        .collect();
    if !scores.is_empty() {
        lines.push(format!("scores, 1 always worked and 0 never did: {}", scores.join("; ")));
    }
    lines.join("\n")
}

fn of_goal(goal: GoalRef<'_, '_>, history: &History, masked: &dyn Fn(&str) -> String) -> Vec<String> {
    let told = |text: &str| quoted(text, LONGEST);
    let mut lines = vec![format!(
        "plan: {} (goal {}, revision {})",
        told(goal.subject()),
        goal.name(),
        history.revision(goal.name())
    )];
    let ended: Vec<_> = steps(goal).filter(|step| matches!(step.raw().mark, Mark::Complete | Mark::Failed)).collect();
    for step in &ended[ended.len().saturating_sub(TOLD)..] {
        let outcome = step.outcome().map(|outcome| format!(": {}", told(outcome))).unwrap_or_default();
        let (name, text, word) = (step.name(), told(step.text()), status_word(step.raw().mark));
        let runs: Vec<String> = history.of_step(goal.name(), &name).iter().map(u64::to_string).collect();
        let runs = if runs.is_empty() { String::new() } else { format!(" [history {}]", runs.join(", ")) };
        lines.push(format!("AGENT_NOTE step {name} ({text}) {word}{outcome}{runs}"));
    }
    for step in steps(goal).filter(|step| step.raw().mark == Mark::Failed) {
        let count = failures(step, history, masked);
        if count >= ENOUGH {
            let what = step.run().map_or_else(|| told(step.text()), |command| format!("`{}`", told(command)));
            lines.push(format!(
                "repeated failure: {what} failed {count} times; step {} is passed over, plan another way",
                step.name()
            ));
        }
    }
    lines.push(match current(goal, history, masked) {
        Some(step) => {
            let (name, text, word) = (step.name(), told(step.text()), status_word(step.raw().mark));
            format!("upcoming: step {name} ({text}), {word}")
        }
        None => "upcoming: none, no step is left to do".to_owned(),
    });
    lines
}
