//! Removes objects that no kept tree uses.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::Result;
use crate::repo::error::RepoError;
use crate::repo::{ObjectId, Repo};

/// Younger objects stay, because somebody may be storing a tree right now.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

impl Repo {
    /// Removes the objects that no kept tree uses, once they are a day old. Two processes; none if no object is that
    /// old.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails. Then nothing is removed.
    pub fn sweep(&self) -> Result<()> {
        let old = old_objects(&self.kept_objects());
        if old.is_empty() {
            return Ok(());
        }
        let needed = self.needed()?;
        for (_, path) in old.iter().filter(|(id, _)| !needed.contains(id)) {
            // The next sweep removes an object that cannot be removed today.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Every object of the kept trees that exists here.
    fn needed(&self) -> std::result::Result<HashSet<ObjectId>, RepoError> {
        let trees: Vec<ObjectId> = self.all_kept().into_iter().map(|kept| kept.tree).collect();
        let here = self.look_up(trees.iter().map(ObjectId::to_string))?;
        let stdin: String = here.iter().flatten().map(|found| format!("{}\n", found.id)).collect();
        if stdin.is_empty() {
            return Ok(HashSet::new());
        }
        // A file that was too large is missing, and so are objects that git has collected since.
        let args = ["rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin"];
        let bytes = self.git(&args, stdin.as_bytes())?;
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(ObjectId::parse).collect())
    }
}

/// The loose objects of a folder that are not fresh: `ab/cdef…`.
fn old_objects(folder: &Path) -> Vec<(ObjectId, PathBuf)> {
    let now = SystemTime::now();
    let is_old = |path: &Path| {
        let written = path.symlink_metadata().and_then(|meta| meta.modified());
        written.is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age > FRESH))
    };
    let mut old = Vec::new();
    for first in fs::read_dir(folder).into_iter().flatten().flatten() {
        for second in fs::read_dir(first.path()).into_iter().flatten().flatten() {
            let name = [first.file_name(), second.file_name()].map(|name| name.to_string_lossy().into_owned()).concat();
            let id = ObjectId::parse(&name).filter(|_| is_old(&second.path()));
            old.extend(id.map(|id| (id, second.path())));
        }
    }
    old
}
