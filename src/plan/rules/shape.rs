//! Checks the changes of a write to a plan that is held to its contract (`CONTRACT.md` §3.3, R8 to R14). The plan before is
//! compared with the plan after, whichever command wrote it: a command that does not declare a request may change nothing.

use std::collections::HashMap;

use super::order::Order;
use super::request::{PlanRequest, complete, finished, is_closed, reason_needed, refused};
use super::state::{Approvals, PlanState, state_of};
use super::valid::violations;
use crate::error::{Error, Result};
use crate::plan::contract::{Amendment, goal_contract, plan_contract};
use crate::plan::log::{LogLine, ProposedEdit};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan, Status};

/// The proposal that results from changing an approved contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// The changes in words, such as `step 7 added to docs-1`. They wait for approval.
    pub edits: Vec<String>,
    /// The log lines that record them.
    pub lines: Vec<String>,
}

/// Checks a change against the rules of contract mode. `after` is the plan with the change; log the returned lines with it.
///
/// # Errors
/// [`crate::error::Kind::Refused`] or `Input`, with the command to run instead. Nothing may be written then.
pub fn hold(before: &Plan<'_>, after: &Plan<'_>, request: PlanRequest<'_>) -> Result<Proposed> {
    let log = Approvals::read(before);
    let state = state_of(before, &log);
    if state == PlanState::Guide || matches!(request, PlanRequest::Person { .. } | PlanRequest::Draft) {
        return Ok(Proposed::default());
    }
    if matches!(request, PlanRequest::Free | PlanRequest::Shape { .. }) {
        nothing_done(before, after)?;
    }
    let is_agreed = matches!(state, PlanState::Active | PlanState::Proposed | PlanState::Complete);
    if !is_agreed || matches!(request, PlanRequest::Archive) || plan_contract(before) == plan_contract(after) {
        return Ok(Proposed::default());
    }
    if state == PlanState::Complete {
        return Err(complete());
    }
    let PlanRequest::Shape { because, again } = request else { return Err(reason_needed(None)) };
    let because = because.ok_or_else(|| reason_needed(again))?;
    let (old, new) = (Side::of(before), Side::of(after));
    let edits = edits(&old, &new);
    closed(&old, &new)?;
    forward(&old, &new)?;
    emptied(&old, &new)?;
    dangling(&old, &new)?;
    placed(before, &old, &new)?;
    valid(before, after)?;
    let lines = edits.iter().map(|edit| LogLine::Proposed { edit: edit.borrowed(), because }.to_string()).collect();
    Ok(Proposed { edits: edits.iter().map(|edit| edit.borrowed().to_string()).collect(), lines })
}

/// Whether the contract of `after` is the approved one and nothing is proposed: a change was taken back.
pub fn is_agreed(after: &Plan<'_>) -> bool {
    matches!(super::state(after), PlanState::Active | PlanState::Complete)
}

/// One side of the comparison: goals by id, else subject; steps by number.
struct Side<'p, 'a> {
    goals: Vec<GoalRef<'p, 'a>>,
    by_name: HashMap<&'a str, GoalRef<'p, 'a>>,
    steps: HashMap<u32, StepRef<'p, 'a>>,
}

impl<'p, 'a> Side<'p, 'a> {
    fn of(plan: &'p Plan<'a>) -> Self {
        let goals: Vec<GoalRef<'p, 'a>> = plan.live_goals().collect();
        let by_name = goals.iter().map(|goal| (goal.name(), *goal)).collect();
        let live = plan.all_steps().filter(|step| !step.goal().raw().archived);
        let steps = live.filter_map(|step| Some((step.raw().number?, step))).collect();
        Side { goals, by_name, steps }
    }

    fn goal(&self, name: &str) -> Option<GoalRef<'p, 'a>> {
        self.by_name.get(name).copied()
    }

    fn step(&self, of: StepRef<'_, '_>) -> Option<StepRef<'p, 'a>> {
        self.steps.get(&of.raw().number?).copied()
    }

    fn all_steps(&self) -> impl Iterator<Item = StepRef<'p, 'a>> {
        self.goals.iter().flat_map(|goal| steps(*goal))
    }
}

fn steps<'p, 'a>(goal: GoalRef<'p, 'a>) -> impl Iterator<Item = StepRef<'p, 'a>> {
    let range = goal.raw().steps.start as usize..goal.raw().steps.end as usize;
    range.filter_map(move |at| goal.plan().step(at))
}

/// The parts of a step that belong to the contract.
fn task<'p, 'a>(step: StepRef<'p, 'a>) -> (Vec<&'a str>, Option<&'a str>, &'p [u32]) {
    (step.text().split_whitespace().collect(), step.run(), step.after())
}

