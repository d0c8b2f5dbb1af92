//! The part of the plan that a summary of the conversation must keep (`CONTRACT.md` §7): the outcomes of settled steps, and active steps.

use super::{Block, BlockLimits, LADDER, goal};
use crate::plan::model::{GoalRef, Mark, Plan, Status};

/// Returns the goals that are active or have a finished or active step, each with these steps, in at most `max_bytes`. The text is empty
/// if there is no such goal, or if not even the names fit.
pub fn skeleton(plan: &Plan<'_>, max_bytes: usize) -> String {
    LADDER.iter().map(|limits| text(plan, limits)).find(|text| text.len() <= max_bytes).unwrap_or_default()
}

fn text(plan: &Plan<'_>, limits: &BlockLimits) -> String {
    let is_begun = |goal: &GoalRef<'_, '_>| {
        let is_begun = |mark: Mark| mark != Mark::Pending;
        goal.status() == Status::Active || goal.steps().iter().any(|step| is_begun(step.mark))
    };
    let mut block = Block::part();
    for goal in plan.live_goals().filter(is_begun) {
        block.out.push_str(goal.status().word());
        block.out.push_str(": ");
        goal::heading(&mut block, goal, limits);
        block.out.push('\n');
        goal::begun(&mut block, goal, limits);
    }
    block.out
}
