//! Goals that were marked done by hand during the session. They are reported to the agent and the user at once.

use super::change_detection::{named, refresh, ticked};
use super::messages;
use super::plan_snapshot::PlanSnapshot;
use super::state::SessionState;
use crate::plan::block;
use crate::plan::model::GoalRef;

/// The maximum number of goals that one note stores as reported.
const REMEMBERED: usize = 64;

/// Records a note about these goals: [`SessionState::correction`] for the agent, [`SessionState::notice`] for the user. A goal is
/// reported once, and again only after it was reopened.
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