/// Checks that no mark or status is set: new steps must be pending, and new goals open.
fn nothing_done(before: &Plan<'_>, after: &Plan<'_>) -> Result<()> {
    let (old, new) = (Side::of(before), Side::of(after));
    for step in new.all_steps() {
        let was = old.step(step).map_or(Mark::Pending, |old| old.raw().mark);
        if step.raw().number.is_some() && step.raw().mark != was {
            let (name, mark) = (step.name(), step.raw().mark.word());
            return Err(Error::input(format!("expected step {name} to be {}, found {mark}", was.word()))
                .hint("leave its box as it is: `plan step start`, `done`, `fail` and `skip` set it"));
        }
    }
    for goal in &new.goals {
        let was = old.goal(goal.name()).map_or(Status::Open, GoalRef::status);
        if goal.status() != was && !(was == Status::Open && old.goal(goal.name()).is_none() && goal.id().is_none()) {
            let (name, status) = (goal.name(), goal.status().word());
            return Err(Error::input(format!("expected goal {name} to be {}, found {status}", was.word()))
                .hint("leave `status` out: a goal becomes active with its first step"));
        }
    }
    Ok(())
}

/// A [`ProposedEdit`] that owns its names.
enum OwnedEdit {
    StepAdded(String, String),
    StepReworded(String),
    StepMoved(String, String),
    StepRemoved(String),
    GoalAdded(String),
    GoalRemoved(String),
    GoalAmended(String, String),
}

impl OwnedEdit {
    fn borrowed(&self) -> ProposedEdit<'_> {
        match self {
            OwnedEdit::StepAdded(step, goal) => ProposedEdit::StepAdded { step, goal },
            OwnedEdit::StepReworded(step) => ProposedEdit::StepReworded { step },
            OwnedEdit::StepMoved(step, goal) => ProposedEdit::StepMoved { step, goal },
            OwnedEdit::StepRemoved(step) => ProposedEdit::StepRemoved { step },
            OwnedEdit::GoalAdded(goal) => ProposedEdit::GoalAdded { goal },
            OwnedEdit::GoalRemoved(goal) => ProposedEdit::GoalRemoved { goal },
            OwnedEdit::GoalAmended(goal, what) => ProposedEdit::GoalAmended { goal, what },
        }
    }
}

