//! The names of kept trees: one small JSON file each.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::repo::error::RepoError;
use crate::repo::{ObjectId, Repo};
use crate::store::read_state;

/// The schema that this version writes.
const VERSION: u32 = 1;

/// The maximum number of bytes of a file; a larger one is not ours.
const LARGEST: u64 = 8 << 20;

/// A kept tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTree {
    /// The name under which it is kept.
    pub name: String,
    /// Its id.
    pub tree: ObjectId,
    /// Files whose contents were not stored.
    pub left_out: Vec<LeftOut>,
    /// The time since it was last kept.
    pub age: Duration,
}

/// A file that was too large to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Relative to the top of the work tree, for display.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

impl LeftOut {
    /// Whether this is the file at this path.
    pub fn is(&self, path: &Path) -> bool {
        path.to_string_lossy() == self.path
    }
}

/// The content of a name's file.
#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    tree: String,
    #[serde(default)]
    left_out: Vec<LeftOut>,
}

impl Repo {
    /// Returns every kept tree, sorted by name. Files that are not ours are skipped. No process.
    pub fn all_kept(&self) -> Vec<KeptTree> {
        let Ok(folder) = fs::read_dir(self.kept_folder().join("kept")) else { return Vec::new() };
        let files = folder.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = files.filter_map(|file| file.strip_suffix(".json").map(str::to_owned)).collect();
        names.sort();
        names.iter().filter_map(|name| self.kept(name)).collect()
    }

    /// Returns the tree with this name. No process.
    pub fn kept(&self, name: &str) -> Option<KeptTree> {
        super::check(name).ok()?;
        let path = self.kept_path(name);
        let document: Document = serde_json::from_slice(&read_state(&path, LARGEST).ok()?).ok()?;
        let tree = ObjectId::parse(&document.tree).filter(|_| document.version == VERSION)?;
        let written = path.symlink_metadata().and_then(|meta| meta.modified()).ok()?;
        let age = SystemTime::now().duration_since(written).unwrap_or_default();
        Some(KeptTree { name: name.to_owned(), tree, left_out: document.left_out, age })
    }

    /// Writes a name's file; returns true if it did not exist.
    pub(super) fn write_kept(&self, kept: &KeptTree) -> Result<bool, RepoError> {
        let path = self.kept_path(&kept.name);
        let new = path.symlink_metadata().is_err();
        let document = Document { version: VERSION, tree: kept.tree.to_string(), left_out: kept.left_out.clone() };
        let bytes = serde_json::to_vec(&document).unwrap_or_default();
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(self.kept_folder().join("kept"))?;
            file.write_all(&bytes)?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map(|_| new).map_err(|error| RepoError::Write { path: path.clone(), error })
    }

    pub(super) fn remove_kept(&self, name: &str) -> Result<(), RepoError> {
        let path = self.kept_path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RepoError::Write { path, error }),
            _ => Ok(()),
        }
    }

    fn kept_path(&self, name: &str) -> PathBuf {
        self.kept_folder().join("kept").join(format!("{name}.json"))
    }
}
