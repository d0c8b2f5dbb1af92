//! Finds out when the files of a work tree last changed, only from their times.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Repo;
use crate::error::Result;

/// Files that runners leave behind even if nobody ignores them; they are not work.
const CACHES: [&str; 3] = ["__pycache__", ".pytest_cache", "node_modules"];

impl Repo {
    /// Returns the time when a file that git does not ignore last changed or was removed. Files at and below `except` (absolute) do
    /// not count. `None` if there is no such file. One process.
    ///
    /// # Errors
    /// [`crate::error::Kind::Unknown`] if git fails.
    pub fn last_change(&self, except: &[&Path]) -> Result<Option<SystemTime>> {
        let listed = self.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"], b"")?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(OsStr::from_bytes);
        let is_cache = |path: &Path| path.components().any(|part| CACHES.iter().any(|name| part.as_os_str() == *name));
        let paths = names.map(|name| self.top().join(name));
        let paths = paths.filter(|path| !is_cache(path) && !except.iter().any(|but| path.starts_with(but)));
        Ok(paths.filter_map(|path| changed(&path)).max())
    }
}

/// The time when the file changed; for a removed file, when its folder changed.
fn changed(path: &Path) -> Option<SystemTime> {
    let meta = fs::symlink_metadata(path).or_else(|_| fs::symlink_metadata(path.parent().unwrap_or(path))).ok()?;
    // The time of the content alone is not enough, because a copy may keep that of its source.
    let time =
        |seconds: i64, nanos: i64| Some(UNIX_EPOCH + Duration::new(seconds.try_into().ok()?, nanos.try_into().ok()?));
    time(meta.mtime(), meta.mtime_nsec()).max(time(meta.ctime(), meta.ctime_nsec()))
}
