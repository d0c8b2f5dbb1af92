//! The reason why the last draft of a plan failed (`CONTRACT.md` §6). It is shown while the plan has no goal, until a draft succeeds.

use serde::{Deserialize, Serialize};

use super::state;
use crate::error::Result;
use crate::store::{self, Place};

const VERSION: u32 = 1;
/// The maximum size of the file, in bytes.
const LARGEST: u64 = 16 << 10;
/// The maximum length of the reason, in characters.
const LONGEST: usize = 400;

#[derive(Serialize, Deserialize)]
struct Failure {
    version: u32,
    why: String,
}

/// Records the reason why a draft failed.
///
/// # Errors
/// As [`store::write_state`].
pub fn record(place: &Place, why: &str) -> Result<()> {
    let why = why.chars().take(LONGEST).collect();
    let bytes = serde_json::to_vec(&Failure { version: VERSION, why }).unwrap_or_default();
    store::write_state(place, &name(place), &bytes)
}

/// Returns the reason why the last draft failed; `None` if it succeeded, or if there was no draft.
pub fn last_error(place: &Place) -> Option<String> {
    let bytes = store::read_state(&store::state_file(place, &name(place)), LARGEST).ok()?;
    let failure: Failure = serde_json::from_slice(&bytes).ok()?;
    (failure.version == VERSION).then_some(failure.why)
}

/// Removes the record of the last failure.
///
/// # Errors
/// As [`store::remove_state`].
pub fn clear(place: &Place) -> Result<()> {
    store::remove_state(place, &name(place)).map(drop)
}

fn name(place: &Place) -> String {
    format!("drafts/{}.json", state::digest(place, "draft"))
}
