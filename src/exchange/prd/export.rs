//! Goals to stories.

use crate::plan::model::{GoalRef, Plan, Status};

/// The goals that are stories, in file order: neither cancelled nor archived.
pub fn story_goals<'p, 'a>(plan: &'p Plan<'a>) -> Vec<GoalRef<'p, 'a>> {
    plan.live_goals().filter(|goal| goal.status() != Status::Cancelled).collect()
}
