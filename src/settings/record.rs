//! The record of an install, so that an uninstall restores the same bytes: where our pieces went, and the digests of the file
//! before and after. It holds nothing of the file itself. Without a record, or if the file was edited since, our entries are
//! found by their content.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::edit::{Edit, undo};
use super::entries::Preexisting;
use crate::error::Result;
use crate::store::{self, Place};

/// The most bytes of a record.
const LARGEST: u64 = 4 << 20;
const VERSION: u32 = 2;

/// One install.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    pub(super) files: Vec<FileRecord>,
    /// The folders that the install made, outermost first.
    pub(super) folders: Vec<PathBuf>,
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// The piece's name for the file.
    pub(super) file: PathBuf,
    /// The digest of the file before; none if there was no file.
    pub(super) before: Option<String>,
    /// The digest of the file afterwards.
    pub(super) after: String,
    /// The edits from one to the other; none if it was edited in between.
    pub(super) edits: Option<Vec<Edit>>,
    pub(super) kept: Preexisting,
}

impl FileRecord {
    /// The text before the install, if `text` is as the install left it. `Some(None)`: there was no file.
    pub(super) fn before(&self, text: &str) -> Option<Option<String>> {
        let edits = self.edits.as_ref().filter(|_| digest(text) == self.after)?;
        let Some(before) = &self.before else { return Some(None) };
        undo(text, edits).filter(|text| digest(text) == *before).map(Some)
    }
}

impl Record {
    /// The record at `name`; an empty one if it is missing or cannot be read.
    pub(super) fn read(place: &Place, name: &str) -> Self {
        let path = store::state_file(place, name);
        let fits = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        let bytes = if fits { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        serde_json::from_slice(&bytes).ok().filter(|record: &Record| record.version == VERSION).unwrap_or_default()
    }

    /// Writes the record; a record without files is removed.
    ///
    /// # Errors
    /// [`crate::error::Kind::Unknown`] if the folder cannot be written.
    pub(super) fn write(mut self, place: &Place, name: &str) -> Result<()> {
        if self.files.is_empty() {
            let _ = std::fs::remove_file(store::state_file(place, name));
            return Ok(());
        }
        self.version = VERSION;
        store::write_state(place, name, serde_json::to_string(&self).unwrap_or_default().as_bytes())
    }

    pub(super) fn file(&self, file: &Path) -> Option<&FileRecord> {
        self.files.iter().find(|filed| filed.file == file)
    }
}

/// The folder of the record at `name`.
pub(super) fn folder(place: &Place, name: &str) -> PathBuf {
    let file = store::state_file(place, name);
    file.parent().unwrap_or(&place.state).to_owned()
}

/// The folders above the record that its first write makes, outermost first.
pub(super) fn missing_folders(place: &Place, name: &str) -> Vec<PathBuf> {
    let folder = folder(place, name);
    let mut missing: Vec<PathBuf> = folder.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// SHA-256 in hex.
pub(super) fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
