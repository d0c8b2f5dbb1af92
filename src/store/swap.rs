//! Exchanges two files without losing either.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::read::PATIENCE;
use super::stamp::Stamp;

/// What a file's place was taken from.
#[derive(Debug)]
pub(super) struct Displaced {
    /// Where it lies.
    pub(super) name: OsString,
    /// Why what was saved into it in the very moment could not be kept.
    pub(super) lost: Option<io::Error>,
}

impl Displaced {
    fn at(name: &OsStr) -> Self {
        Displaced { name: name.to_owned(), lost: None }
    }
}

/// Puts `temp` at `file`; what stood at `file` is at `temp` afterwards, or at another temporary name. An error means that
/// `file` is as it was.
///
/// An editor that saves by renaming leaves a moment without the file: it is waited for. After that, `NotFound`.
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

/// The same where names cannot be exchanged: a second name keeps the old file, then the new one is renamed over it.
/// Between the two an editor that saves by renaming can lose its save; one that writes in place cannot.
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

/// The old file was written in place since the copy at `aside` was made, and the open file is all that is left of it: a
/// second copy goes to `temp`, and only then the first away.
pub(super) fn copy_again(folder: &Folder, old: &mut File, aside: &OsStr, temp: &OsStr) -> Displaced {
    match io::Seek::rewind(old).and_then(|()| copy(folder, old, temp)) {
        Ok(()) => {
            let _ = folder.remove(aside);
            Displaced::at(temp)
        }
        Err(error) => Displaced { lost: Some(error), ..Displaced::at(aside) },
    }
}

/// A name that a later write recognises as left over: the second of this process's temporary names.
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
