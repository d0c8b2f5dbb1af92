//! The loop's file in the state folder.

use serde::Deserialize;

use super::Loop;
use crate::session::state;
use crate::store::{self, Place};

/// The version of the format. A file of a newer version is left alone.
pub(super) const VERSION: u32 = 1;

/// The content of the loop's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadedLoop {
    /// A valid loop.
    Loop(Box<Loop>),
    /// No file: no loop.
    None,
    /// Unreadable bytes, which count as no loop.
    Damaged,
    /// A loop that a newer version wrote. This version must not change it.
    Newer,
}

impl LoadedLoop {
    /// Returns the loop, if there is one.
    pub fn into_loop(self) -> Option<Loop> {
        match self {
            LoadedLoop::Loop(found) => Some(*found),
            LoadedLoop::None | LoadedLoop::Damaged | LoadedLoop::Newer => None,
        }
    }
}

/// Reads the file. A missing file costs one system call.
pub(super) fn load(place: &Place) -> LoadedLoop {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let bytes = match state::read(&store::state_file(place, &name(place))) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return LoadedLoop::None,
        Err(_) => return LoadedLoop::Damaged,
    };
    match serde_json::from_slice::<Loop>(&bytes) {
        Ok(found) if found.version == VERSION && found.budget > 0 => LoadedLoop::Loop(Box::new(found)),
        _ => match serde_json::from_slice::<Version>(&bytes) {
            Ok(found) if found.version > VERSION => LoadedLoop::Newer,
            _ => LoadedLoop::Damaged,
        },
    }
}

/// Writes the file. The caller holds the sessions' lock.
///
/// # Errors
/// As [`store::write_state`].
pub(super) fn save(place: &Place, what: &Loop) -> crate::error::Result<()> {
    store::write_state(place, &name(place), &serde_json::to_vec(what).unwrap_or_default())
}

/// Returns the file's name, which differs for each plan because plans of one repository share a state folder.
pub(super) fn name(place: &Place) -> String {
    format!("loop-{}.json", state::digest(place, ""))
}
