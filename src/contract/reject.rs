//! A rejection: the approved contract comes back, and the log gives the reason (`CONTRACT.md` §1). [`super::person`] has checked before
//! that the caller may reject.

use super::{amended, approved};
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::contract::plan_contract;
use crate::plan::edit::{Edit, apply};
use crate::plan::log::LogLine;
use crate::plan::model::Plan;
use crate::plan::parse::parse;
use crate::plan::restore;
use crate::plan::rules::{Approvals, PlanState, state_of};
use crate::store::{self, Place, Updated};

/// The result of a rejection.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The other results of the write.
    pub updated: Updated,
    /// The contract that was rejected, 12 digits.
    pub contract: String,
    /// The number of edits that brought the approved contract back.
    pub lines: usize,
    /// False if there was no approved contract to bring back.
    pub was_approved: bool,
}

/// Brings the approved contract back. A plan that was never approved stays as it is, and the log records the rejection.
///
/// # Errors
/// [`Kind::No`] if nothing is proposed (R18); [`Kind::Input`] if the approved contract cannot be put back line by line (R19);
/// otherwise as [`store::update`].
pub fn reject(place: &Place, why: &str, stamp: &str) -> Result<Rejected> {
    let (mut contract, mut lines, mut was_approved) = (String::new(), 0, false);
    let updated = store::update(place, |source| {
        let plan = place.parse(source)?;
        let log = approved::believed(place, &plan);
        was_approved = log.newest.is_some();
        let back = restored(place, &plan, &log)?;
        contract = plan_contract(&plan).short();
        let after = apply(source, &back)?;
        let mut texts = amended::rejected(&plan, &parse(&after)?, why);
        texts.push(LogLine::EditRejected { why, contract: &contract }.to_string());
        let said: Vec<Change> =
            texts.into_iter().map(|text| Change::AppendLog { stamp: stamp.to_owned(), text }).collect();
        lines = back.len();
        joined(source, &back, &said)
    })?;
    Ok(Rejected { updated, contract, lines, was_approved })
}

/// The edits that bring the approved contract back.
fn restored(place: &Place, plan: &Plan<'_>, log: &Approvals<'_>) -> Result<Vec<Edit>> {
    let state = state_of(plan, log);
    let newest = log.newest.map(|(_, approval)| approval.contract);
    let is_changed = newest.is_some_and(|digest| !plan_contract(plan).is_short(digest));
    match (state, newest) {
        (PlanState::Unapproved, _) if Approvals::read(plan).newest.is_some() => {
            Err(restore::cannot("its text is not in this clone"))
        }
        (PlanState::Unapproved, _) => Ok(Vec::new()),
        (PlanState::Proposed, Some(_)) if !is_changed => Ok(Vec::new()),
        (PlanState::Proposed | PlanState::Guide, Some(digest)) if is_changed => match approved::find(place, digest) {
            Some(bytes) => restore::restore(&bytes, plan.source),
            None => Err(restore::cannot("its text is not in this clone")),
        },
        _ => Err(Error::new(Kind::No, "nothing is proposed: the contract is the approved one")),
    }
}

/// Joins edits and log lines to one write, and checks that the log lines do not change the contract that the edits give.
fn joined(source: &[u8], edits: &[Edit], said: &[Change]) -> Result<Vec<Edit>> {
    let plan = parse(source)?;
    let log = change::edits(&plan, said)?;
    let all: Vec<Edit> = edits.iter().cloned().chain(log).collect();
    let after = apply(source, edits)?;
    let expected = plan_contract(&parse(&after)?);
    match apply(source, &all) {
        Ok(bytes) if plan_contract(&parse(&bytes)?) == expected => Ok(all),
        _ => Err(restore::cannot("its last line and the log meet")),
    }
}
