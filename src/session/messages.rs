//! The texts that a session is given: the block, the reminder, the push (`INJECTION.md` §1, §3, §4).

use super::change_detection::ticked;
use super::plan_snapshot::PlanSnapshot;
use super::state::State;
use crate::config;
use crate::plan::block::{self, Options};
use crate::plan::model::{GoalRef, Mark, Plan, Status};
use crate::plan::{rules, view};
use crate::prompt::Prompt;
use crate::store::Place;

/// No host takes more than 10,000 bytes at once; the reminder may stand beside it.
const FULL: usize = 8_000;
/// Bytes of a goal or an objective in a push.
const LINE: usize = 200;
/// Goals that a refusal names.
const NAMED: usize = 5;

/// How much of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything above the log.
    Full,
    /// The block.
    Block,
}

/// The plan; empty where nothing is open or active. None where it cannot be read.
pub(super) fn text(place: &PlanSnapshot<'_>, show: Extent) -> Option<String> {
    Some(of(place, &place.plan()?, show))
}

fn of(place: &Place, plan: &Plan<'_>, show: Extent) -> String {
    let file = place.shown.to_string_lossy();
    let max_bytes = if show == Extent::Full { FULL } else { Options::default().max_bytes };
    block::block(plan, &Options { file: &file, full: show == Extent::Full, max_bytes })
}

/// The reminder.
pub(super) fn reminder() -> Option<String> {
    fill(Prompt::Reminder, &[])
}

/// What an agent is told that stopped too early. Without the block where each request has it anyway.
pub(super) fn continuation(place: &Place, plan: &Plan<'_>, with_block: bool) -> Option<String> {
    let next = rules::next(plan).map(view::goal_line).unwrap_or_default();
    let objective = block::quoted(plan.objective().unwrap_or_default(), LINE);
    let next = block::quoted(&next, LINE);
    let block = if with_block { of(place, plan, Extent::Block) } else { String::new() };
    let text = fill(Prompt::Continuation, &[("objective", &objective), ("block", block.trim_end()), ("next", &next)])?;
    Some(closed(text, with_block))
}

/// What an agent is told that says that nothing is left to do.
pub(super) fn sign_off(place: &Place, plan: &Plan<'_>, with_block: bool) -> Option<String> {
    let objective = block::quoted(plan.objective().unwrap_or_default(), LINE);
    let block = if with_block { of(place, plan, Extent::Block) } else { String::new() };
    let text = fill(Prompt::LoopDone, &[("objective", &objective), ("block", block.trim_end())])?;
    Some(closed(text, with_block))
}

/// A text without the gap that a block left out leaves.
fn closed(text: String, with_block: bool) -> String {
    if with_block { text } else { text.replace("\n\n\n", "\n") }
}

/// That a plan of the host's own could become goals.
pub(super) fn offer(place: &Place, what: &str) -> Option<String> {
    let file = file(place);
    let mut what = what.to_owned();
    what[..1].make_ascii_uppercase();
    fill(Prompt::HostPlan, &[("what", &what), ("file", &file)])
}

/// Why a goal of the host's own is not complete: the goals that are active, or were made done by hand. None where none is.
pub(super) fn unfinished(place: &PlanSnapshot<'_>, state: &State) -> Option<String> {
    let plan = place.plan()?;
    let active: Vec<_> = plan.live_goals().filter(|goal| goal.status() == Status::Active).collect();
    let ticked = ticked(&plan, state);
    let first = match (active.is_empty(), ticked.is_empty()) {
        (true, true) => return None,
        (false, _) => format!("{} of {} not signed off", names(&active), file(place)),
        (true, false) => format!(
            "{} of {} done by hand, with no sign-off that matches; `plan goal start <id>` reopens it",
            names(&ticked),
            file(place)
        ),
    };
    Some(format!(
        "not complete: {first}. Sign off with `plan complete <id>`, or say what blocks with `plan pause \"why\"`"
    ))
}

/// Why nothing can be gone on with though goals are left, and the command that mends it. None where something can.
pub(super) fn waiting(plan: &Plan<'_>) -> Option<String> {
    if let Some((goal, needs)) = rules::blocked(plan) {
        let needs: Vec<String> = needs.iter().take(NAMED).map(|id| name(id)).collect();
        return Some(format!("no goal is ready: {} needs {}", name(goal.name()), needs.join(", ")));
    }
    let goal = rules::next(plan)?;
    let has_open =
        |goal: GoalRef<'_, '_>| goal.steps().iter().any(|step| matches!(step.mark, Mark::Pending | Mark::Active));
    // In guide mode a failed step is the agent's to try again.
    let failed = goal.steps().iter().find(|step| step.mark == Mark::Failed && plan.is_contract_mode());
    if let Some(step) = failed.filter(|_| !has_open(goal)) {
        let number = step.number.map(|number| number.to_string()).unwrap_or_default();
        let name = name(goal.name());
        return Some(format!(
            "step {number} of {name} failed and waits for a person: plan step retry {number} --because \"why\""
        ));
    }
    let waits = !rules::ready(plan).into_iter().any(has_open) && config::is_person_judge();
    waits.then(|| {
        format!("only a person can sign off {}: plan complete {}", name(goal.name()), block::quoted(goal.name(), LINE))
    })
}

/// The first of the goals by their names.
fn names(goals: &[GoalRef<'_, '_>]) -> String {
    let more = if goals.len() > NAMED { ", …" } else { "" };
    goals.iter().take(NAMED).map(|goal| name(goal.name())).collect::<Vec<_>>().join(", ") + more
}

fn name(name: &str) -> String {
    format!("`{}`", block::quoted(name, LINE))
}

/// The plan as a message names it.
pub(super) fn file(place: &Place) -> String {
    block::quoted(&place.shown.to_string_lossy(), LINE)
}

/// The prompt, or what the user put in its place; one that cannot be filled is passed over: a hook has nobody to tell.
pub(super) fn fill(prompt: Prompt, values: &[(&str, &str)]) -> Option<String> {
    let other = config::prompt_override(prompt.file_name()).ok().flatten();
    other.and_then(|other| prompt.fill(Some(&other), values).ok()).or_else(|| prompt.fill(None, values).ok())
}
