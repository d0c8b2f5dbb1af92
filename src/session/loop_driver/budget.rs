//! What plan.md says about the loop.

use super::BUDGET;
use crate::plan::model::Plan;

/// `budget` of the front matter: turns of a loop; 20 where it says nothing, and at most. More are a person's to give
/// (`FORMAT.md` §2: a number there can only lower a built-in cap).
pub fn budget(plan: &Plan<'_>) -> u32 {
    let said = plan.front_value("budget").and_then(|text| text.parse::<u32>().ok()).filter(|budget| *budget > 0);
    said.map_or(BUDGET, |budget| budget.min(BUDGET))
}
