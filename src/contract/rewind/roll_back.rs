//! Puts back the files that a failed rewind has touched, except files that somebody else wrote meanwhile.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::contract::checkpoint::Checkpoint;
use crate::error::Result;
use crate::repo::{FileWrite, ModeChange, RawEntry, RawLimits, RawTree, Repo, Restoration, find_entry};
use crate::store::Place;

/// `now` are the files before the rewind, which `before` keeps.
pub(super) fn roll_back(
    repo: &Repo,
    place: &Place,
    touched: &Restoration,
    before: &Checkpoint,
    now: &RawTree,
) -> Result<()> {
    let limits = RawLimits { file: u64::MAX, until: Instant::now() + Duration::from_secs(600) };
    let mut back = Restoration {
        folders: now.folders.clone(),
        emptied: touched.folders_above(),
        kept: before.hollow.iter().cloned().collect(),
        ..Restoration::default()
    };
    for now in &touched.deletions {
        if matches!(repo.raw_entry(&now.path, limits)?, RawEntry::Absent | RawEntry::Folder) {
            let bits = before.bits_of(&now.path, now.mode);
            back.writes.push(FileWrite { path: now.path.clone(), mode: now.mode, id: now.id, bits, now: None });
        }
    }
    for write in &touched.writes {
        let is = match repo.raw_entry(&write.path, limits)? {
            RawEntry::Content(is, _) if is.id == write.id && is.mode == write.mode => Some(is),
            // Only this rewind can have removed it, and it has not written it yet.
            RawEntry::Absent if write.now.is_some() => None,
            _ => continue,
        };
        match (&write.now, is) {
            (Some(was), is) => {
                let bits = before.bits_of(&was.path, was.mode);
                back.writes.push(FileWrite { path: was.path.clone(), mode: was.mode, id: was.id, bits, now: is });
            }
            (None, Some(is)) => back.deletions.push(is),
            (None, None) => {}
        }
    }
    for change in &touched.modes {
        let path = &change.now.path;
        if let RawEntry::Content(is, bits) = repo.raw_entry(path, limits)?
            && bits == change.bits
            && let Some(was) = find_entry(&now.tree.entries, path)
        {
            back.modes.push(ModeChange { now: is, bits: before.bits_of(path, was.mode) });
        }
    }
    repo.restore(&place.root, &back)?;
    let paths: Vec<PathBuf> = touched.paths().map(PathBuf::from).collect();
    repo.sweep_restored(&place.root, &paths)
}
