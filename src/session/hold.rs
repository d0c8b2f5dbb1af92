//! A hold: the plan was paused, or the agent said that the plan is finished. In each session, the hold is in force until the user
//! writes in that session (`INJECTION.md` §4).

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::{self, Place};

/// The maximum size of the file, in bytes.
const LARGEST: u64 = 16 << 10;

/// A hold: the reason why the guard and the loop do nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The hold's own id. A session remembers by it which hold a message of the user ended.
    pub id: String,
    /// The reason given to `plan pause`; `None` if the hold comes from `plan progress --done`.
    pub paused: Option<String>,
    /// For `--done`: the shape of the plan that was called finished. The hold does not apply to a plan with another shape.
    pub shape: Option<u64>,
}

/// Returns the current hold. A file that cannot be read counts as no hold.
pub fn current(place: &Place) -> Option<Hold> {
    let bytes = store::read_state(&store::state_file(place, &file(place)), LARGEST + 1).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|_| bytes.len() as u64 <= LARGEST)
}

/// Begins a hold for `reason`.
///
/// # Errors
/// As [`store::write_state`].
pub fn pause(place: &Place, reason: &str) -> Result<()> {
    write(place, Some(reason.to_owned()), None)
}

/// Begins a hold because the agent says that this version of the plan is finished.
///
/// # Errors
/// As [`store::write_state`].
pub fn finish(place: &Place, plan: &crate::plan::model::Plan<'_>) -> Result<()> {
    write(place, None, Some(super::change_detection::shape(plan)))
}

/// Ends the hold. Returns true if there was one.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if the file cannot be removed.
pub fn end(place: &Place) -> Result<bool> {
    store::remove_state(place, &file(place))
}

fn write(place: &Place, paused: Option<String>, shape: Option<u64>) -> Result<()> {
    let hold = Hold { id: new_id(), paused, shape };
    store::write_state(place, &file(place), &serde_json::to_vec(&hold).unwrap_or_default())
}

/// Plans of one repository share a state folder, so each plan has a file of its own.
fn file(place: &Place) -> String {
    format!("hold-{}.json", super::state::digest(place, ""))
}

/// Returns an id that no other hold or loop has. It is not made from the time, because clocks may jump.
pub(super) fn new_id() -> String {
    format!("{:x}-{:x}", std::process::id(), rand_word())
}

/// Returns a random number. A hash map takes its keys from the system's random source.
fn rand_word() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
