//! `plan undo`: lists the versions that writes replaced, and brings one back.

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

/// A version of plan.md that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptVersion {
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
pub fn undo_list(place: &Place) -> Result<Vec<KeptVersion>> {
    let now = present(place)?;
    Ok(list(place, now.as_ref()))
}

/// Where a plan was that is gone: the file that the caller named, else the nearest `plan.md` upward of which versions are
/// kept. None where nothing is kept.
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

/// Brings back the version `id`, or the newest that differs from what stands now. That is a write like any other: what
/// it displaces is kept, so a second `undo` brings back what the first one replaced. With the notes of that write.
///
/// `allow` is asked before, with what is replaced (of a file that is gone, what stood there last) and what comes back.
///
/// # Errors
/// [`crate::error::Kind::No`]: there is none; [`crate::error::Kind::Input`]: no version has this id; what `allow` answers; else
/// as [`super::update()`]. Where someone saves meanwhile, also while the lock is waited for, theirs stands.
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
    // It was chosen before the lock was there, for what stood then: it goes over nothing newer.
    let done = update::run(place, &mut |source| match bytes.take().filter(|_| source == now.bytes) {
        Some(bytes) => Ok(Content::Whole(bytes)),
        None => Err(error::overtaken(&place.shown, None)),
    })?;
    Ok((version, done.notes))
}

/// What stands now; none where the file is gone.
fn present(place: &Place) -> Result<Option<read::Source>> {
    if fs::symlink_metadata(&place.file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let folder = Folder::open(&place.root).map_err(|error| error::plan("read", &place.shown, &error))?;
    read::stable(&folder, place.file.file_name().unwrap_or_default(), &place.shown).map(Some)
}

fn list(place: &Place, now: Option<&read::Source>) -> Vec<KeptVersion> {
    let backups = Backups::look(place);
    // The copy of what `plan` put there last goes first: it was displaced after every other backup.
    let (copies, kept): (Vec<_>, Vec<_>) = backups.entries.iter().rev().partition(|entry| entry.class.is_none());
    let versions = copies.into_iter().chain(kept).filter_map(|entry| {
        let class = match entry.class {
            Some(class) => class,
            // A version of its own once someone has written over the original.
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

/// The bytes of a kept version.
///
/// # Errors
/// [`crate::error::Kind::Input`] for one that is too long; [`crate::error::Kind::Unknown`] where it cannot be read.
pub fn undo_content(version: &KeptVersion) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = fs::File::open(&version.path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LIMIT => Err(error::too_long(&version.path, LIMIT)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(error::plan("read", &version.path, &error)),
    }
}
