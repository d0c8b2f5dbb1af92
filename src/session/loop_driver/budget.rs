//! The loop's budget in plan.md.

use super::BUDGET;
use crate::plan::model::Plan;

/// `budget` in the front matter: turns of a loop. 20 is the default and the maximum, because a number in plan.md can only lower
/// a built-in cap (`FORMAT.md` §2); only a person can give more.
pub fn budget(plan: &Plan<'_>) -> u32 {
    let said = plan.front_value("budget").and_then(|text| text.parse::<u32>().ok()).filter(|budget| *budget > 0);
    said.map_or(BUDGET, |budget| budget.min(BUDGET))
}
