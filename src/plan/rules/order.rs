//! The order of work in contract mode (`CONTRACT.md` §2, §3.1): the current goal, the next step, and marks that the log does not
//! mention.

use std::collections::HashSet;

use super::needs::Needs;
use super::state::{Approvals, HoldReason, PlanState, is_finished, state};
use crate::plan::log::{LogLine, StepEnd};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan, Status};

/// The state of the work. Goals and steps are indices into [`Plan::goals`] and [`Plan::steps`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The first goal above the archive that is not finished.
    pub goal: Option<usize>,
    /// The active steps; more than one only after a hand edit or a merge.
    pub active: Vec<usize>,
    /// The step to start now: the first pending step of the current goal, if no step is active and all needs of the goal are
    /// signed off.
    pub eligible: Option<usize>,
    /// The needs of the current goal that are not signed off.
    pub missing: Vec<String>,
}

impl Order {
    /// Reads the plan. Linear in the plan.
    pub fn of(plan: &Plan<'_>) -> Self {
        let active = active_steps(plan);
        let Some(goal) = plan.live_goals().find(|goal| !is_finished(*goal)) else {
            return Order { active, ..Order::default() };
        };
        let missing = Needs::new(plan).missing(goal);
        let is_free = active.is_empty() && missing.is_empty();
        let eligible = first(goal, Mark::Pending).filter(|_| is_free);
        Order { goal: Some(goal.index()), active, eligible, missing }
    }

    /// Returns why no step of an approved plan can be started.
    fn held(&self, plan: &Plan<'_>) -> Option<HoldReason> {
        let goal = plan.goal(self.goal.filter(|_| self.active.is_empty())?)?;
        let name = goal.name().to_owned();
        if !self.missing.is_empty() {
            return Some(HoldReason::SignOff { goal: name, needs: self.missing.clone() });
        }
        let failed = first(goal, Mark::Failed).filter(|_| self.eligible.is_none())?;
        Some(HoldReason::Failed { goal: name, step: plan.step(failed)?.name() })
    }
}

/// Returns why the plan is held. `None` if work can go on, if the plan is complete or has no goals, or in guide mode.
pub fn held(plan: &Plan<'_>) -> Option<HoldReason> {
    match state(plan) {
        PlanState::Guide | PlanState::None | PlanState::Complete => None,
        PlanState::Unapproved => Some(HoldReason::Unapproved),
        PlanState::Proposed => Some(HoldReason::Proposed),
        PlanState::Active => Order::of(plan).held(plan),
    }
}

/// Returns the state of a plan in contract mode as a line of text; `None` in guide mode and without a goal.
pub fn standing_of_contract(plan: &Plan<'_>) -> Option<String> {
    match (state(plan), held(plan)) {
        (PlanState::Guide | PlanState::None, _) => None,
        (PlanState::Complete, _) => Some("complete: every goal is signed off or cancelled (plan archive)".to_owned()),
        (_, Some(held)) => Some(held.to_string()),
        (_, None) => Some("approved, at work".to_owned()),
    }
}

/// Returns the goal to work on now: that of the active step, else the first unfinished goal. `None` in guide mode, and if all steps are settled.
pub fn current<'p, 'a>(plan: &'p Plan<'a>) -> Option<GoalRef<'p, 'a>> {
    if !Approvals::read(plan).holds(plan) {
        return None;
    }
    let order = Order::of(plan);
    let step = order.active.first().and_then(|index| plan.step(*index));
    step.map(StepRef::goal).or_else(|| plan.goal(order.goal?))
}

/// Returns the step that becomes active after an approval, a finished step or a rewind; `None` if the plan is not active, or a step is.
pub fn next_activation(plan: &Plan<'_>) -> Option<usize> {
    if state(plan) == PlanState::Active { Order::of(plan).eligible } else { None }
}

