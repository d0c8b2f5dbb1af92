//! Settings files on disk: read at their real paths, and written all together or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use crate::disk::{Likeness, Owner, Replacement};
use crate::error::{Error, Kind, Result};

/// The largest settings file, in bytes.
pub(super) const LARGEST: u64 = 4 << 20;

/// A settings file, which may not exist yet.
#[derive(Clone, Debug)]
pub(super) struct SettingsFile {
    /// The real path, with links resolved.
    real: PathBuf,
    /// The text; `None` if the file does not exist.
    pub(super) text: Option<String>,
    /// The owner and mode; `None` if the file does not exist.
    like: Option<Likeness>,
}

impl SettingsFile {
    /// Writes its text to a new file at `place`, with the same owner and mode.
    ///
    /// # Errors
    /// `AlreadyExists` if there is a file at `place`; any other error if the file cannot be written.
    pub(super) fn copy(&self, place: &Path) -> io::Result<()> {
        let text = self.text.as_deref().unwrap_or_default();
        Replacement::write_like(place, text.as_bytes(), self.like.as_ref())?.put_into_free_place()
    }

    /// Returns true if the file on the disk is still as it was read.
    pub(super) fn is_as_read(&self) -> bool {
        match (fs::read(&self.real), &self.text) {
            (Ok(bytes), Some(text)) => bytes == text.as_bytes(),
            (Err(error), None) => error.kind() == io::ErrorKind::NotFound,
            _ => false,
        }
    }
}

/// Reads the file at `path`.
///
/// `bound` is the canonical folder that the file must be in: a repository's files are hostile, and a link could lead a write
/// anywhere. A user's own links are followed.
///
/// # Errors
/// [`Kind::Input`] if the file is not regular, too large, not UTF-8 or read-only, or if it is a link that is broken, or leads
/// out of `bound` or into a git directory.
pub(super) fn look(path: &Path, bound: Option<&Path>) -> Result<SettingsFile> {
    let real = real(path)?;
    if let Some(bound) = bound {
        let below = real.strip_prefix(bound).ok();
        let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        if below.is_none_or(|below| below.components().any(is_git)) {
            return Err(Error::input(format!(
                "`{}` is a link out of the repository, to `{}`",
                path.display(),
                real.display()
            ))
            .hint("links out of a repository are not followed; replace the link with a file"));
        }
    }
    let meta = match fs::metadata(&real) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(SettingsFile { real, text: None, like: None });
        }
        Err(error) => return Err(trouble("read", path, &error)),
    };
    if !meta.is_file() {
        return Err(Error::input(format!("expected a regular file at `{}`, found something else", path.display())));
    }
    if meta.len() > LARGEST {
        return Err(Error::input(format!("`{}` has {} bytes; at most {LARGEST} are read", path.display(), meta.len())));
    }
    if Owner::of(&meta).is_protected() {
        return Err(Error::input(format!("`{}` is read-only", path.display()))
            .hint("another program may manage it; make the change there: `--print` shows it"));
    }
    let (bytes, like) = read(&real).map_err(|error| trouble("read", path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| Error::input(format!("`{}` is not UTF-8", path.display())))?;
    Ok(SettingsFile { real, text: Some(text), like: Some(like) })
}

fn read(real: &Path) -> io::Result<(Vec<u8>, Likeness)> {
    let mut file = File::open(real)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((bytes, Likeness::of(&file)?))
}

/// Returns the real path of `path`: links are resolved as far as the path exists.
fn real(path: &Path) -> Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(_) => path.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::input(format!("`{}` is a broken link", path.display())),
            _ => trouble("read", path, &error),
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => Ok(real(folder)?.join(name)),
            _ => Err(trouble("read", path, &error)),
        },
        Err(error) => Err(trouble("read", path, &error)),
    }
}

/// A file and its new text; `None` removes the file.
#[derive(Clone, Debug)]
pub(super) struct Write<'w> {
    pub(super) shown: &'w Path,
    pub(super) file: &'w SettingsFile,
    pub(super) text: Option<&'w str>,
}

