//! The same proposal once more (`CONTRACT.md` §3.3, R25): a person said no, and the plan is as it was then.

use super::state::{Approvals, RejectedEdits};
use super::wish::refused;
use crate::error::Result;
use crate::plan::contract::{Digest, plan_contract};
use crate::plan::edit::{Edit, apply};
use crate::plan::log::ProposedEdit;
use crate::plan::model::Plan;
use crate::plan::parse::parse;

/// Refuses a change that leads to a contract which was rejected since the newest approval, or a retry or cancellation that was.
///
/// # Errors
/// [`crate::error::Kind::Refused`], with what the person said.
pub(super) fn refuse_again(before: &Plan<'_>, after: &Plan<'_>, log: &Approvals<'_>) -> Result<()> {
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
    match same.or_else(|| by_line(after, log)) {
        None => Ok(()),
        Some(rejected) => {
            let (stamp, why) = (rejected.stamp, rejected.why);
            Err(refused(format!("the same change was rejected {stamp}: {why}"))
                .hint("propose something else, or ask the person"))
        }
    }
}

/// The contract of `after`, if its new steps had the numbers that the rejected ones had: no number is given twice, so the same step
/// comes back with another one.
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

/// The rejection of a retry or cancellation that `after` proposes and the log did not.
fn by_line<'l, 'a>(after: &Plan<'_>, log: &'l Approvals<'a>) -> Option<&'l RejectedEdits<'a>> {
    let now = Approvals::read(after);
    let new: Vec<ProposedEdit<'_>> = now.by_line().skip(log.by_line().count()).map(|proposal| proposal.edit).collect();
    let asked = |rejected: &&RejectedEdits<'_>| rejected.edits.iter().any(|before| new.contains(&before.edit));
    log.rejected.iter().rev().find(asked)
}
