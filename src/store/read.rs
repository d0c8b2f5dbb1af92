//! Reads a file that someone may be saving right now.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::error;
use super::folder::Folder;
use super::place::Place;
use super::stamp::Stamp;
use crate::disk::Owner;
use crate::error::Result;
use crate::plan::parse::MAX_BYTES;

/// The maximum size of a plan. A longer one is refused before it is read.
pub(super) const LIMIT: u64 = MAX_BYTES as u64;

/// How long to wait for a file that is being saved.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// A file that has not changed for this long is not in the middle of a save. Two ticks of the coarsest clock used for
/// file times.
const QUIET: Duration = Duration::from_millis(20);

/// One version of plan.md.
pub(super) struct FileVersion {
    pub(super) bytes: Vec<u8>,
    pub(super) stamp: Stamp,
    pub(super) owner: Owner,
    /// The number of its names (hard links).
    pub(super) links: u64,
}

/// Reads all of plan.md, at most 64 MiB. Takes no lock and writes nothing.
///
/// # Errors
/// [`crate::error::Kind::Input`]: missing, too long, not readable. [`crate::error::Kind::Changed`]: it kept changing
/// for 1 s.
pub fn read(place: &Place) -> Result<Vec<u8>> {
    let folder = Folder::open(&place.root).map_err(|error| error::plan("read", &place.shown, &error))?;
    let name = place.file.file_name().unwrap_or_default();
    stable(&folder, name, &place.shown).map(|source| source.bytes)
}

/// Reads a file until it did not change during the reading and does not look like half of a save.
pub(super) fn stable(folder: &Folder, name: &OsStr, shown: &Path) -> Result<FileVersion> {
    let end = Instant::now() + PATIENCE;
    loop {
        let late = Instant::now() >= end;
        match attempt(folder, name) {
            // An editor that saves by renaming leaves a moment without the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !late => {}
            Err(error) => return Err(error::plan("read", shown, &error)),
            Ok(Attempt::TooLong) => return Err(error::too_long(shown, LIMIT)),
            Ok(Attempt::Whole(source)) if late || !cut_off(&source) => return Ok(source),
            Ok(Attempt::Moved) if late => return Err(error::unstable(shown)),
            Ok(_) => {}
        }
        sleep(Duration::from_millis(2));
    }
}

/// Reads a version that an editor may still be writing, once it stopped changing. `None` if it did not stop within [`PATIENCE`].
pub(super) fn settled(folder: &Folder, name: &OsStr) -> io::Result<Option<FileVersion>> {
    let end = Instant::now() + PATIENCE;
    let mut before: Option<Stamp> = None;
    while Instant::now() < end {
        let mut pause = QUIET;
        match attempt(folder, name)? {
            Attempt::Whole(source) if !source.bytes.is_empty() => {
                let quiet = source.stamp.age().is_some_and(|age| age >= QUIET) || before == Some(source.stamp);
                if quiet {
                    return Ok(Some(source));
                }
                before = Some(source.stamp);
            }
            _ => pause = Duration::from_millis(2),
        }
        sleep(pause);
    }
    Ok(None)
}

/// Reads the current version once; `None` if that fails or the file changed meanwhile.
pub(super) fn glance(folder: &Folder, name: &OsStr) -> Option<FileVersion> {
    match attempt(folder, name) {
        Ok(Attempt::Whole(source)) => Some(source),
        _ => None,
    }
}

/// Whether the file looks like half of a save. An editor that writes in place empties the file first and then fills it: a file
/// without a final newline that was changed just now does not count as a version.
fn cut_off(source: &FileVersion) -> bool {
    let patience = match source.bytes.last() {
        None => PATIENCE,
        Some(b'\n') => return false,
        Some(_) => QUIET,
    };
    source.stamp.age().is_some_and(|age| age < patience)
}

enum Attempt {
    Whole(FileVersion),
    Moved,
    TooLong,
}

fn attempt(folder: &Folder, name: &OsStr) -> io::Result<Attempt> {
    let (mut file, meta) = folder.file(name)?;
    let stamp = Stamp::of(&meta);
    if stamp.size > LIMIT {
        return Ok(Attempt::TooLong);
    }
    let bytes = whole(&mut file, stamp.size)?;
    let after = Stamp::of(&file.metadata()?);
    if after != stamp || bytes.len() as u64 != stamp.size {
        return Ok(Attempt::Moved);
    }
    Ok(Attempt::Whole(FileVersion { bytes, stamp, owner: Owner::of(&meta), links: meta.nlink() }))
}

/// Reads to the end, but at most one byte more than expected: enough to notice a growing file without following it.
fn whole(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    let room = usize::try_from(size).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))? + 1;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(room)?;
    file.take(room as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
