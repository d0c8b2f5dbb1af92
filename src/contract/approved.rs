//! The bytes of plan.md that were approved, by the digest of their contract: for the difference and for a rejection.
//!
//! They are in `refs/plan/approved/<digest>`, which can be shared, and in the state folder, which works without a repository. Neither
//! is trusted: bytes count only if they have the contract that they are kept for.

use crate::error::Result;
use crate::plan::contract::plan_contract;
use crate::plan::log::{Approval, LogLine};
use crate::plan::parse::{self, parse};
use crate::signoff::base;
use crate::store::{self, Place};

/// The most bytes that are kept or read: what a plan file may have.
const LARGEST: u64 = parse::MAX_BYTES as u64;
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
    recorded(place, contract).into_iter().find(is_it).or_else(replaced).or_else(committed)
}

/// True if this clone or the committed plan.md knows the newest approval (R27). A line that an agent wrote is known to neither.
pub fn is_known(place: &Place, approval: &Approval<'_>) -> bool {
    let is_it = |bytes: &Vec<u8>| parse(bytes).is_ok_and(|plan| plan_contract(&plan).is_short(approval.contract));
    let line = LogLine::Approved(*approval).to_string();
    let says_so = |bytes: &Vec<u8>| parse(bytes).is_ok_and(|plan| plan.log_lines().any(|(_, text)| text == line));
    recorded(place, approval.contract).iter().any(is_it) || committed(place, 1).iter().any(says_so)
}

/// The newest committed versions of plan.md. Four processes; none without a repository.
fn committed(place: &Place, most: usize) -> Vec<Vec<u8>> {
    let repo = base::open(place).ok().flatten();
    repo.and_then(|repo| repo.versions(&place.file, most, LARGEST).ok()).unwrap_or_default()
}

fn recorded(place: &Place, contract: &str) -> Vec<Vec<u8>> {
    let own = store::read_state(&store::state_file(place, &file(contract)), LARGEST).ok();
    let shared = || base::open(place).ok()??.read_record(&reference(contract), LARGEST).ok()?;
    own.into_iter().chain(shared()).collect()
}
