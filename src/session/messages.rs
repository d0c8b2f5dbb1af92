//! The texts that hooks inject into a session: the block, the reminder, the pushes (`INJECTION.md` §1, §3, §4).

use super::change_detection::ticked;
use super::plan_snapshot::PlanSnapshot;
use super::state::SessionState;
use crate::config;
use crate::plan::block::{self, Options};
use crate::plan::model::{GoalRef, Mark, Plan, Status};
use crate::plan::{rules, view};
use crate::prompt::Prompt;
use crate::store::Place;

/// The maximum size of the full plan in bytes: hosts accept at most 10,000 at once, and the reminder may be added.
const FULL: usize = 8_000;
/// The maximum length of a goal or an objective in a push, in bytes.
const LINE: usize = 200;
/// The maximum number of goals that a refusal names.
const NAMED: usize = 5;

/// The extent of the plan that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything above the log.
    Full,
    /// The block.
    Block,
}

/// Returns the plan as text; empty if no goal is open or active. `None` if the plan cannot be read.
pub(super) fn text(place: &PlanSnapshot<'_>, show: Extent) -> Option<String> {
    Some(of(place, place.plan()?, show, false))
}

fn of(place: &Place, plan: &Plan<'_>, show: Extent, is_free: bool) -> String {
    let file = place.shown.to_string_lossy();
    let max_bytes = if show == Extent::Full { FULL } else { Options::default().max_bytes };
    block::block(plan, &Options { file: &file, full: show == Extent::Full, max_bytes, is_free })
}

/// Returns the text that a summary of the conversation should keep. `None` if no goal was started.
pub(super) fn compaction(place: &PlanSnapshot<'_>) -> Option<String> {
    let state = block::skeleton(place.plan()?, Options::default().max_bytes);
    let filled = || fill(Prompt::Compaction, &[("file", &file(place)), ("state", state.trim_end())]);
    if state.is_empty() { None } else { filled() }
}

/// Returns the reminder.
pub(super) fn reminder() -> Option<String> {
    fill(Prompt::Reminder, &[])
}

/// Returns the push for an agent that stopped too early. It needs no block if each request brings the block anyway.
pub(super) fn continuation(place: &Place, plan: &Plan<'_>, with_block: bool) -> Option<String> {
    let next = rules::next(plan).map(view::goal_line).unwrap_or_default();
    let objective = block::quoted(plan.objective().unwrap_or_default(), LINE);
    let next = block::quoted(&next, LINE);
    let block = if with_block { of(place, plan, Extent::Block, true) } else { String::new() };
    let text = fill(Prompt::Continuation, &[("objective", &objective), ("block", block.trim_end()), ("next", &next)])?;
    Some(closed(text, with_block))
}

/// Returns the push for an agent that says that nothing is left to do.
pub(super) fn sign_off(place: &Place, plan: &Plan<'_>, with_block: bool) -> Option<String> {
    let objective = block::quoted(plan.objective().unwrap_or_default(), LINE);
    let block = if with_block { of(place, plan, Extent::Block, true) } else { String::new() };
    let text = fill(Prompt::LoopDone, &[("objective", &objective), ("block", block.trim_end())])?;
    Some(closed(text, with_block))
}

/// Removes the empty lines that a missing block leaves.
fn closed(text: String, with_block: bool) -> String {
    if with_block { text } else { text.replace("\n\n\n", "\n") }
}

/// Returns the offer to turn the host's own plan into goals.
pub(super) fn offer(place: &Place, what: &str) -> Option<String> {
    let file = file(place);
    let mut what = what.to_owned();
    what[..1].make_ascii_uppercase();
    fill(Prompt::HostPlan, &[("what", &what), ("file", &file)])
}

/// Returns the reason why the host's own goal is not complete: goals are active, or were marked done by hand. `None` if neither.
pub(super) fn unfinished(place: &PlanSnapshot<'_>, state: &SessionState) -> Option<String> {
    let plan = place.plan()?;
    let active: Vec<_> = plan.live_goals().filter(|goal| goal.status() == Status::Active).collect();
    let ticked = ticked(plan, state);
    let first = match (active.is_empty(), ticked.is_empty()) {
        (true, true) => return None,
        (false, _) => format!("not signed off in {}: {}", file(place), names(&active)),
        (true, false) => format!(
            "marked done by hand in {}, without a matching sign-off: {}; `plan goal start <id>` reopens it",
            file(place),
            names(&ticked)
        ),
    };
    Some(format!(
        "not complete: {first}. Sign off with `plan complete <id>`, or say what blocks you: `plan pause \"why\"`"
    ))
}

/// Returns the reason why the agent cannot continue although goals are left, often with the command to use. `None` if it can.
pub(super) fn waiting(plan: &Plan<'_>) -> Option<String> {
    if let Some(held) = rules::held(plan) {
        return Some(block::quoted(&held.to_string(), 2 * LINE));
    }
    if let Some((goal, needs)) = rules::blocked(plan) {
        let needs: Vec<String> = needs.iter().take(NAMED).map(|id| name(id)).collect();
        return Some(format!("no goal is ready: {} needs {}", name(goal.name()), needs.join(", ")));
    }
    let goal = rules::next(plan)?;
    let has_open =
        |goal: GoalRef<'_, '_>| goal.steps().iter().any(|step| matches!(step.mark, Mark::Pending | Mark::Active));
    let waits = !rules::ready(plan).into_iter().any(has_open) && config::is_person_judge();
    waits.then(|| {
        format!("only a person can sign off {}: plan complete {}", name(goal.name()), block::quoted(goal.name(), LINE))
    })
}

/// Returns the names of the first [`NAMED`] goals.
fn names(goals: &[GoalRef<'_, '_>]) -> String {
    let more = if goals.len() > NAMED { ", …" } else { "" };
    goals.iter().take(NAMED).map(|goal| name(goal.name())).collect::<Vec<_>>().join(", ") + more
}

fn name(name: &str) -> String {
    format!("`{}`", block::quoted(name, LINE))
}

/// Returns the plan file's name for a message.
pub(super) fn file(place: &Place) -> String {
    block::quoted(&place.shown.to_string_lossy(), LINE)
}

/// Fills the prompt's template: the user's own, if there is one. A user's template that cannot be filled is skipped, because a
/// hook has nobody to report that to.
pub(super) fn fill(prompt: Prompt, values: &[(&str, &str)]) -> Option<String> {
    let other = config::prompt_override(prompt.file_name()).ok().flatten();
    other.and_then(|other| prompt.fill(Some(&other), values).ok()).or_else(|| prompt.fill(None, values).ok())
}
