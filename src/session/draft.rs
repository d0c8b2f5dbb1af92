//! Why the last draft of a plan failed (`CONTRACT.md` §6): shown while the plan has no goal, gone with the next draft that succeeds.

use serde::{Deserialize, Serialize};

use super::state;
use crate::error::Result;
use crate::store::{self, Place};

const VERSION: u32 = 1;
/// The most bytes of the file.
const LARGEST: u64 = 16 << 10;
/// The most characters of the reason.
const LONGEST: usize = 400;

#[derive(Serialize, Deserialize)]
struct Failure {
    version: u32,
    why: String,
}

/// Records why a draft failed, in one line.
///
/// # Errors
/// As [`store::write_state`].
pub fn record(place: &Place, why: &str) -> Result<()> {
    let why = why.chars().take(LONGEST).collect();
    let bytes = serde_json::to_vec(&Failure { version: VERSION, why }).unwrap_or_default();
    store::write_state(place, &name(place), &bytes)
}

/// Why the last draft failed; none if it succeeded, or if there was none.
pub fn last_error(place: &Place) -> Option<String> {
    let bytes = store::read_state(&store::state_file(place, &name(place)), LARGEST).ok()?;
    let failure: Failure = serde_json::from_slice(&bytes).ok()?;
    (failure.version == VERSION).then_some(failure.why)
}

/// Forgets it.
///
/// # Errors
/// As [`store::remove_state`].
pub fn clear(place: &Place) -> Result<()> {
    store::remove_state(place, &name(place)).map(drop)
}

fn name(place: &Place) -> String {
    format!("drafts/{}.json", state::digest(place, "draft"))
}
