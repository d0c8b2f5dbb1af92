//! Removes objects that no kept tree uses.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::Result;
use crate::repo::error::RepoResult;
use crate::repo::{ObjectId, Repo};

/// The minimum age of objects to remove, because somebody may be storing a tree right now.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

impl Repo {
    /// Removes the objects that no kept tree uses, once they are a day old. Two processes; none if no object is
    /// that old.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails. Then nothing is removed.
    pub fn sweep(&self) -> Result<()> {
        self.sweep_older(FRESH)
    }

    /// Like [`Repo::sweep`], for objects that are older than `age`.
    ///
    /// # Errors
    /// As [`Repo::sweep`].
    pub fn sweep_older(&self, age: Duration) -> Result<()> {
        let old: Vec<_> = objects(&self.kept_objects()).into_iter().filter(|object| object.age > age).collect();
        if old.is_empty() {
            return Ok(());
        }
        let needed = self.needed()?;
        for object in old.iter().filter(|object| !needed.contains(&object.id)) {
            // If it cannot be removed today, the next sweep removes it.
            let _ = fs::remove_file(&object.path);
        }
        Ok(())
    }

    /// The number of bytes of all kept objects, as stored. No process.
    pub fn kept_bytes(&self) -> u64 {
        objects(&self.kept_objects()).iter().map(|object| object.bytes).sum()
    }

    /// Every object of the kept trees that exists here.
    fn needed(&self) -> RepoResult<HashSet<ObjectId>> {
        let trees: Vec<ObjectId> = self.all_kept().into_iter().map(|kept| kept.tree).collect();
        let here = self.look_up(trees.iter().map(ObjectId::to_string))?;
        let stdin: String = here.iter().flatten().map(|found| format!("{}\n", found.id)).collect();
        if stdin.is_empty() {
            return Ok(HashSet::new());
        }
        // Files that were too large are missing, and so are objects that git has collected since.
        let args = ["rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin"];
        let bytes = self.git(&args, stdin.as_bytes())?;
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(ObjectId::parse).collect())
    }
}

/// A loose object of the folder.
struct LooseObject {
    id: ObjectId,
    path: PathBuf,
    age: Duration,
    bytes: u64,
}

/// The loose objects of a folder: `ab/cdef…`.
fn objects(folder: &Path) -> Vec<LooseObject> {
    let now = SystemTime::now();
    let mut found = Vec::new();
    for first in fs::read_dir(folder).into_iter().flatten().flatten() {
        for second in fs::read_dir(first.path()).into_iter().flatten().flatten() {
            let name = [first.file_name(), second.file_name()].map(|name| name.to_string_lossy().into_owned()).concat();
            let (Some(id), Ok(meta)) = (ObjectId::parse(&name), second.path().symlink_metadata()) else { continue };
            let age = meta.modified().ok().and_then(|time| now.duration_since(time).ok()).unwrap_or_default();
            found.push(LooseObject { id, path: second.path(), age, bytes: meta.len() });
        }
    }
    found
}
