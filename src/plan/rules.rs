//! The rules of a plan: which goals are ready, which step is next, which moves a goal or a step allows, and what the log says
//! about a goal. Nothing here changes the plan.

mod agreement;
mod cycle;
mod moves;
mod needs;
mod order;
mod record;
mod rejected;
mod request;
mod shape;
mod state;
mod valid;

pub use agreement::{Agreement, ContractChange};
pub use cycle::cycles;
pub use moves::{GoalMove, StepMove, bring_back, check_goal_move, check_step_move, not_changed};
pub use needs::Needs;
pub use order::{
    OddMarks, Order, active_steps, current, held, next_activation, next_in_order, odd_marks, standing_of_contract,
    unsettled,
};
pub use record::{GoalRecords, Rejection, Standing};
pub use rejected::refuse_again;
pub use shape::{Proposed, hold, is_agreed};
pub use state::{Approvals, HoldReason, PlanState, Proposal, RejectedEdits, is_finished, state, state_of};

pub use request::{PlanRequest, allow};
pub use valid::{invalid, replacing, violations};

pub use super::log::{SignOff, is_plan_line, looks_signed_off};
use super::model::{GoalRef, Key, LintFinding, Mark, Plan, Severity, Span, Status, Step};
use super::parse::UNREAD;
use super::text::placeholder;

/// Returns the text that keeps a goal from being started or signed off: an unread list item, a repeated field, or a shared id.
pub fn obstacle(goal: GoalRef<'_, '_>) -> Option<Span> {
    let unread = unread_items(goal).find(|found| found.severity == Severity::Error).map(|found| found.span);
    let repeated = || goal.fields().iter().find(|field| field.repeated).map(|field| field.lines);
    let twice = || {
        let (_, slug) = goal.raw().id?;
        let is_other = |other: GoalRef<'_, '_>| other.index() != goal.index() && other.id() == goal.id();
        goal.plan().all_goals().any(is_other).then_some(slug)
    };
    unread.or_else(repeated).or_else(twice)
}

/// Returns the first template placeholder that is left in a goal's criteria or failure modes, with its field.
pub fn placeholder_of(goal: GoalRef<'_, '_>) -> Option<(Key, String)> {
    [Key::DoneWhen, Key::FailureModes]
        .into_iter()
        .find_map(|key| goal.list(key).iter().find_map(|text| placeholder(text)).map(|found| (key, found.to_owned())))
}

/// Returns the unread list items below a goal's fields. They may be meant as part of its contract.
pub fn unread_items<'p>(goal: GoalRef<'p, '_>) -> impl Iterator<Item = &'p LintFinding> {
    let body = goal.raw().body.range();
    goal.plan().findings.iter().filter(move |found| found.code == UNREAD && body.contains(&(found.span.start as usize)))
}

/// Returns every unfinished goal that is ready ([`Needs::is_ready`]), by priority, then file order.
pub fn ready<'p, 'a>(plan: &'p Plan<'a>) -> Vec<GoalRef<'p, 'a>> {
    let needs = Needs::new(plan);
    let mut goals: Vec<_> = unfinished(plan).filter(|goal| needs.is_ready(*goal)).collect();
    goals.sort_by_key(|goal| goal.priority());
    goals
}

/// The goals above the archive that are neither done nor cancelled.
pub fn unfinished<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = GoalRef<'p, 'a>> {
    plan.live_goals().filter(|goal| !goal.status().is_finished())
}

/// Returns the first unfinished goal and the ids that it waits for, if no goal can be worked on.
pub fn blocked<'p, 'a>(plan: &'p Plan<'a>) -> Option<(GoalRef<'p, 'a>, Vec<String>)> {
    let goal = unfinished(plan).next().filter(|_| next(plan).is_none())?;
    Some((goal, Needs::new(plan).missing(goal)))
}

/// Returns the goals that can be worked on, best first: active goals whose needs are done, active goals that wait for others
/// (somebody works on them all the same), open goals that are ready; each by priority, then file order.
pub fn workable<'p, 'a>(plan: &'p Plan<'a>) -> Vec<GoalRef<'p, 'a>> {
    let needs = Needs::new(plan);
    let class = |goal: GoalRef<'p, 'a>| match goal.status() {
        Status::Active => Some(if needs.are_done(goal) { 0 } else { 1 }),
        _ => needs.is_ready(goal).then_some(2),
    };
    let key = |goal| Some((class(goal)?, goal.priority()));
    let mut goals: Vec<_> = unfinished(plan).filter_map(|goal| Some((key(goal)?, goal))).collect();
    goals.sort_by_key(|(key, _)| *key);
    goals.into_iter().map(|(_, goal)| goal).collect()
}

/// Returns the goal to work on now: the first of [`workable`]; in contract mode the [`current`] goal.
pub fn next<'p, 'a>(plan: &'p Plan<'a>) -> Option<GoalRef<'p, 'a>> {
    if let Some(goal) = current(plan) {
        return Some(goal);
    }
    workable(plan).into_iter().next()
}

/// Returns the step of a goal to do now, as an index into [`Plan::steps`]: the first active step, else the first pending step
/// that waits for nothing. `None` if no step is active and every pending step waits for a step that is not settled.
pub fn step_to_do(goal: GoalRef<'_, '_>) -> Option<usize> {
    pick(goal, None, &[])
}

/// Returns the step to do once the step at `index` has this mark.
pub fn step_to_do_after(goal: GoalRef<'_, '_>, index: usize, mark: Mark) -> Option<usize> {
    let number = goal.plan().steps.get(index).and_then(|step| step.number);
    let settled = number.filter(|_| matches!(mark, Mark::Complete | Mark::Skipped));
    pick(goal, Some(index), settled.as_slice())
}

/// Picks the step to do, but never the step at `but`. The step numbers in `settled` count as settled.
fn pick(goal: GoalRef<'_, '_>, but: Option<usize>, settled: &[u32]) -> Option<usize> {
    let first = goal.raw().steps.start as usize;
    let steps =
        || goal.steps().iter().enumerate().map(|(at, step)| (first + at, step)).filter(|(at, _)| Some(*at) != but);
    let is_free = |step: &Step| waits_for(goal.plan(), step).iter().all(|number| settled.contains(number));
    let active = steps().find(|(_, step)| step.mark == Mark::Active);
    active.or_else(|| steps().find(|(_, step)| step.mark == Mark::Pending && is_free(step))).map(|(at, _)| at)
}

/// Returns the numbers in a step's `(after …)` whose steps are neither complete nor skipped. A number that no step has does not
/// block: lint reports it.
pub fn waits_for(plan: &Plan<'_>, step: &Step) -> Vec<u32> {
    plan.afters[step.after.start as usize..step.after.end as usize]
        .iter()
        .copied()
        .filter(|number| plan.is_unsettled(*number))
        .collect()
}

#[cfg(test)]
mod tests;
