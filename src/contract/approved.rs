//! The approved bytes of plan.md, by the digest of their contract. They serve for the difference and for a rejection.
//!
//! They are in `refs/plan/approved/<digest>`, which can be shared, and in the state folder, which works without a repository. Neither is
//! trusted: bytes count only if they have the contract that they are kept for.

use std::cell::OnceCell;

use crate::base;
use crate::error::{Error, Kind, Result};
use crate::plan::contract::plan_contract;
use crate::plan::log::{Approval, LogLine};
use crate::plan::model::Plan;
use crate::plan::parse::{self, parse};
use crate::plan::rules::{self, Approvals, PlanState, state_of};
use crate::store::{self, Place};

/// The most bytes that are kept or read: the size limit of a plan file.
const LARGEST: u64 = parse::MAX_BYTES as u64;
/// The remark in the plan's status about an approval that is unknown here.
const UNKNOWN: &str = "the approval in the log is known neither here nor to the last commit: plan approve";
/// The number of committed versions to search, newest first.
const VERSIONS: usize = 20;

fn reference(contract: &str) -> String {
    format!("refs/plan/approved/{contract}")
}

fn file(contract: &str) -> String {
    format!("approved/{contract}.md")
}

/// Keeps the bytes of a plan under the digest of its contract (12 digits). A record that exists in git already stays.
///
/// # Errors
/// As [`store::write_state`], and errors of git.
pub fn keep(place: &Place, contract: &str, bytes: &[u8]) -> Result<()> {
    if let Some(repo) = base::open(place)? {
        repo.write_record(&reference(contract), bytes)?;
    }
    store::write_state(place, &file(contract), bytes)
}

/// Returns the bytes that were approved with this contract (12 digits): from the records of this clone, else from a version that a write
/// replaced, else from a commit. `None` if no copy is available.
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

/// True if this clone has an approval of this contract that no other has replaced, or if the line is the last approval in the committed plan.md
/// (R27). A line that an agent wrote is neither, nor is an older line that it copied. Asks git only if the state folder does not know the contract.
pub fn is_known(place: &Place, approval: &Approval<'_>) -> bool {
    is_known_by(place, approval, &OnceCell::new())
}

/// [`is_known`], with the last committed approval, which is looked up at most once.
fn is_known_by(place: &Place, approval: &Approval<'_>, committed: &OnceCell<Option<(String, String)>>) -> bool {
    let is_it = |bytes: Vec<u8>| parse(&bytes).is_ok_and(|plan| plan_contract(&plan).is_short(approval.contract));
    own(place, approval.contract).is_some_and(is_it)
        || committed
            .get_or_init(|| last_committed(place))
            .as_ref()
            .is_some_and(|(_, line)| *line == LogLine::Approved(*approval).to_string())
}

/// The approvals in the log; if the newest one is unknown here, without the unknown ones (R27).
pub fn believed<'a>(place: &Place, plan: &Plan<'a>) -> Approvals<'a> {
    let log = Approvals::read(plan);
    // The log may hold thousands of lines that look like approvals.
    let committed = OnceCell::new();
    match log.newest {
        Some((_, approval)) if !is_known_by(place, &approval, &committed) => {
            Approvals::read_believing(plan, |approval| is_known_by(place, approval, &committed))
        }
        _ => log,
    }
}

/// The stamp and the text of the last approval in the committed plan.md.
pub fn last_committed(place: &Place) -> Option<(String, String)> {
    let bytes = committed(place, 1).into_iter().next()?;
    let (stamp, approval) = Approvals::read(&parse(&bytes).ok()?).newest?;
    Some((stamp.to_owned(), LogLine::Approved(approval).to_string()))
}

/// Records that a new approval, or a plan that a person brings back, replaces the old approval. From now on the old line alone is not believed.
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

/// Refuses a plan in contract mode whose newest approval is unknown here (R27).
///
/// # Errors
/// [`Kind::Refused`] with the command by which a person approves again.
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

/// The reason why the plan is held, in one line with the command that ends it: as [`rules::held`], or an unknown approval (R27).
pub fn held(place: &Place, plan: &Plan<'_>) -> Option<String> {
    let is_known = require(place, plan).is_ok();
    if is_known { rules::held(plan).map(|held| held.to_string()) } else { Some(UNKNOWN.to_owned()) }
}

/// The newest committed versions of plan.md. Starts four processes; empty without a repository.
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
