//! plan.md after a program of the repository ran in its folder.

use std::fs;
use std::io;

use super::create::create_like;
use super::place::Place;
use super::update::{LockedWrite, update};
use super::{lock, temp};
use crate::disk::{Likeness, open_regular};
use crate::error::Result;
use crate::plan::edit::Edit;

/// The rescue of a plan.md that a program changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescue {
    /// It is as it was, or every byte of it is in a kept version already.
    Nothing,
    /// It was gone or empty, and was restored.
    Restored,
    /// It has other content, which stays. The bytes from before are in a kept version now.
    Kept,
}

/// Saves the bytes that plan.md had before a program ran. If the file is gone or empty, it is restored, with the owner and mode of
/// `like`; `may_restore` is false if the plan may rightly be gone. If it has other content, the content stays, and `plan undo` lists
/// the bytes from before: an edit by hand may be in no other version.
///
/// # Errors
/// As [`super::create()`] and [`update()`].
pub fn rescue(place: &Place, before: &[u8], like: Option<&Likeness>, may_restore: bool) -> Result<Rescue> {
    let opened = open_regular(&place.file);
    let is_gone = opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if opened.is_ok_and(|mut file| temp::holds(&mut file, before).unwrap_or(false)) {
        return Ok(Rescue::Nothing);
    }
    if is_gone && may_restore && put_back(place, before, like)? {
        return Ok(Rescue::Restored);
    }
    if may_restore && fs::metadata(&place.file).is_ok_and(|meta| meta.is_file() && meta.len() == 0) {
        let whole = Edit { range: 0..0, text: before.to_vec() };
        // Somebody may have saved it meanwhile; their version stays.
        if update(place, |now| Ok(if now.is_empty() { vec![whole.clone()] } else { Vec::new() }))?.changed {
            return Ok(Rescue::Restored);
        }
    }
    let _lock = lock::take(place, lock::PATIENCE)?;
    let kept = LockedWrite::open(place)?.keep_bytes(before)?;
    Ok(if kept { Rescue::Kept } else { Rescue::Nothing })
}

/// Writes plan.md back. Returns false if there is a plan.md again.
fn put_back(place: &Place, bytes: &[u8], like: Option<&Likeness>) -> Result<bool> {
    match create_like(place, bytes, like) {
        // Somebody saved it meanwhile; their version stays.
        Err(_) if place.file.symlink_metadata().is_ok() => Ok(false),
        written => written.map(|_| true),
    }
}
