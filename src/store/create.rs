//! Creates a new plan.md.

use std::ffi::OsStr;
use std::io;

use super::content::Content;
use super::folder::Folder;
use super::place::Place;
use super::update::{LockedWrite, Updated};
use super::{error, lock, temp};
use crate::disk::Likeness;
use crate::error::Result;

/// Creates plan.md with these bytes. It is complete or does not exist at all, and never replaces another file.
///
/// # Errors
/// [`crate::error::Kind::Input`]: the file exists already, or cannot be written; [`crate::error::Kind::Unknown`]: the
/// state folder cannot be written; [`crate::error::Kind::Changed`]: the lock was not free in time.
pub fn create(place: &Place, bytes: &[u8]) -> Result<Updated> {
    create_like(place, bytes, None)
}

/// Like [`create`], with the owner and mode of `like`.
pub(super) fn create_like(place: &Place, bytes: &[u8], like: Option<&Likeness>) -> Result<Updated> {
    if place.file.symlink_metadata().is_ok() {
        return Err(error::exists(&place.shown));
    }
    let _lock = lock::take(place, lock::PATIENCE)?;
    let mut writer = LockedWrite::open(place)?;
    writer.sweep()?;
    writer.backups.reconcile(None);
    let failed = |error: io::Error| error::plan("written", &place.shown, &error);
    let name = writer.next_name();
    let content = Content::Whole(bytes.to_vec());
    let stamp = temp::write(&writer.folder, &name, &[], &content, like).map_err(failed)?;
    let made = writer.keep(&name, &stamp).and_then(|()| {
        into_free_place(&writer.folder, &name, &writer.file).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => error::exists(&place.shown),
            _ => failed(error),
        })
    });
    if let Err(error) = made {
        let _ = writer.folder.remove(&name);
        writer.backups.drop_currents_but(None);
        return Err(error);
    }
    writer.backups.drop_currents_but(Some(&stamp));
    writer.flush();
    Ok(Updated { changed: true, tries: 1, notes: writer.notes })
}

/// Renames to a free name. If the file system cannot guarantee that the name is free, makes a second name and removes the
/// first.
fn into_free_place(folder: &Folder, from: &OsStr, to: &OsStr) -> io::Result<()> {
    match folder.rename_to_free(from, to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
        done => return done,
    }
    match folder.link(from, to) {
        Ok(()) => return folder.remove(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {}
    }
    match folder.meta(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => folder.rename(from, to),
    }
}
