//! The record of an install, so that an uninstall restores the same bytes: the places of our pieces, and the digests of the file
//! before and after. It holds no text of the file except the text that an install removed. Without a record, or if the file was
//! edited since, our entries are found by their content.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::edit::{Edit, undo};
use super::entries::Preexisting;
use crate::error::{Error, Kind, Result};
use crate::store::{self, Place};

/// The largest record, in bytes: it may hold almost all of two settings files, as comments with JSON escapes.
const LARGEST: u64 = 64 << 20;
const VERSION: u32 = 2;

/// One install.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InstallRecord {
    version: u32,
    pub(super) files: Vec<FileRecord>,
    /// The folders that the install created, outermost first.
    pub(super) folders: Vec<PathBuf>,
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// The piece's name for the file.
    pub(super) file: PathBuf,
    /// The digest of the file before; `None` if there was no file.
    pub(super) before: Option<String>,
    /// The digest of the file afterwards.
    pub(super) after: String,
    /// The edits from one to the other; `None` if the file was edited in between.
    pub(super) edits: Option<Vec<Edit>>,
    pub(super) kept: Preexisting,
    /// The digest of the text that the edits begin with, if a person edited the file after an earlier install, so that the text
    /// already held entries of ours.
    #[serde(default)]
    base: Option<String>,
    /// The digest of the file before the last install, and the number of edits that led there. The record is written first, so the
    /// file is still in this state if the install is killed.
    #[serde(default)]
    earlier: Option<(String, usize)>,
}

/// The change that one install makes to a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'s> {
    pub(super) file: &'s Path,
    pub(super) before: Option<&'s str>,
    pub(super) after: &'s str,
    pub(super) edits: &'s [Edit],
    /// True if some edits remove text that is not ours.
    pub(super) removes: bool,
    /// True if the file had no entries of `plan`.
    pub(super) fresh: bool,
    pub(super) kept: &'s Preexisting,
}

impl FileRecord {
    /// Returns the text before the install, if `text` is as the install left it. `Some(None)`: there was no file.
    pub(super) fn before(&self, text: &str) -> Option<Option<String>> {
        let edits = self.edits_to(text).filter(|_| self.base.is_none())?;
        let Some(before) = &self.before else { return Some(None) };
        undo(text, edits).filter(|text| digest(text) == *before).map(Some)
    }

    /// Returns the text before comments were removed, which holds entries of ours, if `text` is as the install left it.
    pub(super) fn base(&self, text: &str) -> Option<String> {
        let base = self.base.as_ref()?;
        undo(text, self.edits_to(text)?).filter(|text| digest(text) == *base)
    }

    /// Returns the edits that made `text`, if nobody else edited it.
    fn edits_to(&self, text: &str) -> Option<&[Edit]> {
        let (edits, digest) = (self.edits.as_deref()?, digest(text));
        let earlier = self.earlier.as_ref().filter(|(earlier, _)| *earlier == digest);
        if digest == self.after { Some(edits) } else { edits.get(..earlier?.1) }
    }

    /// Returns the record of a file after one more install; `old` is the record before it.
    pub(super) fn next(old: Option<&FileRecord>, step: Step<'_>) -> FileRecord {
        let so_far = old.zip(step.before).and_then(|(old, text)| old.edits_to(text));
        let count = so_far.map_or(0, <[Edit]>::len);
        let digested = step.before.map(digest);
        let new = FileRecord {
            file: step.file.to_owned(),
            before: digested.clone(),
            after: digest(step.after),
            edits: Some([so_far.unwrap_or_default(), step.edits].concat()),
            kept: step.kept.clone(),
            base: None,
            earlier: digested.clone().map(|digest| (digest, count)),
        };
        match old {
            // The file is as the last install left it, so the edits add up.
            Some(old) if so_far.is_some() => {
                FileRecord { before: old.before.clone(), kept: old.kept.clone(), base: old.base.clone(), ..new }
            }
            Some(old) if !step.fresh => FileRecord {
                before: old.before.clone(),
                kept: old.kept.clone(),
                // Our entries can be found by their content; the text that is removed now can not.
                edits: new.edits.filter(|_| step.removes),
                base: digested.filter(|_| step.removes),
                ..new
            },
            _ => new,
        }
    }
}

impl InstallRecord {
    /// Reads the record at `name`; an empty record if it is missing or cannot be read.
    pub(super) fn read(place: &Place, name: &str) -> Self {
        let path = store::state_file(place, name);
        let fits = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        let bytes = if fits { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        serde_json::from_slice(&bytes)
            .ok()
            .filter(|record: &InstallRecord| record.version == VERSION)
            .unwrap_or_default()
    }

    /// Writes the record; a record without files is removed.
    ///
    /// # Errors
    /// [`crate::error::Kind::Unknown`] if the folder cannot be written, or the record would be too large to be read.
    pub(super) fn write(mut self, place: &Place, name: &str) -> Result<()> {
        if self.files.is_empty() {
            let _ = std::fs::remove_file(store::state_file(place, name));
            return Ok(());
        }
        self.version = VERSION;
        let text = serde_json::to_string(&self).unwrap_or_default();
        if text.len() as u64 > LARGEST {
            return Err(Error::new(Kind::Unknown, format!("a record of {} bytes is too large", text.len())));
        }
        store::write_state(place, name, text.as_bytes())
    }

    pub(super) fn file(&self, file: &Path) -> Option<&FileRecord> {
        self.files.iter().find(|filed| filed.file == file)
    }
}

/// Returns the folder of the record at `name`.
pub(super) fn folder(place: &Place, name: &str) -> PathBuf {
    let file = store::state_file(place, name);
    file.parent().unwrap_or(&place.state).to_owned()
}

/// Returns the folders above the record that its first write creates, outermost first.
pub(super) fn missing_folders(place: &Place, name: &str) -> Vec<PathBuf> {
    let folder = folder(place, name);
    let mut missing: Vec<PathBuf> = folder.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Returns the SHA-256 digest in hex.
pub(super) fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
