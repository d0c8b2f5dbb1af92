//! Whether plan.md is what a session saw of it last: it is read only where it was touched.

use super::plan_snapshot::PlanSnapshot;
use super::state::{SeenPlan, State};
use crate::plan::model::{GoalRef, Key, Mark, Plan, Status};
use crate::plan::rules::Record;

/// Goals that were done when a session began, at most so many by their names.
const REMEMBERED: usize = 64;

/// How the plan stands against what a session saw of it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanChange {
    /// As it was.
    No,
    /// Other bytes.
    Yes,
}

/// Looks at the plan again and takes down in `state` what is there now. What a new version or newly finished work resets is
/// reset. None where it cannot be read: a damaged plan is nothing to speak of here.
pub(super) fn refresh(place: &PlanSnapshot<'_>, state: &mut State) -> Option<PlanChange> {
    let stamp = place.stamp()?;
    if stamp == state.seen.stamp {
        return Some(PlanChange::No);
    }
    let bytes = hash(place.source()?);
    if bytes == state.seen.bytes && !state.seen.stamp.is_empty() {
        stamp.clone_into(&mut state.seen.stamp);
        return Some(PlanChange::No);
    }
    let plan = place.plan()?;
    let new = seen(&plan, stamp.to_owned(), bytes);
    let is_first = state.seen.stamp.is_empty();
    let done = plan.live_goals().filter(|goal| goal.status() == Status::Done).map(named);
    if is_first {
        state.ticks_seen = bytes;
        state.done_before = done.take(REMEMBERED).collect();
    } else if !state.done_before.is_empty() {
        // One that was reopened since is no longer one of them.
        let done: Vec<u64> = done.collect();
        state.done_before.retain(|goal| done.contains(goal));
    }
    if !is_first && (new.shape != state.seen.shape || new.finished > state.seen.finished) {
        state.pushes = 0;
    }
    let finished = new.finished.max(state.seen.finished);
    state.seen = SeenPlan { finished, ..new };
    state.idle = 0;
    Some(PlanChange::Yes)
}

fn seen(plan: &Plan<'_>, stamp: String, bytes: u64) -> SeenPlan {
    let goals = plan.all_goals().filter(|goal| goal.status() == Status::Done).count();
    let is_finished = |mark| matches!(mark, Mark::Complete | Mark::Failed | Mark::Skipped);
    SeenPlan {
        stamp,
        bytes,
        shape: shape(plan),
        finished: goals + plan.steps.iter().filter(|step| is_finished(step.mark)).count(),
        has_active: plan.live_goals().any(|goal| goal.status() == Status::Active),
        remind_every: remind_every(plan),
    }
}

/// `remind_every` of the front matter: file-modifying turns until the reminder; 3 where it says nothing, 0 is never.
pub fn remind_every(plan: &Plan<'_>) -> u32 {
    plan.front_value("remind_every").and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// What its goals and steps are, without what of them is done. The objective, the front matter and the log are none of it.
pub(super) fn shape(plan: &Plan<'_>) -> u64 {
    let mut hash = FIRST;
    let mut add = |text: &str| hash = hash_on(hash_on(hash, text.as_bytes()), &[0xff]);
    for goal in plan.live_goals() {
        add(goal.subject());
        goal.fields().iter().filter(|field| field.key != Key::Status).for_each(|field| add(plan.text(field.lines)));
    }
    for step in plan.all_steps() {
        add(step.text());
    }
    hash
}

/// A goal by its name, short enough to be remembered.
pub(super) fn named(goal: GoalRef<'_, '_>) -> u64 {
    hash(goal.name().as_bytes())
}

/// The goals that say done by no sign-off that the log holds for them, and did not when the session began.
pub(super) fn ticked<'p, 'a>(plan: &'p Plan<'a>, state: &State) -> Vec<GoalRef<'p, 'a>> {
    let unsigned = Record::new(plan).unsigned(plan).into_iter().map(|(goal, _)| goal);
    unsigned.filter(|goal| !state.done_before.contains(&named(*goal))).collect()
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: the same in every version of this program, which a session may outlive.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    hash_on(FIRST, bytes)
}

fn hash_on(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
