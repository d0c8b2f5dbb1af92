//! Decides whether a plan in contract mode, in its current state, allows a request (`CONTRACT.md` §3.2, §3.3). In guide
//! mode everything here is allowed.

use super::moves::{GoalMove, StepMove};
use super::order::{Order, unsettled};
use super::state::{Approvals, PlanState, Proposal, is_finished, state_of};
use crate::error::{Error, Kind, Result};
use crate::plan::log::{LogLine, ProposedEdit};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan, Status};

/// The change that a command requests.
#[derive(Clone, Copy, Debug)]
pub enum PlanRequest<'w> {
    /// Changes no contract, mark or status: a line in the log, a priority.
    Free,
    /// Changes the contract.
    Shape {
        /// Why.
        because: Option<&'w str>,
        /// The caller's command line with `--because` added.
        again: Option<&'w str>,
    },
    /// Changes a mark.
    Step {
        /// The command as it is typed: `step done`, `step run`.
        command: &'static str,
        /// The move of the step.
        to: StepMove,
        /// The step, as the caller names it.
        step: &'w str,
        /// The outcome or the reason.
        text: Option<&'w str>,
    },
    /// Changes a status.
    Goal {
        /// The move of the goal.
        to: GoalMove,
        /// The goal, as the caller names it.
        goal: &'w str,
        /// Why.
        because: Option<&'w str>,
    },
    /// Moves goals to the archive.
    Archive,
    /// Drafts a new plan.
    Draft,
    /// A request that only a person may make, and the person was asked before: approve, reject, clear, rewind.
    Person {
        /// Whether the next step becomes active afterwards.
        activates: bool,
    },
}

impl PlanRequest<'_> {
    /// The command as it is named in a refusal.
    fn attempt(self) -> String {
        match self {
            PlanRequest::Step { command, step, .. } => format!("{command} {step}"),
            PlanRequest::Goal { to: GoalMove::Start, goal, .. } => format!("goal start {}", typed(goal)),
            PlanRequest::Goal { to: GoalMove::Complete, goal, .. } => format!("complete {}", typed(goal)),
            PlanRequest::Goal { to: GoalMove::Cancel, goal, .. } => format!("goal cancel {}", typed(goal)),
            PlanRequest::Archive => "archive".to_owned(),
            PlanRequest::Draft => "draft".to_owned(),
            PlanRequest::Free | PlanRequest::Shape { .. } | PlanRequest::Person { .. } => String::new(),
        }
    }

    /// Whether the next step becomes active afterwards.
    pub const fn activates(self) -> bool {
        matches!(
            self,
            PlanRequest::Step { to: StepMove::Done | StepMove::Skip, .. } | PlanRequest::Person { activates: true }
        )
    }
}

/// Checks that the plan allows a request. [`super::hold`] checks a change of the contract, once the change is known.
///
/// # Errors
/// [`Kind::Refused`], with the command to run instead; [`Kind::Input`] for a missing step or goal, or an empty outcome.
pub fn allow(plan: &Plan<'_>, request: PlanRequest<'_>) -> Result<()> {
    let log = Approvals::read(plan);
    let state = state_of(plan, &log);
    match (state, request) {
        (PlanState::Guide, _) | (_, PlanRequest::Free | PlanRequest::Shape { .. } | PlanRequest::Person { .. }) => {
            Ok(())
        }
        (PlanState::None | PlanState::Complete, PlanRequest::Archive)
        | (PlanState::None | PlanState::Unapproved, PlanRequest::Draft) => Ok(()),
        (PlanState::Unapproved, PlanRequest::Goal { to: GoalMove::Cancel, .. }) => Ok(()),
        (_, PlanRequest::Archive) => Err(not_all_finished(plan)),
        (PlanState::Active | PlanState::Proposed, PlanRequest::Draft) => Err(at_work()),
        (PlanState::Complete, PlanRequest::Draft) => Ok(()),
        (PlanState::None, _) if was_cleared(plan) => Err(no_goals(&request.attempt())),
        (PlanState::None | PlanState::Unapproved, _) => Err(never_approved(&request.attempt())),
        (PlanState::Proposed, PlanRequest::Goal { to: GoalMove::Cancel, goal, because }) => {
            cancel(plan, goal, because)?;
            let name = plan.find_goal(goal)?.name().to_owned();
            let is_same = |one: &Proposal<'_>| matches!(one.edit, ProposedEdit::Cancel { goal } if goal == name);
            if log.by_line().any(is_same) { Err(waits(plan, &log, &request.attempt())) } else { Ok(()) }
        }
        (PlanState::Proposed, _) => Err(waits(plan, &log, &request.attempt())),
        (PlanState::Complete, _) => Err(complete()),
        (PlanState::Active, PlanRequest::Step { command, to, step, text }) => {
            let word = command.rsplit(' ').next().unwrap_or(command);
            moved(plan.find_step(step)?, word, to, text)
        }
        (PlanState::Active, PlanRequest::Goal { to, goal, because }) => match to {
            GoalMove::Start => begun(plan.find_goal(goal)?),
            GoalMove::Complete => settled(plan.find_goal(goal)?),
            GoalMove::Cancel => cancel(plan, goal, because),
        },
    }
}

