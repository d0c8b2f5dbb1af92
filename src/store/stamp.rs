//! Identity, time and size of a file: tells two states apart without reading it.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::place::Place;

/// Which file of its folder, how long, and when its content last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) inode: u64,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i128,
}

/// What tells two states of plan.md apart without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    stamp: Stamp,
    /// A changed permission changes this alone.
    changed: (i64, i64),
}

impl Seen {
    /// When the content last changed.
    pub fn modified(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(u64::try_from(self.stamp.modified).unwrap_or_default())
    }
}

/// Looks at plan.md without reading it.
///
/// # Errors
/// What the system answers: it is gone, or its folder cannot be looked into.
pub fn glance_at(place: &Place) -> io::Result<Seen> {
    let meta = std::fs::metadata(&place.file)?;
    Ok(Seen { stamp: Stamp::of(&meta), changed: (meta.ctime(), meta.ctime_nsec()) })
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
