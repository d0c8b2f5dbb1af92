//! `plan undo`: the versions that writes displaced, and bringing one back.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use jiff::Timestamp;

use super::content::Content;
use super::place::Place;
use super::read::{self, LIMIT};
use super::shelf::{Class, Shelf};
use super::temp;
use super::{folder::Folder, trouble, update};
use crate::error::{Error, Result};

/// A version of plan.md that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Names it for [`undo_restore`]; sorts by time.
    pub id: String,
    /// When it was displaced, UTC, microseconds.
    pub displaced: Timestamp,
    /// Why it is kept.
    pub class: Class,
    /// Its length.
    pub bytes: u64,
    /// Where it lies. An editor may open it; `plan` never changes it.
    pub path: PathBuf,
}

/// The kept versions, the newest first. Takes no lock and writes nothing.
///
/// # Errors
/// As [`super::read()`], for telling whether what `plan` wrote last still stands.
pub fn undo_list(place: &Place) -> Result<Vec<Version>> {
    let now = present(place)?;
    Ok(list(place, &now))
}

/// Brings back the version `id`, or the newest that differs from what stands now. That is a write like any other: what
/// it displaces is kept, so a second `undo` brings back what the first one replaced. With the notes of that write.
///
/// # Errors
/// [`crate::error::Kind::No`]: there is none; [`crate::error::Kind::Input`]: no version has this id; else as
/// [`super::update()`]. Where someone saves meanwhile, also while the lock is waited for, theirs stands.
pub fn undo_restore(place: &Place, id: Option<&str>) -> Result<(Version, Vec<String>)> {
    let now = present(place)?;
    let mut wanted = None;
    for version in list(place, &now) {
        if id.is_some_and(|id| id != version.id) {
            continue;
        }
        let bytes = content(&version)?;
        if id.is_some() || bytes != now.bytes {
            wanted = Some((version, bytes));
            break;
        }
    }
    let Some((version, bytes)) = wanted else {
        return Err(match id {
            None => trouble::no_version(&place.shown),
            Some(id) => Error::input(format!("no kept version is called `{id}`")).hint("`plan undo --list` shows them"),
        });
    };
    let mut bytes = Some(bytes);
    // It was chosen before the lock was there, for what stood then: it goes over nothing newer.
    let done = update::run(place, &mut |source| match bytes.take().filter(|_| source == now.bytes) {
        Some(bytes) => Ok(Content::Whole(bytes)),
        None => Err(trouble::overtaken(&place.shown, None)),
    })?;
    Ok((version, done.notes))
}

fn present(place: &Place) -> Result<read::Source> {
    let folder = Folder::open(&place.root).map_err(|error| trouble::plan("read", &place.shown, &error))?;
    read::stable(&folder, place.file.file_name().unwrap_or_default(), &place.shown)
}

fn list(place: &Place, now: &read::Source) -> Vec<Version> {
    let shelf = Shelf::look(place);
    // The copy of what `plan` wrote last goes first: it was displaced after everything that is on the shelf.
    let (copies, kept): (Vec<_>, Vec<_>) = shelf.entries.iter().rev().partition(|entry| entry.class.is_none());
    let versions = copies.into_iter().chain(kept).filter_map(|entry| {
        let class = match entry.class {
            Some(class) => class,
            // A version of its own once someone has written over the original.
            None if entry.is_copy_of(&now.stamp) || !entry.is_whole() => return None,
            None if temp::holds(&mut fs::File::open(&entry.path).ok()?, &now.bytes).ok()? => return None,
            None => Class::Overwritten,
        };
        let bytes = fs::symlink_metadata(&entry.path).ok()?.len();
        Some(Version { id: entry.time.clone(), displaced: entry.timestamp(), class, bytes, path: entry.path.clone() })
    });
    versions.collect()
}

fn content(version: &Version) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = fs::File::open(&version.path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LIMIT => Err(trouble::too_long(&version.path, LIMIT)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(trouble::plan("read", &version.path, &error)),
    }
}