pub(super) fn refused(what: impl std::fmt::Display) -> Error {
    Error::new(Kind::Refused, format!("refused: {what}"))
}

/// Whether an earlier plan in this file was cleared. A plan that begins anew was approved before.
fn was_cleared(plan: &Plan<'_>) -> bool {
    plan.log_lines().any(|(_, text)| matches!(LogLine::parse(text), Some(LogLine::Cleared { .. })))
}

fn no_goals(attempt: &str) -> Error {
    refused(format!("`{attempt}` needs an approved plan, and this one has no goals")).hint("plan goal add \"subject\"")
}

// R1
fn never_approved(attempt: &str) -> Error {
    refused(format!("`{attempt}` needs an approved plan; this one was never approved")).hint(
        "a person approves in their own terminal: `plan approve`; an agent asks for it in its chat: `plan review`",
    )
}

// R2
fn waits(plan: &Plan<'_>, log: &Approvals<'_>, attempt: &str) -> Error {
    let (stamp, name) = log.newest.map_or(("", ""), |(stamp, approval)| (stamp, approval.name));
    let changed: Vec<String> =
        log.proposals.iter().filter(|one| !one.edit.is_by_line()).map(|one| one.edit.to_string()).collect();
    let mut what: Vec<String> = log.by_line().map(|one| format!("{} is proposed", one.edit.as_noun())).collect();
    let approved = log.newest.map_or("", |(_, approval)| approval.contract);
    if !crate::plan::contract::plan_contract(plan).is_short(approved) {
        let changed = if changed.is_empty() { "by hand".to_owned() } else { changed.join("; ") };
        what.insert(0, format!("the contract has changed: {changed}"));
    }
    refused(format!("`{attempt}` waits: since {name} approved it ({stamp}) {}", what.join("; ")))
        .hint("`plan approve` shows and agrees; `plan review --reject \"why\"` takes it back")
}

// R3
pub(super) fn complete() -> Error {
    refused("the plan is complete: every goal is signed off or cancelled")
        .hint("`plan draft \"objective\"` begins the next one; `plan archive` puts this one away")
}

// R21
fn at_work() -> Error {
    refused("the approved plan is at work")
        .hint("`plan clear` ends it, or change it: `plan goal add \"subject\" --step \"task\" --because \"why\"`")
}

// R22
fn not_all_finished(plan: &Plan<'_>) -> Error {
    let left = plan.live_goals().filter(|goal| !goal.status().is_finished()).count();
    let are = if left == 1 { "is" } else { "are" };
    refused(format!("goals are archived when the plan is complete; {left} {are} not")).hint("`plan next`")
}

