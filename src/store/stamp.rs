//! What tells two states of a file apart without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Which file of its folder, how long, and when its content last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) inode: u64,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i128,
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Self {
        let modified = i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec());
        Stamp { inode: meta.ino(), size: meta.size(), modified }
    }

    /// How long ago the content changed; none where the clock says it is still to come.
    pub(super) fn age(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let now = i128::try_from(now).ok()?;
        u64::try_from(now - self.modified).ok().map(Duration::from_nanos)
    }
}

/// Who owns a file and who may do what with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) user: u32,
    pub(super) group: u32,
    /// The permission bits alone.
    pub(super) mode: u32,
}

impl Owner {
    pub(super) fn of(meta: &Metadata) -> Self {
        Owner { user: meta.uid(), group: meta.gid(), mode: meta.mode() & 0o7777 }
    }

    /// Whether nobody may write it.
    pub(super) fn is_protected(&self) -> bool {
        self.mode & 0o222 == 0
    }
}
