//! Identity, time and size of a file: tells two states of a file apart without reading it.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::place::Place;

/// Identity and size of a file, and the time of its last change of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) inode: u64,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i128,
}

/// Identifies a state of plan.md, without reading the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    stamp: Stamp,
    /// The inode change time: a change of permissions changes only this.
    changed: (i64, i64),
}

impl Seen {
    /// The time when the content last changed.
    pub fn modified(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(u64::try_from(self.stamp.modified).unwrap_or_default())
    }
}

/// Returns the current state of plan.md, without reading the file.
///
/// # Errors
/// The system's error: the file is gone, or its folder cannot be accessed.
pub fn glance_at(place: &Place) -> io::Result<Seen> {
    let meta = std::fs::metadata(&place.file)?;
    Ok(Seen { stamp: Stamp::of(&meta), changed: (meta.ctime(), meta.ctime_nsec()) })
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Self {
        let modified = i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec());
        Stamp { inode: meta.ino(), size: meta.size(), modified }
    }

    /// The time since the content changed; `None` if the time stamp is in the future.
    pub(super) fn age(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let now = i128::try_from(now).ok()?;
        u64::try_from(now - self.modified).ok().map(Duration::from_nanos)
    }
}
