//! The state folder: files that are kept outside plan.md (`FORMAT.md` §4). The first writer makes it, a view never does.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use super::error;
use super::place::Place;
use crate::disk::open_unlinked;
use crate::error::{Error, Result};

/// Returns the path of a file in the state folder. Does not access the disk.
pub fn state_file(place: &Place, name: &str) -> PathBuf {
    place.state.join(name)
}

/// Makes a folder in the state folder, for files that another room writes, accessible to this user only; returns its path.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if it cannot be made, or something else has its name; links are not followed.
pub fn state_folder(place: &Place, name: &str) -> Result<PathBuf> {
    let folder = place.state.join(name);
    make(place, &folder)?;
    Ok(folder)
}

/// Opens a file of the state folder for reading. Never blocks: a pipe is refused, and so is a symbolic link.
///
/// # Errors
/// The file is missing, cannot be read, or is not a regular file.
pub fn look_state(path: &Path) -> io::Result<File> {
    open_unlinked(path)
}

/// Reads the first `most` bytes of a file, opened as in [`look_state`].
///
/// # Errors
/// As [`look_state`].
pub fn read_state(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    look_state(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file of the state folder for reading and writing. Creates the file and its folder if they are missing.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if the folder cannot be written.
pub fn open_state(place: &Place, name: &str) -> Result<File> {
    let path = place.state.join(name);
    make(place, path.parent().unwrap_or(&place.state))?;
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(no_follow())
        .open(&path)
        .map_err(|error| error::state(&path, &error))
}

/// Writes a small file of the state folder (`counters/s1.json`) in one step: a reader sees either the old or the new content.
/// Does not sync: none of these files is needed after a power failure. The last writer wins.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if the folder cannot be written; [`crate::error::Kind::Input`] if the name leads out
/// of it.
pub fn write_state(place: &Place, name: &str, bytes: &[u8]) -> Result<()> {
    let relative = Path::new(name);
    if name.is_empty() || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Error::input(format!("`{name}` is not the name of a file of the state folder")));
    }
    let path = place.state.join(relative);
    let folder = path.parent().unwrap_or(&place.state);
    make(place, folder)?;
    let temp = folder.join(format!(".{}.{}.tmp", std::process::id(), thread_word()));
    let written = write_new(&temp, bytes).and_then(|()| fs::rename(&temp, &path));
    written.map_err(|error| {
        // This call made the file: its name contains this process and thread.
        let _ = fs::remove_file(&temp);
        error::state(&path, &error)
    })
}

/// Removes a file of the state folder. Returns false if there was none.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if it cannot be removed.
pub fn remove_state(place: &Place, name: &str) -> Result<bool> {
    let path = place.state.join(name);
    match fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error::unremoved(&path, &error)),
    }
}

/// Makes the state folder, and `folder` below it, accessible to this user only. A symbolic link on the way is refused: it
/// came with the repository.
pub(super) fn make(place: &Place, folder: &Path) -> Result<()> {
    if place.state.as_os_str().is_empty() {
        return Err(error::homeless());
    }
    let mut steps = vec![place.state.clone()];
    for part in folder.strip_prefix(&place.state).unwrap_or(Path::new("")).components() {
        let next = steps.last().map_or_else(PathBuf::new, |last| last.join(part));
        steps.push(next);
    }
    for (depth, step) in steps.iter().enumerate() {
        match fs::symlink_metadata(step) {
            Ok(meta) if meta.is_dir() => continue,
            Ok(_) => return Err(error::state_taken(step)),
            Err(_) => {}
        }
        let made = DirBuilder::new().recursive(depth == 0).mode(0o700).create(step);
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error::state(step, &error)),
            _ => {}
        }
    }
    Ok(())
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_private(path)?;
    file.write_all(bytes)
}

fn open_private(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(0o600).custom_flags(no_follow()).open(path)
}

/// `O_NOFOLLOW` as a flag for the standard library.
pub(super) fn no_follow() -> i32 {
    rustix::fs::OFlags::NOFOLLOW.bits().cast_signed()
}

/// Digits that identify this thread: two threads of one process may write at once.
fn thread_word() -> String {
    format!("{:?}", std::thread::current().id()).chars().filter(char::is_ascii_digit).collect()
}
