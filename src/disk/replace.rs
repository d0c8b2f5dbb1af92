//! Replaces a file in one step: a reader sees either the old or the new file, even after a power failure.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Likeness;

/// The prefix of our temporary files beside other files; six random characters follow it.
const PREFIX: &str = ".plan-write.";

/// A new file, written and synced beside the place that it is meant for. It is locked as long as it exists, and removed if dropped.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    place: PathBuf,
}

impl Replacement {
    /// Writes `text` for `place`, whose links are resolved and whose folder exists. The new file takes over the likeness of the old one;
    /// without an old one it gets the user's defaults. Removes the files that killed runs left in the folder.
    ///
    /// # Errors
    /// The folder cannot be written, or its file system is full.
    pub fn write(place: &Path, text: &[u8]) -> io::Result<Self> {
        let like = File::open(place).and_then(|old| Likeness::of(&old)).ok();
        Replacement::write_like(place, text, like.as_ref())
    }

    /// Like [`Replacement::write`], but with a given likeness instead of the one of the file at `place`.
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

    /// Moves the new file to its place, and replaces any file there.
    ///
    /// # Errors
    /// The system refuses it. The place is unchanged.
    pub fn put(self) -> io::Result<()> {
        self.file.persist(&self.place).map(drop).map_err(|error| error.error)
    }

    /// Moves the new file to its place, only if the place is free.
    ///
    /// # Errors
    /// `AlreadyExists` if the place is taken; otherwise as [`Replacement::put`].
    pub fn put_into_free_place(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.place).map(drop).map_err(|error| error.error)
    }
}

/// Makes a new, locked file. Tries again if another process swept the file away before it was locked.
fn make(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        // The mode with which programs usually create files; the user's umask applies.
        let mode = Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().prefix(PREFIX).permissions(mode).tempfile_in(folder)?;
        // On a file system without locks, no sweep removes the file either.
        let _ = file.as_file().lock();
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// Removes temporary files with our prefix that belong to our user and that no process has locked: killed runs left them.
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
