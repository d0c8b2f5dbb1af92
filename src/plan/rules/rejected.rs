//! Refuses a proposal that a person already rejected (`CONTRACT.md` §3.3, R25) since the newest approval.

use super::moves::{GoalMove, StepMove};
use super::request::{PlanRequest, refused, typed};
use super::state::{Approvals, PlanState, RejectedEdits, state_of};
use crate::error::Result;
use crate::plan::contract::{Digest, plan_contract};
use crate::plan::edit::{Edit, apply};
use crate::plan::log::ProposedEdit;
use crate::plan::model::Plan;
use crate::plan::parse::parse;

/// Refuses a change that leads to a contract that was rejected since the newest approval, or a retry or cancellation that was
/// rejected with the same reason. Only agents are refused: a person may change their mind.
///
/// # Errors
/// [`crate::error::Kind::Refused`], with the reason that the person gave.
pub fn refuse_again(before: &Plan<'_>, after: &Plan<'_>, request: PlanRequest<'_>) -> Result<()> {
    let log = &Approvals::read(before);
    let is_agreed = matches!(state_of(before, log), PlanState::Active | PlanState::Proposed | PlanState::Complete);
    if !is_agreed || matches!(request, PlanRequest::Person { .. } | PlanRequest::Draft) {
        return Ok(());
    }
    let Some(approved) = log.newest.map(|(_, approval)| approval.contract).filter(|_| !log.rejected.is_empty()) else {
        return Ok(());
    };
    let contract = plan_contract(after);
    let is_new = !contract.is_short(approved) && contract != plan_contract(before);
    let is_it = |rejected: &&RejectedEdits<'_>| {
        contract.is_short(rejected.contract)
            || as_numbered_then(after, log, rejected).is_some_and(|then| then.is_short(rejected.contract))
    };
    let same = log.rejected.iter().rev().filter(|_| is_new).find(is_it);
    let Some(rejected) = same.or_else(|| by_line(after, log)) else { return Ok(()) };
    let (stamp, why) = (rejected.stamp, rejected.why);
    Err(refused(format!("the same change was rejected {stamp}: {why}")).hint(way_on(request)))
}

/// The hint: a request that is allowed instead.
fn way_on(request: PlanRequest<'_>) -> String {
    match request {
        PlanRequest::Step { to: StepMove::Retry, step, .. } => {
            format!(
                "`plan step retry {step} --because \"another reason\"`; a person may give the same one in a terminal"
            )
        }
        PlanRequest::Goal { to: GoalMove::Cancel, goal, .. } => {
            let goal = typed(goal);
            format!("`plan goal cancel {goal} \"another reason\"`; a person may give the same one in a terminal")
        }
        _ => "propose something else; a person may run the same command in a terminal".to_owned(),
    }
}

/// Returns the contract of `after` with its new steps renumbered like the rejected ones. No number is given twice, so a step that
/// is proposed again has another number.
fn as_numbered_then(after: &Plan<'_>, log: &Approvals<'_>, rejected: &RejectedEdits<'_>) -> Option<Digest> {
    let last = log.newest.and_then(|(_, approval)| approval.steps)?;
    let added = rejected.edits.iter().filter(|one| matches!(one.edit, ProposedEdit::StepAdded { .. }));
    let mut then: Vec<u32> = added.filter_map(|one| one.edit.step()?.parse().ok()).collect();
    let mut now: Vec<(u32, usize)> = after
        .all_steps()
        .filter(|step| !step.goal().raw().archived)
        .filter_map(|step| Some((step.raw().number.filter(|number| *number > last)?, step.index())))
        .collect();
    then.sort_unstable();
    now.sort_unstable();
    if then.is_empty() || then.len() != now.len() {
        return None;
    }
    let number = |(then, (_, index)): (&u32, &(u32, usize))| {
        let rest = after.steps.get(*index)?.rest;
        let text = after.text(rest);
        let start = text.len() - text.trim_start().len();
        let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        let at = rest.start as usize + start;
        Some(Edit { range: at..at + digits, text: then.to_string().into_bytes() })
    };
    let edits: Option<Vec<Edit>> = then.iter().zip(&now).map(number).collect();
    let bytes = apply(after.source, &edits?).ok()?;
    Some(plan_contract(&parse(&bytes).ok()?))
}

/// Finds the rejection of a retry or cancellation that `after` proposes and `log` does not.
fn by_line<'l, 'a>(after: &Plan<'_>, log: &'l Approvals<'a>) -> Option<&'l RejectedEdits<'a>> {
    let now = Approvals::read(after);
    let new: Vec<(ProposedEdit<'_>, &str)> =
        now.by_line().skip(log.by_line().count()).map(|proposal| (proposal.edit, proposal.because)).collect();
    let asked = |rejected: &&RejectedEdits<'_>| {
        rejected.edits.iter().any(|before| new.contains(&(before.edit, before.because)))
    };
    log.rejected.iter().rev().find(asked)
}
