//! Detects whether plan.md changed since the session last saw it. The file is read only if its stamp changed.

use super::plan_snapshot::PlanSnapshot;
use super::state::{SeenPlan, SessionState};
use crate::plan::model::{GoalRef, Key, Mark, Plan, Status};
use crate::plan::rules::GoalRecords;

/// The maximum number of goals that a session remembers as already done at its beginning.
const REMEMBERED: usize = 64;

/// Whether the plan differs from the version that the session last saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanChange {
    /// The plan is unchanged.
    No,
    /// The file's bytes differ.
    Yes,
}

/// Looks at the plan again and records its current version in `state`. A new shape or newly finished work resets the count of
/// pushes. Returns `None` if the plan cannot be read: hooks stay silent about a damaged plan.
pub(super) fn refresh(place: &PlanSnapshot<'_>, state: &mut SessionState) -> Option<PlanChange> {
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
    let new = seen(plan, stamp.to_owned(), bytes);
    let is_first = state.seen.stamp.is_empty();
    let done = plan.live_goals().filter(|goal| goal.status() == Status::Done).map(named);
    if is_first {
        state.ticks_seen = bytes;
        state.done_before = done.take(REMEMBERED).collect();
    } else if !state.done_before.is_empty() {
        // A goal that was reopened since then no longer counts.
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

/// Returns `remind_every` of the front matter: the number of file-modifying turns before a reminder. Default 3; 0 means never.
pub fn remind_every(plan: &Plan<'_>) -> u32 {
    plan.front_value("remind_every").and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// Returns a hash of the plan's goals and steps without their progress. It ignores the objective, the front matter and the log.
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

/// Returns a hash of a goal's name, which is shorter to store than the name.
pub(super) fn named(goal: GoalRef<'_, '_>) -> u64 {
    hash(goal.name().as_bytes())
}

/// Returns the goals marked done without a sign-off in the log, except goals that were done when the session began.
pub(super) fn ticked<'p, 'a>(plan: &'p Plan<'a>, state: &SessionState) -> Vec<GoalRef<'p, 'a>> {
    let unsigned = GoalRecords::new(plan).unsigned(plan).into_iter().map(|(goal, _)| goal);
    unsigned.filter(|goal| !state.done_before.contains(&named(*goal))).collect()
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;

/// The FNV-1a hash. It is the same in every version of this program, because `plan` may be updated during a session.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    hash_on(FIRST, bytes)
}

fn hash_on(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
