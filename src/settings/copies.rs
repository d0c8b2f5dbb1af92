//! Plain copies of settings files from which an install removes text that is not ours, such as comments. The record can undo
//! the removal only as long as nobody edits the file; the copy keeps the text whatever happens to the file or the record. It is
//! found by its name, not through the record, which may be missing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{LARGEST, SettingsFile};
use super::record::digest;
use crate::error::{Error, Result};
use crate::store::{self, Place};

/// The digits of a digest in the name of a copy.
const DIGITS: usize = 16;

/// Writes a copy of `file`, and returns when it is on the disk. A copy is never overwritten: its name holds its digest.
///
/// # Errors
/// The copy cannot be written.
pub(super) fn keep(place: &Place, folder: &str, path: &Path, file: &SettingsFile) -> Result<()> {
    let text = file.text.as_deref().unwrap_or_default();
    let copy = store::state_folder(place, folder)?.join(format!("{}-{}", &digest(text)[..DIGITS], name(path)));
    write(file, &copy, text)
        .map_err(|error| Error::input(format!("cannot copy `{}` to `{}`: {error}", path.display(), copy.display())))
}

fn write(file: &SettingsFile, copy: &Path, text: &str) -> io::Result<()> {
    match file.copy(copy) {
        // An earlier install wrote the copy, and may have been killed before it wrote its record.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && read(copy).as_deref() == Some(text) => {}
        done => done?,
    }
    // The state folder may be new too.
    copy.ancestors().skip(1).take(4).try_for_each(|folder| File::open(folder)?.sync_all())
}

/// Returns the copies of the file at `path`, each with its text.
pub(super) fn copies(place: &Place, folder: &str, path: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(store::state_file(place, folder)).into_iter().flatten().flatten();
    let is_of = |copy: &Path| {
        name(copy).split_once('-').is_some_and(|(digits, rest)| digits.len() == DIGITS && rest == name(path))
    };
    let mut found: Vec<(PathBuf, String)> = entries
        .map(|entry| entry.path())
        .filter(|copy| is_of(copy))
        .filter_map(|copy| read(&copy).map(|text| (copy, text)))
        .collect();
    found.sort();
    found
}

fn read(copy: &Path) -> Option<String> {
    String::from_utf8(store::read_state(copy, LARGEST).ok()?).ok()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
