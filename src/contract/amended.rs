//! The `amended` lines of an approval and of a rejection. After them the log explains every contract (`CONTRACT.md` §1).

use crate::audit::past_contract;
use crate::plan::contract::{Amendment, GoalContract, goal_contract};
use crate::plan::history::BY_HAND;
use crate::plan::log::{Amended, GoalEvent};
use crate::plan::model::Plan;
use crate::plan::parse::parse;
use crate::plan::rules::GoalRecords;
use crate::store::Place;

/// Returns a line for each goal whose contract differs from the one logged last, or changed without a reason. `approved` is the plan that
/// was approved last.
pub(super) fn explained(place: &Place, plan: &Plan<'_>, approved: Option<&[u8]>, because: &str) -> Vec<String> {
    let (record, approved) = (GoalRecords::new(plan), approved.and_then(|bytes| parse(bytes).ok()));
    let mut lines = Vec::new();
    for goal in plan.live_goals() {
        let (Some(agreement), Some(id)) = (record.agreement(goal), goal.id()) else { continue };
        let Some(logged) = agreement.contracts.last else { continue };
        let new = goal_contract(goal);
        let is_explained = new.digest.is_short(logged) && agreement.unexplained().is_empty();
        let from = agreement.agreed.filter(|agreed| !new.digest.is_short(agreed)).unwrap_or(logged);
        if is_explained || new.digest.is_short(from) {
            continue;
        }
        let before = approved.as_ref().and_then(|plan| contract_of(plan, id, from));
        let before = before.or_else(|| past_contract::find(place, id, from));
        let what = before.and_then(|before| Amendment::between(&before, &new));
        let what = what.map_or_else(|| format!("loosened: {BY_HAND}"), |amendment| amendment.to_string());
        lines.push(line(id, &what, from, &new.digest.short(), because));
    }
    lines
}

/// Returns a line for each goal whose approved contract differs from the one logged last. `plan` is the plan before the approved contract
/// came back, `after` the plan since then.
pub(super) fn rejected(plan: &Plan<'_>, after: &Plan<'_>, because: &str) -> Vec<String> {
    let record = GoalRecords::new(plan);
    let mut lines = Vec::new();
    for goal in after.live_goals() {
        let (Some(agreement), Some(id)) = (record.agreement(goal), goal.id()) else { continue };
        let new = goal_contract(goal).digest;
        if let Some(logged) = agreement.contracts.last.filter(|logged| !new.is_short(logged)) {
            lines.push(line(id, "rejected", logged, &new.short(), because));
        }
    }
    lines
}

fn line(id: &str, what: &str, old: &str, new: &str, because: &str) -> String {
    GoalEvent::Amended(Amended { what, old, new, because: Some(because) }).of(id).to_string()
}

fn contract_of(plan: &Plan<'_>, id: &str, digest: &str) -> Option<GoalContract> {
    let goal = plan.all_goals().find(|goal| goal.id() == Some(id))?;
    Some(goal_contract(goal)).filter(|contract| contract.digest.is_short(digest))
}