/// Returns the changes that turn one contract into the other. The steps of an added or removed goal are not listed one by one.
fn edits(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Vec<OwnedEdit> {
    let mut edits = Vec::new();
    for goal in old.goals.iter().filter(|goal| new.goal(goal.name()).is_none()) {
        // A goal that was given an id is still the same goal.
        let is_named = goal.id().is_none() && new.goals.iter().any(|new| new.subject() == goal.subject());
        if !is_named {
            edits.push(OwnedEdit::GoalRemoved(goal.name().to_owned()));
        }
    }
    for goal in &new.goals {
        let was = old.goal(goal.name()).or_else(|| old.goal(goal.subject()).filter(|old| old.id().is_none()));
        let Some(was) = was else {
            edits.push(OwnedEdit::GoalAdded(goal.name().to_owned()));
            continue;
        };
        if let Some(amendment) = Amendment::between(&goal_contract(was), &goal_contract(*goal)) {
            edits.push(OwnedEdit::GoalAmended(goal.name().to_owned(), amendment.to_string()));
        }
        for step in steps(*goal) {
            let (name, own) = (step.name(), || goal.name().to_owned());
            match old.step(step) {
                None => edits.push(OwnedEdit::StepAdded(name, own())),
                Some(was) if was.goal().name() != goal.name() => edits.push(OwnedEdit::StepMoved(name, own())),
                Some(was) if task(was) != task(step) => edits.push(OwnedEdit::StepReworded(name)),
                Some(_) => {}
            }
        }
        edits.extend(shifted(was, *goal).map(|name| OwnedEdit::StepMoved(name, goal.name().to_owned())));
    }
    for step in old.all_steps() {
        if new.step(step).is_none() && step.raw().number.is_some() && new.goal(step.goal().name()).is_some() {
            edits.push(OwnedEdit::StepRemoved(step.name()));
        }
    }
    edits
}

/// Returns the step that changed its place, among the steps that the goal had before and still has.
fn shifted(was: GoalRef<'_, '_>, is: GoalRef<'_, '_>) -> Option<String> {
    let numbers = |goal: GoalRef<'_, '_>| goal.steps().iter().filter_map(|step| step.number).collect::<Vec<u32>>();
    let (old, new) = (numbers(was), numbers(is));
    let both = |one: &[u32], other: &[u32]| {
        let other: std::collections::HashSet<u32> = other.iter().copied().collect();
        one.iter().copied().filter(|number| other.contains(number)).collect::<Vec<u32>>()
    };
    let (old, new) = (both(&old, &new), both(&new, &old));
    let at = old.iter().zip(&new).position(|(old, new)| old != new)?;
    // One of the two steps that differ here was moved: without it, both lists are equal.
    let without = |list: &[u32], number: u32| list.iter().copied().filter(|one| *one != number).collect::<Vec<u32>>();
    let moved = if without(&old, old[at]) == without(&new, old[at]) { old[at] } else { new[at] };
    Some(moved.to_string())
}

// R9. While a goal waits for its sign-off, its criteria, verify and failure modes may still change, but not its steps.
fn closed(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Result<()> {
    for was in old.goals.iter().filter(|goal| is_closed(**goal)) {
        let tasks = |goal: GoalRef<'_, '_>| {
            steps(goal).map(|step| (step.raw().number, step.text().to_owned())).collect::<Vec<_>>()
        };
        let same = new.goal(was.name()).is_some_and(|is| {
            let is_mended = !was.status().is_finished();
            (is_mended || goal_contract(*was).digest == goal_contract(is).digest)
                && tasks(*was) == tasks(is)
                && steps(*was).zip(steps(is)).all(|(was, is)| task(was) == task(is))
        });
        if !same {
            return Err(finished(*was));
        }
    }
    Ok(())
}

// R10
fn forward(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Result<()> {
    for was in old.all_steps().filter(|step| step.raw().number.is_some()) {
        let (name, mark) = (was.name(), was.raw().mark);
        let is = new.step(was);
        let is_moved = is.is_none_or(|is| is.goal().name() != was.goal().name());
        if mark != Mark::Pending && is_moved {
            let what = format!("step {name} is {}; only pending steps are moved or removed", mark.word());
            return Err(refused(what).hint(instead(was)));
        }
        let is_reworded = is.is_some_and(|is| task(is) != task(was));
        if !matches!(mark, Mark::Pending | Mark::Active) && is_reworded {
            let what = format!("step {name} is {}; only pending and active steps are reworded", mark.word());
            return Err(refused(what).hint(instead(was)));
        }
    }
    for was in &old.goals {
        let Some(name) = new.goal(was.name()).and_then(|is| shifted(*was, is)) else { continue };
        let moved = name.parse().ok().and_then(|number: u32| old.steps.get(&number));
        if let Some(moved) = moved.filter(|step| step.raw().mark != Mark::Pending) {
            let what = format!("step {name} is {}; only pending steps are moved or removed", moved.raw().mark.word());
            return Err(refused(what).hint(instead(*moved)));
        }
    }
    Ok(())
}

/// The hint: what to propose instead for a step that is no longer pending.
fn instead(step: StepRef<'_, '_>) -> String {
    let name = step.name();
    match step.raw().mark {
        Mark::Failed => format!("`plan step retry {name} --because \"why\"` makes it pending"),
        Mark::Active => format!("`plan step skip {name} \"why\"` ends it"),
        _ => format!("`plan step add {} \"task\" --because \"why\"` adds one", step.goal().typed()),
    }
}

// R12
fn emptied(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Result<()> {
    let emptied = new.goals.iter().filter(|goal| goal.steps().is_empty());
    for (is, was) in emptied.filter_map(|goal| Some((goal, old.goal(goal.name())?))) {
        let Some(only) = steps(was).next() else { continue };
        let (name, goal) = (only.name(), is.name());
        return Err(refused(format!("step {name} is the only step of {goal}, and a goal has at least one"))
            .hint(format!("`plan goal remove {} --because \"why\"`", is.typed())));
    }
    Ok(())
}

// R11
fn dangling(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Result<()> {
    for gone in old.all_steps().filter(|step| step.raw().number.is_some() && new.step(*step).is_none()) {
        let number = gone.raw().number.unwrap_or_default();
        let behind: Vec<String> =
            new.all_steps().filter(|step| step.after().contains(&number)).map(StepRef::name).collect();
        let Some(first) = behind.first() else { continue };
        let (noun, come) = if behind.len() == 1 { ("step", "comes") } else { ("steps", "come") };
        return Err(refused(format!("{noun} {} {come} after step {number}", behind.join(" and ")))
            .hint(format!("`plan step set {first} --after none --because \"why\"`, then again")));
    }
    Ok(())
}

// R13
fn placed(before: &Plan<'_>, old: &Side<'_, '_>, new: &Side<'_, '_>) -> Result<()> {
    let Some(current) = Order::of(before).goal.and_then(|goal| before.goal(goal)) else { return Ok(()) };
    let is_new = |goal: &GoalRef<'_, '_>| old.goal(goal.name()).is_none();
    let in_front = new.goals.iter().take_while(|goal| goal.name() != current.name());
    if new.goal(current.name()).is_some() && in_front.into_iter().any(is_new) {
        return Err(refused(format!("a goal goes after the current one, {}", current.name()))
            .hint("`--before ID` of a later goal, or leave it out"));
    }
    Ok(())
}

/// R14: refuses a change that adds a violation. Violations from before may be mended one by one.
fn valid(before: &Plan<'_>, after: &Plan<'_>) -> Result<()> {
    let mut known: Vec<String> = violations(before).into_iter().map(|finding| finding.message).collect();
    let mut new = violations(after);
    new.retain(|finding| match known.iter().position(|message| *message == finding.message) {
        Some(at) => {
            known.swap_remove(at);
            false
        }
        None => true,
    });
    let Some(first) = new.first() else { return Ok(()) };
    let all: Vec<&str> = new.iter().map(|finding| finding.message.as_str()).collect();
    Err(Error::input(format!("this would be no valid contract: {}", all.join("; "))).hint(first.remedy.clone()))
}
