//! Exchanges two files without losing either.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::read::PATIENCE;
use super::stamp::Stamp;

/// The file that was displaced from its place.
#[derive(Debug)]
pub(super) struct Displaced {
    /// Its name now.
    pub(super) name: OsString,
    /// Why text could not be kept that was saved into it during the exchange.
    pub(super) lost: Option<io::Error>,
}

impl Displaced {
    fn at(name: &OsStr) -> Self {
        Displaced { name: name.to_owned(), lost: None }
    }
}

/// Puts `temp` at `file`; the old file is at `temp` afterwards, or at another temporary name. After an error `file` is
/// unchanged.
///
/// An editor that saves by renaming leaves a moment without the file: this waits for the file, and then fails with `NotFound`.
pub(super) fn swap(folder: &Folder, temp: &OsStr, file: &OsStr) -> io::Result<Displaced> {
    let end = Instant::now() + PATIENCE;
    loop {
        let done = match folder.exchange(temp, file) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => replace(folder, temp, file),
            done => done.map(|()| Displaced::at(temp)),
        };
        match done {
            Err(error) if error.kind() == io::ErrorKind::NotFound && Instant::now() < end => {
                sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

/// Like [`swap`], if names cannot be exchanged: keeps the old file under a second name, then renames the new one over it.
/// Between the two steps, an editor that saves by renaming can lose its save; one that writes in place cannot.
pub(super) fn replace(folder: &Folder, temp: &OsStr, file: &OsStr) -> io::Result<Displaced> {
    let aside = aside(temp);
    let (mut old, meta) = folder.file(file)?;
    let linked = folder.link(file, &aside).is_ok();
    if !linked {
        copy(folder, &mut old, &aside)?;
    }
    if let Err(error) = folder.rename(temp, file) {
        let _ = folder.remove(&aside);
        return Err(error);
    }
    let as_copied = || old.metadata().is_ok_and(|now| Stamp::of(&now) == Stamp::of(&meta));
    if linked || as_copied() {
        let back = folder.rename(&aside, temp).is_ok();
        return Ok(Displaced::at(if back { temp } else { &aside }));
    }
    Ok(copy_again(folder, &mut old, &aside, temp))
}

/// The old file was written in place after the copy at `aside` was made, and now exists only as an open file: makes a
/// second copy at `temp`, and removes the first copy only after that.
pub(super) fn copy_again(folder: &Folder, old: &mut File, aside: &OsStr, temp: &OsStr) -> Displaced {
    match io::Seek::rewind(old).and_then(|()| copy(folder, old, temp)) {
        Ok(()) => {
            let _ = folder.remove(aside);
            Displaced::at(temp)
        }
        Err(error) => Displaced { lost: Some(error), ..Displaced::at(aside) },
    }
}

/// The second temporary name of this write; a later write recognises such a file as left over.
fn aside(temp: &OsStr) -> OsString {
    let mut name = temp.to_owned().into_encoded_bytes();
    name.truncate(name.len().saturating_sub(".tmp".len()));
    name.extend_from_slice(b"-0.tmp");
    std::os::unix::ffi::OsStringExt::from_vec(name)
}

fn copy(folder: &Folder, from: &mut File, name: &OsStr) -> io::Result<()> {
    let mut to = folder.create(name, 0o600)?;
    let copied = io::copy(from, &mut to).and_then(|_| to.set_permissions(fs::File::metadata(from)?.permissions()));
    if copied.is_err() {
        let _ = folder.remove(name);
    }
    copied
}
