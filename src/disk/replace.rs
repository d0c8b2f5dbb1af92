//! Replaces a file in one step: a reader sees the old or the new one, after a power failure too.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Likeness;

/// What our temporary files beside other files are called, before six random characters.
const PREFIX: &str = ".plan-write.";

/// A new file beside the place that it is meant for, on the disk and locked as long as it lives. Gone if it is dropped.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    place: PathBuf,
}

impl Replacement {
    /// Writes `text` for `place`, whose links are resolved and whose folder is there. The new file is like the old one; where
    /// there is none, like any that this user makes. What killed runs left in that folder is removed.
    ///
    /// # Errors
    /// The folder cannot be written, or its file system is full.
    pub fn write(place: &Path, text: &[u8]) -> io::Result<Self> {
        let like = File::open(place).and_then(|old| Likeness::of(&old)).ok();
        Replacement::write_like(place, text, like.as_ref())
    }

    /// As [`Replacement::write`], but like another file than the one that stands there.
    ///
    /// # Errors
    /// As [`Replacement::write`].
    pub fn write_like(place: &Path, text: &[u8], like: Option<&Likeness>) -> io::Result<Self> {
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sweep(folder);
        let mut file = make(folder)?;
        if let Some(like) = like {
            like.put_on(file.as_file())?;
        }
        file.write_all(text)?;
        file.as_file().sync_all()?;
        Ok(Replacement { file, place: place.to_owned() })
    }

    /// Puts it in its place, whatever stands there.
    ///
    /// # Errors
    /// The system says no. The place is as it was.
    pub fn put(self) -> io::Result<()> {
        self.file.persist(&self.place).map(drop).map_err(|error| error.error)
    }

    /// Puts it in its place where nothing stands there.
    ///
    /// # Errors
    /// `AlreadyExists`; else as [`Replacement::put`].
    pub fn put_into_free_place(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.place).map(drop).map_err(|error| error.error)
    }
}

/// A new file that is locked. One that somebody swept away between its making and its locking is made again.
fn make(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        // As any program makes a file, under the person's umask.
        let mode = Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().prefix(PREFIX).permissions(mode).tempfile_in(folder)?;
        // A file system without locks has no sweep either.
        let _ = file.as_file().lock();
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// Removes our own user's files of that name that nobody holds a lock on any more: what a killed run left.
fn sweep(folder: &Path) {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_named = entry
            .file_name()
            .as_encoded_bytes()
            .strip_prefix(PREFIX.as_bytes())
            .is_some_and(|rest| rest.len() == 6 && rest.iter().all(u8::is_ascii_alphanumeric));
        if !is_named || !entry.metadata().is_ok_and(|meta| meta.is_file() && meta.uid() == me) {
            continue;
        }
        if let Ok(left) = File::open(entry.path())
            && left.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_as_any_program_makes_it_and_an_old_one_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings");
        let mode = |path: &Path| path.metadata().unwrap().mode() & 0o7777;
        Replacement::write(&path, b"x").unwrap().put().unwrap();
        fs::write(folder.path().join("plain"), "x").unwrap();
        assert_eq!(mode(&path), mode(&folder.path().join("plain")));
        for own in [0o600, 0o664] {
            fs::set_permissions(&path, Permissions::from_mode(own)).unwrap();
            Replacement::write(&path, b"y").unwrap().put().unwrap();
            assert_eq!((mode(&path), &*fs::read(&path).unwrap()), (own, &b"y"[..]));
        }
        let taken = Replacement::write(&path, b"z").unwrap().put_into_free_place().unwrap_err();
        assert_eq!((taken.kind(), fs::read(&path).unwrap()), (io::ErrorKind::AlreadyExists, b"y".to_vec()));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn what_the_dead_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [".plan-write.aB3dEf", ".plan-write.backup2", ".plan-write.a~c~ef", "plan-write.abcdef"] {
            fs::write(path(name), "x").unwrap();
        }
        fs::create_dir(path(".plan-write.folder")).unwrap();
        let alive = Replacement::write(&path("a"), b"a").unwrap();
        let second = Replacement::write(&path("b"), b"b").unwrap();
        alive.put().unwrap();
        second.put().unwrap();
        let mut names: Vec<_> =
            folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(
            names,
            [".plan-write.a~c~ef", ".plan-write.backup2", ".plan-write.folder", "a", "b", "plan-write.abcdef"]
        );
    }
}
