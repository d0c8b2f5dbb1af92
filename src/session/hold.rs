//! The honest ways out: a plan that was paused, or that the agent calls finished. It holds for every session until a person
//! speaks to it again (`INJECTION.md` §4).

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::{self, Place};

/// Bytes that are read of it.
const LARGEST: u64 = 16 << 10;

/// Why the guard and the loop hold still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Which hold this is: a session remembers the one that a message of a person ended.
    pub id: String,
    /// `plan pause`: what blocks. None: `plan progress --done`.
    pub paused: Option<String>,
    /// For `--done`: the version of the plan that was called finished. Another version is not.
    pub shape: Option<u64>,
}

/// The hold that stands. A file that cannot be read is none.
pub fn current(place: &Place) -> Option<Hold> {
    let bytes = store::read_state(&store::state_file(place, &file(place)), LARGEST + 1).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|_| bytes.len() as u64 <= LARGEST)
}

/// Holds still because of `reason`.
///
/// # Errors
/// As [`store::write_state`].
pub fn pause(place: &Place, reason: &str) -> Result<()> {
    write(place, Some(reason.to_owned()), None)
}

/// Holds still because the agent calls this version of the plan finished.
///
/// # Errors
/// As [`store::write_state`].
pub fn finish(place: &Place, plan: &crate::plan::model::Plan<'_>) -> Result<()> {
    write(place, None, Some(super::change_detection::shape(plan)))
}

/// Ends the hold. True where one stood.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] where it cannot be removed.
pub fn end(place: &Place) -> Result<bool> {
    store::remove_state(place, &file(place))
}

fn write(place: &Place, paused: Option<String>, shape: Option<u64>) -> Result<()> {
    let hold = Hold { id: unlike_any(), paused, shape };
    store::write_state(place, &file(place), &serde_json::to_vec(&hold).unwrap_or_default())
}

/// Plans of one repository share a state folder, and are held apart.
fn file(place: &Place) -> String {
    format!("hold-{}.json", super::state::digest(place, ""))
}

/// A name that no other hold, or loop, has. No clock tells two apart: it may jump.
pub(super) fn unlike_any() -> String {
    format!("{:x}-{:x}", std::process::id(), rand_word())
}

/// A word that no other call has: from the keys that a hash map draws from the system's random source.
fn rand_word() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
