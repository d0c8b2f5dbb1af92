//! Removes the state of sessions that ended long ago.

use std::time::{Duration, SystemTime};

use crate::store::{self, Place};

/// The time without a hook call after which a session is assumed not to continue.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Removes the files of old sessions and reviews. A file that cannot be removed, or whose time is in the future, stays.
pub(super) fn prune(place: &Place) {
    for folder in ["sessions", "reviews"] {
        prune_folder(place, folder);
    }
}

fn prune_folder(place: &Place, name: &str) {
    let Ok(entries) = std::fs::read_dir(store::state_file(place, name)) else { return };
    let now = SystemTime::now();
    for entry in entries.flatten().filter(|entry| entry.file_name().as_encoded_bytes().ends_with(b".json")) {
        let age = entry.metadata().and_then(|meta| meta.modified()).map(|time| now.duration_since(time));
        if age.is_ok_and(|age| age.is_ok_and(|age| age > FORGOTTEN)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
