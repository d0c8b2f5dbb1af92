//! Goals that were marked done by hand during the session. The agent and the person are told at once, whatever else is open.

use super::change_detection::{named, refresh, ticked};
use super::messages;
use super::plan_snapshot::PlanSnapshot;
use super::state::SessionState;
use crate::plan::block;
use crate::plan::model::GoalRef;

/// The most goals that are remembered as reported.
const REMEMBERED: usize = 64;

/// Records a note about them: [`SessionState::correction`] for the agent, [`SessionState::notice`] for the person. A goal is reported once, and
/// again only after it was reopened.
pub(super) fn note(place: &PlanSnapshot<'_>, state: &mut SessionState) {
    if refresh(place, state).is_none() || state.ticks_seen == state.seen.bytes {
        return;
    }
    let Some(plan) = place.plan() else { return };
    state.ticks_seen = state.seen.bytes;
    let all = ticked(plan, state);
    state.ticks_told.retain(|told| all.iter().any(|goal| named(*goal) == *told));
    let new: Vec<GoalRef<'_, '_>> = all.into_iter().filter(|goal| !state.ticks_told.contains(&named(*goal))).collect();
    if new.is_empty() {
        return;
    }
    state.ticks_told.extend(new.iter().map(|goal| named(*goal)).take(REMEMBERED));
    let said = block::unsigned(&new);
    state.notice = Some(format!("plan: {said}"));
    state.correction = Some(format!("{}: {said}", messages::file(place)));
}
