//! `plan undo`: lists the versions that writes replaced, and restores one.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::backups::{Backups, Class};
use super::content::Content;
use super::create::create;
use super::place::{self, Place};
use super::read::{self, LIMIT};
use super::temp;
use super::{error, folder::Folder, update};
use crate::error::{Error, Result};

/// A kept version of plan.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptVersion {
    /// The id for [`undo_restore`]; sorts by time.
    pub id: String,
    /// The time when it was displaced, in UTC with microseconds.
    pub displaced: Timestamp,
    /// Why it is kept.
    pub class: Class,
    /// Its length in bytes.
    pub bytes: u64,
    /// The path of its file. An editor may open it; `plan` never changes it.
    pub path: PathBuf,
}

/// Lists the kept versions, newest first. Takes no lock and writes nothing.
///
/// # Errors
/// As [`super::read()`]: plan.md is read to tell whether it is still the version that `plan` wrote last.
pub fn undo_list(place: &Place) -> Result<Vec<KeptVersion>> {
    let now = present(place)?;
    Ok(list(place, now.as_ref()))
}

/// Returns the place of a plan that was deleted: the file that the caller named, otherwise the nearest `plan.md` in `cwd` or
/// above it that has kept versions. `None` if no versions are kept.
///
/// # Errors
/// As [`place::place_for_new`].
pub fn lost(cwd: &Path, file: Option<&Path>) -> Result<Option<Place>> {
    let kept = |place: &Place| !Backups::look(place).entries.is_empty();
    if file.is_some() {
        return Ok(Some(place::place_for_new(cwd, file)?).filter(kept));
    }
    let mut name = PathBuf::from(place::NAME);
    loop {
        let place = place::place_for_new(cwd, Some(&name))?;
        let is_last = place.top.as_ref().is_none_or(|top| *top == place.root);
        if kept(&place) {
            return Ok(Some(place));
        } else if is_last {
            return Ok(None);
        }
        name = Path::new("..").join(name);
    }
}

/// Restores the version `id`, or the newest version that differs from the current one. This is a normal write: it keeps the
/// version that it displaces, so a second `undo` restores what the first one replaced. Returns the notes of the write as well.
///
/// `allow` is asked first, with the replaced bytes (of a deleted file: its newest kept version) and the restored bytes.
///
/// # Errors
/// [`crate::error::Kind::No`]: no other version is kept; [`crate::error::Kind::Input`]: no version has this id; an error of `allow`;
/// otherwise as [`super::update()`]. If someone saves meanwhile, even during the wait for the lock, their version stays.
pub fn undo_restore(
    place: &Place,
    id: Option<&str>,
    allow: impl FnOnce(&[u8], &[u8]) -> Result<()>,
) -> Result<(KeptVersion, Vec<String>)> {
    let now = present(place)?;
    let mut wanted = None;
    let versions = list(place, now.as_ref());
    let last = versions.first().cloned();
    for version in versions {
        if id.is_some_and(|id| id != version.id) {
            continue;
        }
        let bytes = undo_content(&version)?;
        if id.is_some() || now.as_ref().is_none_or(|now| bytes != now.bytes) {
            wanted = Some((version, bytes));
            break;
        }
    }
    let Some((version, bytes)) = wanted else {
        return Err(match id {
            None => error::no_version(&place.shown),
            Some(id) => Error::input(format!("no kept version is called `{id}`")).hint("`plan undo --list` shows them"),
        });
    };
    match (&now, &last) {
        (Some(now), _) => allow(&now.bytes, &bytes)?,
        (None, Some(last)) => allow(&undo_content(last)?, &bytes)?,
        (None, None) => {}
    }
    let Some(now) = now else {
        let done = create(place, &bytes)?;
        return Ok((version, done.notes));
    };
    let mut bytes = Some(bytes);
    // The version was chosen before the lock was taken, to replace `now`: it must not replace anything newer.
    let done = update::run(place, &mut |source| match bytes.take().filter(|_| source == now.bytes) {
        Some(bytes) => Ok(Content::Whole(bytes)),
        None => Err(error::overtaken(&place.shown, None)),
    })?;
    Ok((version, done.notes))
}

/// Reads the current version; `None` if the file is gone.
fn present(place: &Place) -> Result<Option<read::FileVersion>> {
    if fs::symlink_metadata(&place.file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let folder = Folder::open(&place.root).map_err(|error| error::plan("read", &place.shown, &error))?;
    read::stable(&folder, place.file.file_name().unwrap_or_default(), &place.shown).map(Some)
}

fn list(place: &Place, now: Option<&read::FileVersion>) -> Vec<KeptVersion> {
    let backups = Backups::look(place);
    // The copy of the version that `plan` wrote last goes first: that version was displaced after every other backup.
    let (copies, kept): (Vec<_>, Vec<_>) = backups.entries.iter().rev().partition(|entry| entry.class.is_none());
    let versions = copies.into_iter().chain(kept).filter_map(|entry| {
        let class = match entry.class {
            Some(class) => class,
            // The copy counts as a version once someone has written over its original.
            None if !entry.is_whole() => return None,
            None => match now {
                Some(now) if entry.is_copy_of(&now.stamp) => return None,
                Some(now) if temp::holds(&mut fs::File::open(&entry.path).ok()?, &now.bytes).ok()? => return None,
                _ => entry.class_as_past(),
            },
        };
        let bytes = fs::symlink_metadata(&entry.path).ok()?.len();
        Some(KeptVersion {
            id: entry.time.clone(),
            displaced: entry.timestamp(),
            class,
            bytes,
            path: entry.path.clone(),
        })
    });
    versions.collect()
}

/// Reads the bytes of a kept version.
///
/// # Errors
/// [`crate::error::Kind::Input`]: it is too long, or cannot be read.
pub fn undo_content(version: &KeptVersion) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = fs::File::open(&version.path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LIMIT => Err(error::too_long(&version.path, LIMIT)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(error::plan("read", &version.path, &error)),
    }
}