/// Returns the next action in contract mode, in words: the remedy if the plan is held, the step to do or to start, or the sign-off
/// of the first goal that is not finished. `None` if nothing is left.
pub fn next_in_order(plan: &Plan<'_>) -> Option<String> {
    if let Some(held) = held(plan) {
        return Some(held.remedy());
    }
    if state(plan) != PlanState::Active {
        return None;
    }
    let order = Order::of(plan);
    let told = |step: StepRef<'_, '_>| format!("{}. {}", step.name(), step.text());
    if let Some(step) = order.active.first().and_then(|at| plan.step(*at)) {
        return Some(told(step));
    }
    if let Some(step) = order.eligible.and_then(|at| plan.step(at)) {
        return Some(format!("plan step start {}", step.name()));
    }
    let unsigned = plan.live_goals().find(|goal| !goal.status().is_finished())?;
    Some(format!("plan complete {}", unsigned.typed()))
}

/// Returns the active steps in file order, without those of archived and cancelled goals.
pub fn active_steps(plan: &Plan<'_>) -> Vec<usize> {
    let goals = plan.live_goals().filter(|goal| goal.status() != Status::Cancelled);
    goals
        .flat_map(|goal| {
            let first = goal.raw().steps.start as usize;
            goal.steps().iter().enumerate().filter(|(_, step)| step.mark == Mark::Active).map(move |(at, _)| first + at)
        })
        .collect()
}

/// The steps of a goal that are not settled.
pub fn unsettled<'p, 'a>(goal: GoalRef<'p, 'a>) -> impl Iterator<Item = StepRef<'p, 'a>> {
    let steps = goal.raw().steps.start as usize..goal.raw().steps.end as usize;
    steps.filter_map(move |at| goal.plan().step(at)).filter(|step| !step.raw().mark.is_settled())
}

/// The first step of a goal with this mark.
fn first(goal: GoalRef<'_, '_>, mark: Mark) -> Option<usize> {
    let at = goal.steps().iter().position(|step| step.mark == mark)?;
    Some(goal.raw().steps.start as usize + at)
}

/// Marks that were set by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OddMarks {
    /// The step is complete, failed or skipped, but no log line says so.
    Unlogged(usize),
    /// More than one step is active.
    SeveralActive(Vec<usize>),
}

impl OddMarks {
    /// Describes the marks in a sentence: `step 5 is complete, and the log does not say so`.
    pub fn describe(&self, plan: &Plan<'_>) -> String {
        let name = |index: &usize| plan.step(*index).map(StepRef::name).unwrap_or_default();
        match self {
            OddMarks::Unlogged(step) => {
                let mark = plan.steps.get(*step).map_or("", |step| step.mark.word());
                format!("step {} is {mark}, and the log does not say so", name(step))
            }
            OddMarks::SeveralActive(steps) => {
                let names: Vec<String> = steps.iter().map(name).collect();
                format!("steps {} are active at once; one step at a time", names.join(" and "))
            }
        }
    }
}

/// Returns the marks above the archive that no command set, in file order. Only for a plan in contract mode: in guide mode a mark
/// needs no log line. Linear in the plan.
pub fn odd_marks(plan: &Plan<'_>) -> Vec<OddMarks> {
    let said: HashSet<(&str, StepEnd)> = plan
        .log
        .iter()
        .filter_map(|line| match LogLine::parse(plan.text(line.text))? {
            LogLine::Step { name, end, .. } => Some((name, end)),
            _ => None,
        })
        .collect();
    let is_logged = |step: StepRef<'_, '_>| match StepEnd::of(step.raw().mark) {
        None | Some(StepEnd::Retried) => true,
        Some(end) => said.contains(&(step.name().as_str(), end)),
    };
    let steps = plan.all_steps().filter(|step| !step.goal().raw().archived);
    let mut found: Vec<OddMarks> =
        steps.filter(|step| !is_logged(*step)).map(|step| OddMarks::Unlogged(step.index())).collect();
    let active = active_steps(plan);
    if active.len() > 1 {
        found.push(OddMarks::SeveralActive(active));
    }
    found
}
