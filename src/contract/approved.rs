//! The bytes of plan.md that were approved, by the digest of their contract: for the difference and for a rejection.
//!
//! They are in `refs/plan/approved/<digest>`, which can be shared, and in the state folder, which works without a repository. Neither
//! is trusted: bytes count only if they have the contract that they are kept for.

use crate::base;
use crate::error::{Error, Kind, Result};
use crate::plan::contract::plan_contract;
use crate::plan::log::{Approval, LogLine};
use crate::plan::model::Plan;
use crate::plan::parse::{self, parse};
use crate::plan::rules::{self, Approvals, PlanState, state_of};
use crate::store::{self, Place};

/// The most bytes that are kept or read: what a plan file may have.
const LARGEST: u64 = parse::MAX_BYTES as u64;
/// An approval that nobody here knows, where a line says how the plan stands.
const UNKNOWN: &str = "the approval in the log is known neither here nor to the last commit: plan approve";
/// How many committed versions are looked through, newest first.
const VERSIONS: usize = 20;

fn reference(contract: &str) -> String {
    format!("refs/plan/approved/{contract}")
}

fn file(contract: &str) -> String {
    format!("approved/{contract}.md")
}

/// Keeps the bytes of a plan whose contract has this digest (12 digits). Bytes that are kept already for it stay.
///
/// # Errors
/// As [`store::write_state`], and what git answers.
pub fn keep(place: &Place, contract: &str, bytes: &[u8]) -> Result<()> {
    if let Some(repo) = base::open(place)? {
        repo.write_record(&reference(contract), bytes)?;
    }
    store::write_state(place, &file(contract), bytes)
}

/// The bytes that were approved with this contract (12 digits): from the record of this clone, else from a version that a write
/// replaced, else from a commit. None if nothing of it is at hand.
pub fn find(place: &Place, contract: &str) -> Option<Vec<u8>> {
    let is_it = |bytes: &Vec<u8>| parse(bytes).is_ok_and(|plan| plan_contract(&plan).is_short(contract));
    let replaced = || {
        let kept = store::undo_list(place).unwrap_or_default();
        kept.iter().filter_map(|version| store::undo_content(version).ok()).find(is_it)
    };
    let committed = || committed(place, VERSIONS).into_iter().find(is_it);
    let recorded = || shared(place, contract).filter(is_it);
    own(place, contract).filter(is_it).or_else(recorded).or_else(replaced).or_else(committed)
}

/// True if this clone gave an approval of this contract that no other has replaced, or if the committed plan.md ends with it (R27). A
/// line that an agent wrote is neither, nor is an older one that it copied. Asks git only if the state folder does not know it.
pub fn is_known(place: &Place, approval: &Approval<'_>) -> bool {
    let is_it = |bytes: Vec<u8>| parse(&bytes).is_ok_and(|plan| plan_contract(&plan).is_short(approval.contract));
    own(place, approval.contract).is_some_and(is_it)
        || last_committed(place).is_some_and(|(_, line)| line == LogLine::Approved(*approval).to_string())
}

/// The log as it is believed here: approvals that nobody knows are passed over (R27).
pub fn believed<'a>(place: &Place, plan: &Plan<'a>) -> Approvals<'a> {
    let log = Approvals::read(plan);
    match log.newest {
        Some((_, approval)) if !is_known(place, &approval) => {
            Approvals::read_believing(plan, |approval| is_known(place, approval))
        }
        _ => log,
    }
}

/// Stamp and text of the approval that the committed plan.md has last.
pub fn last_committed(place: &Place) -> Option<(String, String)> {
    let bytes = committed(place, 1).into_iter().next()?;
    let (stamp, approval) = Approvals::read(&parse(&bytes).ok()?).newest?;
    Some((stamp.to_owned(), LogLine::Approved(approval).to_string()))
}

/// An approval replaces another, or a person brings back a plan with another one: from now on the old line alone is not believed.
///
/// # Errors
/// As [`store::write_state`].
pub fn replace(place: &Place, old: Option<&str>, new: Option<&str>) -> Result<()> {
    if let Some(contract) = new.filter(|contract| own(place, contract).is_none())
        && let Some(bytes) = find(place, contract)
    {
        store::write_state(place, &file(contract), &bytes)?;
    }
    match old.filter(|old| Some(*old) != new) {
        Some(old) => store::remove_state(place, &file(old)).map(drop),
        None => Ok(()),
    }
}

/// Refuses a plan in contract mode whose newest approval nobody here knows (R27).
///
/// # Errors
/// [`Kind::Refused`] with the command that asks a person again.
pub fn require(place: &Place, plan: &Plan<'_>) -> Result<()> {
    let log = Approvals::read(plan);
    match log.newest {
        Some((_, approval)) if state_of(plan, &log) != PlanState::Guide && !is_known(place, &approval) => {
            Err(Error::new(
                Kind::Refused,
                "refused: the approval in the log is known neither to this clone nor to the committed plan.md",
            )
            .hint("a person approves in a terminal: `plan approve`"))
        }
        _ => Ok(()),
    }
}

/// Why the plan is held, as one line with the command that ends it: as [`rules::held`], and an approval that nobody here knows (R27).
pub fn held(place: &Place, plan: &Plan<'_>) -> Option<String> {
    let is_known = require(place, plan).is_ok();
    if is_known { rules::held(plan).map(|held| held.to_string()) } else { Some(UNKNOWN.to_owned()) }
}

/// The newest committed versions of plan.md. Four processes; none without a repository.
fn committed(place: &Place, most: usize) -> Vec<Vec<u8>> {
    let repo = base::open(place).ok().flatten();
    repo.and_then(|repo| repo.versions(&place.file, most, LARGEST).ok()).unwrap_or_default()
}

fn own(place: &Place, contract: &str) -> Option<Vec<u8>> {
    store::read_state(&store::state_file(place, &file(contract)), LARGEST).ok()
}

fn shared(place: &Place, contract: &str) -> Option<Vec<u8>> {
    base::open(place).ok()??.read_record(&reference(contract), LARGEST).ok()?
}