/// Checks the move of a step in an approved plan.
fn moved(step: StepRef<'_, '_>, word: &str, to: StepMove, text: Option<&str>) -> Result<()> {
    let (plan, mark, name) = (step.plan(), step.raw().mark, step.name());
    let order = Order::of(plan);
    if step.goal().raw().archived || step.goal().status().is_finished() && mark != Mark::Active {
        return Err(finished(step.goal()));
    }
    match to {
        StepMove::Start => startable(step, &order),
        StepMove::Retry if mark == Mark::Failed => match text {
            Some(_) => Ok(()),
            None => Err(reason_needed(Some(&format!("plan step retry {name} --because \"why\"")))),
        },
        StepMove::Retry => Err(refused(format!(
            "`{word}` needs a failed step; step {name} is {}, only a failed step is retried",
            mark.word()
        ))
        .hint(way_on(step, &order))),
        StepMove::Done | StepMove::Fail | StepMove::Skip if order.active.contains(&step.index()) => match text {
            Some(_) => Ok(()),
            None => {
                let wanted =
                    if to == StepMove::Done { format!("the outcome of step {name}") } else { "a reason".to_owned() };
                Err(Error::input(format!("expected {wanted}, found an empty text"))
                    .hint(format!("plan step {} {name} \"text\"", to.word())))
            }
        },
        StepMove::Done | StepMove::Fail | StepMove::Skip => Err(not_active(step, word, &order)),
    }
}

// R4
fn not_active(step: StepRef<'_, '_>, word: &str, order: &Order) -> Error {
    let (name, mark) = (step.name(), step.raw().mark.word());
    let active = order.active.first().and_then(|at| step.plan().step(*at)).map(StepRef::name);
    let also = match (step.raw().mark, active) {
        (Mark::Pending, Some(active)) => format!(", step {active} is active"),
        (Mark::Pending, None) => ", and no step is active".to_owned(),
        (Mark::Complete | Mark::Skipped, _) => "; steps only move forward".to_owned(),
        _ => String::new(),
    };
    refused(format!("`{word}` needs the active step; step {name} is {mark}{also}")).hint(way_on(step, order))
}

/// The hint: what can be done with a step that does not allow the move.
fn way_on(step: StepRef<'_, '_>, order: &Order) -> String {
    let name = step.name();
    let active = order.active.first().and_then(|at| step.plan().step(*at)).map(StepRef::name);
    match (step.raw().mark, active) {
        (Mark::Failed, _) => format!("`plan step retry {name} --because \"why\"`"),
        (Mark::Complete | Mark::Skipped, _) => {
            let steps = step.index().checked_sub(1).and_then(|before| step.plan().step(before));
            let before = steps.filter(|before| !before.goal().raw().archived).map_or("0".to_owned(), StepRef::name);
            format!("a person may `plan rewind {before}`")
        }
        (Mark::Active, _) => format!("finish it first: `plan step done {name} \"outcome\"`"),
        (Mark::Pending, Some(active)) => format!("finish it first: `plan step done {active} \"outcome\"`"),
        (Mark::Pending, None) if startable(step, order).is_ok() => format!("begin it: `plan step start {name}`"),
        (Mark::Pending, None) => "`plan next`".to_owned(),
    }
}

/// Checks that a step may become active: R4 to R6.
fn startable(step: StepRef<'_, '_>, order: &Order) -> Result<()> {
    let (plan, name, mark) = (step.plan(), step.name(), step.raw().mark);
    if mark != Mark::Pending {
        let also = if mark.is_settled() { "; steps only move forward" } else { "" };
        let what = format!("`start` needs a pending step; step {name} is {}{also}", mark.word());
        return Err(refused(what).hint(way_on(step, order)));
    }
    // R6
    if let Some(active) = order.active.first().and_then(|at| plan.step(*at)).map(StepRef::name) {
        return Err(refused(format!("step {active} is active; one step at a time"))
            .hint(format!("`plan step done {active} \"outcome\"`; `skip` and `fail` end it too")));
    }
    // R5
    let Some(current) = order.goal.and_then(|goal| plan.goal(goal)) else { return Ok(()) };
    if current.index() != step.goal().index() {
        return Err(behind(step, current));
    }
    if order.missing.is_empty() {
        return Ok(());
    }
    let (goal, needs) = (current.name(), order.missing.join(", "));
    let are = if order.missing.len() == 1 { "is" } else { "are" };
    Err(refused(format!("step {name} belongs to {goal}; {goal} needs {needs}, which {are} not signed off"))
        .hint(format!("`plan complete {}`", typed(&order.missing[0]))))
}