/// Returns the folders that [`write()`] will create, outermost first.
pub(super) fn missing(writes: &[Write<'_>]) -> Vec<PathBuf> {
    let mut missing = Vec::new();
    for write in writes.iter().filter(|write| write.text.is_some()) {
        let above = write.file.real.ancestors().skip(1).take_while(|path| !path.exists());
        let new: Vec<PathBuf> =
            above.filter(|path| !missing.iter().any(|one| one == path)).map(Path::to_owned).collect();
        missing.extend(new.into_iter().rev());
    }
    missing
}

/// Writes all files or none, each in one step.
///
/// # Errors
/// [`Kind::Changed`] if a file changed since it was read; [`Kind::Input`] if a file cannot be written.
pub(super) fn write(writes: &[Write<'_>]) -> Result<()> {
    let mut made = Vec::new();
    let done = stage(writes, &mut made).and_then(|staged| put(writes, staged));
    if done.is_err() {
        for folder in made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
    done
}

/// Writes every new text into a temporary file beside its target.
fn stage(writes: &[Write<'_>], made: &mut Vec<PathBuf>) -> Result<Vec<Option<Replacement>>> {
    let one = |write: &Write<'_>| {
        let Some(text) = write.text else { return Ok(None) };
        temporary(write.file, text, made).map(Some).map_err(|error| trouble("write", write.shown, &error))
    };
    writes.iter().map(one).collect::<Result<_>>()
}

/// Writes `text` into a temporary file beside `place`; creates a missing folder.
fn temporary(place: &SettingsFile, text: &str, made: &mut Vec<PathBuf>) -> io::Result<Replacement> {
    folders(place.real.parent().unwrap_or(Path::new("/")), made)?;
    Replacement::write_like(&place.real, text.as_bytes(), place.like.as_ref())
}

fn folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
    for path in missing.into_iter().rev() {
        fs::create_dir(path)?;
        made.push(path.to_owned());
    }
    Ok(())
}

/// Puts the new texts in place. If one fails, the earlier ones are undone.
fn put(writes: &[Write<'_>], staged: Vec<Option<Replacement>>) -> Result<()> {
    for write in writes {
        if !write.file.is_as_read() {
            return Err(Error::new(
                Kind::Changed,
                format!("`{}` changed meanwhile; nothing was written", write.shown.display()),
            )
            .hint("run the command again"));
        }
    }
    for (index, (write, file)) in writes.iter().zip(staged).enumerate() {
        let real = &write.file.real;
        let done = match file {
            Some(file) if write.file.text.is_some() => file.put(),
            Some(file) => file.put_into_free_place(),
            None => fs::remove_file(real),
        };
        if let Err(error) = done {
            let left = writes[..index].iter().filter(|write| take_back(write.file).is_err());
            let left: Vec<String> = left.map(|write| format!("`{}`", write.shown.display())).collect();
            return Err(match left.is_empty() {
                true => trouble("write", write.shown, &error),
                false => Error::input(format!("cannot write `{}`: {error}", write.shown.display()))
                    .hint(format!("could not restore {}", left.join(", "))),
            });
        }
    }
    Ok(())
}

/// Restores the file to its earlier state.
fn take_back(file: &SettingsFile) -> io::Result<()> {
    match &file.text {
        None => fs::remove_file(&file.real),
        Some(text) => temporary(file, text, &mut Vec::new())?.put(),
    }
}

/// Removes the empty folders among `folders`, innermost first.
pub(super) fn tidy(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

fn trouble(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::input(format!("cannot {what} `{}`: {error}", path.display())).hint(match what {
        "write" => "nothing was written; make it writable, or make the change by hand: `--print` shows it",
        _ => "nothing was written; fix that, then run the command again",
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    /// If the last of several files cannot be put in place, the other files keep their content and their mode.
    #[test]
    fn what_was_written_or_removed_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["gone", "changed"] {
            fs::write(path(name), name).unwrap();
            fs::set_permissions(path(name), fs::Permissions::from_mode(0o640)).unwrap();
        }
        let names = [("gone", None), ("changed", Some("x")), ("new", Some("y")), ("last", Some("z"))];
        let files = names.map(|(name, text)| (path(name), look(&path(name), None).unwrap(), text));
        let writes: Vec<Write<'_>> =
            files.iter().map(|(shown, file, text)| Write { shown, file, text: *text }).collect();
        let staged = stage(&writes, &mut Vec::new()).unwrap();
        let is_last = |file: &PathBuf| file.ends_with("last") || fs::read(file).is_ok_and(|bytes| bytes == b"z");
        let last = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).find(is_last);
        fs::remove_file(last.unwrap()).unwrap();
        let error = put(&writes, staged).unwrap_err();
        assert!(error.hints[0].starts_with("nothing was written"), "{error:?}");
        for name in ["gone", "changed"] {
            assert_eq!(fs::read_to_string(path(name)).unwrap(), name);
            assert_eq!(path(name).metadata().unwrap().mode() & 0o7777, 0o640);
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }
}
