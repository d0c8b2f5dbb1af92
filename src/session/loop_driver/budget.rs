//! The loop's budget in plan.md.

use super::BUDGET;
use crate::plan::model::Plan;

/// Returns `budget` of the front matter: the number of turns of a loop. 20 is the default and the maximum, because a number in
/// plan.md can only lower a built-in limit (`FORMAT.md` §2); only the user can allow more turns.
pub fn budget(plan: &Plan<'_>) -> u32 {
    let said = plan.front_value("budget").and_then(|text| text.parse::<u32>().ok()).filter(|budget| *budget > 0);
    said.map_or(BUDGET, |budget| budget.min(BUDGET))
}