/// R5: the refusal if a goal before the step's goal is not finished.
fn behind(step: StepRef<'_, '_>, current: GoalRef<'_, '_>) -> Error {
    let left = || unsettled(current);
    let failed = left().find(|step| step.raw().mark == Mark::Failed);
    let Some(open) = failed.or_else(|| left().next()) else { return refused("the goals are worked on in file order") };
    let (name, verb) = (open.name(), if open.raw().mark == Mark::Failed { "failed" } else { "is pending" });
    let what = format!(
        "step {} belongs to {}, which begins when every step of {} is complete or skipped; step {name} {verb}",
        step.name(),
        step.goal().name(),
        current.name()
    );
    refused(what).hint(match open.raw().mark {
        Mark::Failed => format!("propose `plan step retry {name} --because \"why\"`"),
        _ => format!("`plan step start {name}`"),
    })
}

// R8
pub(super) fn reason_needed(again: Option<&str>) -> Error {
    let error = refused("the approved contract changes only with a reason");
    match again {
        Some(again) => error.hint(format!("{again}   # makes it a proposal")),
        None => error.hint("the same command with `--because \"why\"`; it becomes a proposal"),
    }
}

// R9
pub(super) fn finished(goal: GoalRef<'_, '_>) -> Error {
    let what = match goal.status().is_finished() {
        true => format!("goal {} is finished", goal.name()),
        false => format!("every step of goal {} is settled", goal.name()),
    };
    refused(format!("{what}; what is finished stays as it was agreed"))
        .hint("add a goal after it: `plan goal add \"subject\" --step \"task\" --because \"why\"`")
}

/// Checks `goal start` in an approved plan: it only serves to see verify red; [`crate::signoff::start`] checks the files (R15).
fn begun(goal: GoalRef<'_, '_>) -> Result<()> {
    match goal.status() {
        Status::Active => Ok(()),
        Status::Done | Status::Cancelled => Err(finished(goal)),
        Status::Open => {
            let order = Order::of(goal.plan());
            let Some(first) = unsettled(goal).find(|step| step.raw().mark == Mark::Pending) else {
                return Err(refused(format!("goal {} begins with its first step, and none is pending", goal.name()))
                    .hint("`plan next`"));
            };
            startable(first, &order)?;
            Err(refused(format!("goal {} begins with its first step", goal.name()))
                .hint(format!("`plan step start {}`", first.name())))
        }
    }
}

// R16
fn settled(goal: GoalRef<'_, '_>) -> Result<()> {
    let open: Vec<StepRef<'_, '_>> = unsettled(goal).collect();
    let Some(first) = open.first().filter(|_| !goal.status().is_finished()) else { return Ok(()) };
    let names: Vec<String> = open.iter().map(|step| format!("{} ({})", step.name(), step.raw().mark.word())).collect();
    let active = open.iter().find(|step| step.raw().mark == Mark::Active).map(|step| step.name());
    let failed = open.iter().find(|step| step.raw().mark == Mark::Failed).map(|step| step.name());
    let hint = match (active, failed) {
        (Some(active), _) => format!("`plan step done {active} \"outcome\"`"),
        (None, Some(failed)) => format!("`plan step retry {failed} --because \"why\"`"),
        (None, None) => match startable(*first, &Order::of(goal.plan())) {
            Ok(()) => format!("`plan step start {}`", first.name()),
            // The turn of a later goal comes with the way on of the current one.
            Err(earlier) => earlier.hints.join("; "),
        },
    };
    Err(refused(format!("{} has steps that are not settled: {}", goal.name(), names.join(", "))).hint(hint))
}

/// Checks the proposal to cancel a goal.
fn cancel(plan: &Plan<'_>, goal: &str, because: Option<&str>) -> Result<()> {
    let goal = plan.find_goal(goal)?;
    if goal.raw().archived || goal.status().is_finished() {
        return Err(finished(goal));
    }
    match because {
        Some(_) => Ok(()),
        None => Err(reason_needed(Some(&format!("plan goal cancel {} \"why\"", goal.typed())))),
    }
}

/// Whether the steps of a goal may no longer change, because it is finished or all of them are settled: R9.
pub(super) fn is_closed(goal: GoalRef<'_, '_>) -> bool {
    is_finished(goal) && !goal.steps().is_empty() || goal.status().is_finished()
}

/// A goal's name, quoted for a shell if necessary.
pub(super) fn typed(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !name.is_empty() && name.bytes().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}
