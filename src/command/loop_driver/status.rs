//! `plan loop status`: shows the loop.

use serde_json::{Value, json};

use crate::command::{Context, Exit};
use crate::error::Result;
use crate::plan::model::{Plan, Status};
use crate::plan::rules;
use crate::session::loop_driver::{self, LoadedLoop, Loop, LoopStatus, LoopTarget};
use crate::store;

/// Prints the loop's state and the goals.
pub(super) fn status(context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let LoopStatus { found, is_running } = loop_driver::status(&place);
    let goals = goals(&plan);
    let lines = match &found {
        LoadedLoop::None => vec!["no loop; `plan loop start` starts one".to_owned()],
        LoadedLoop::Damaged => vec!["no loop: its file is damaged; `plan loop start` starts a new one".to_owned()],
        LoadedLoop::Newer => vec!["no loop: its file was written by a newer version of `plan`".to_owned()],
        LoadedLoop::Loop(found) => lines(found, is_running, is_left(&plan)),
    };
    lines.iter().for_each(|line| context.ui.line(line));
    context.ui.line(&format!("goals: {goals}"));
    let (state, more) = match &found {
        LoadedLoop::None => ("none", Value::Null),
        LoadedLoop::Damaged => ("damaged", Value::Null),
        LoadedLoop::Newer => ("newer", Value::Null),
        LoadedLoop::Loop(found) => (word(found, is_left(&plan)), json(found, is_running)),
    };
    context.ui.json(&json!({ "state": state, "loop": more, "goals": goal_counts(&plan) }));
    Ok(Exit::Yes)
}

fn lines(found: &Loop, is_running: bool, is_left: bool) -> Vec<String> {
    let turns = format!("after {} of {} turns", found.spent, found.budget);
    let mut lines = vec![match (&found.paused, found.left(), is_left) {
        (Some(pause), _, _) => format!("paused {turns}: {}", pause.why),
        (None, _, false) => format!("ended {turns}: no goal is left"),
        (None, 0, true) => format!("ended: the budget of {} turns is spent", found.budget),
        (None, _, true) => format!("on: {} of {} turns given", found.spent, found.budget),
    }];
    lines.push(format!("drives: {}", drives(found, is_running)));
    if found.blocked > 0 {
        lines.push(format!("blocked {} times in a row: {}", found.blocked, found.reason));
    }
    if found.unreadable + found.failed > 0 {
        lines.push(format!("judge: {} unreadable answers, {} failed calls in a row", found.unreadable, found.failed));
    }
    lines
}

/// The session or run that a loop drives, in words.
pub(super) fn drives(found: &Loop, is_running: bool) -> String {
    match &found.driven {
        None => "the first session that stops while working on the plan".to_owned(),
        Some(LoopTarget::Session { name, .. }) => format!("session {name}"),
        Some(LoopTarget::Run) if is_running => "`plan loop run` (running)".to_owned(),
        Some(LoopTarget::Run) => "`plan loop run` (not running)".to_owned(),
    }
}

fn word(found: &Loop, is_left: bool) -> &'static str {
    match (&found.paused, found.left(), is_left) {
        (Some(_), _, _) => "paused",
        (None, _, false) => "no_goal_left",
        (None, 0, true) => "budget_spent",
        (None, _, true) => "on",
    }
}

/// The loop under `--json`.
pub(super) fn json(found: &Loop, is_running: bool) -> Value {
    let driven = match &found.driven {
        None => Value::Null,
        Some(LoopTarget::Session { name, .. }) => json!({ "session": name }),
        Some(LoopTarget::Run) => json!({ "run": is_running }),
    };
    json!({
        "budget": found.budget, "spent": found.spent, "left": found.left(), "paused": found.paused, "drives": driven,
        "unreadable": found.unreadable, "failed": found.failed, "blocked": found.blocked, "reason": found.reason,
    })
}

fn is_left(plan: &Plan<'_>) -> bool {
    rules::unfinished(plan).next().is_some()
}

const ALL: [Status; 4] = [Status::Done, Status::Active, Status::Open, Status::Cancelled];

fn count(plan: &Plan<'_>, status: Status) -> usize {
    plan.live_goals().filter(|goal| goal.status() == status).count()
}

/// `1 done, 2 active, 3 open`
pub(super) fn goals(plan: &Plan<'_>) -> String {
    let counts = ALL.map(|status| (count(plan, status), status.word()));
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    if counts.is_empty() { "none".to_owned() } else { counts }
}

/// The counts under `--json`.
pub(super) fn goal_counts(plan: &Plan<'_>) -> Value {
    ALL.iter().map(|status| (status.word().to_owned(), Value::from(count(plan, *status)))).collect()
}
