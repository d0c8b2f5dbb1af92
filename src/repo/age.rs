//! Decides whether a file's stat data prove that it did not change. They prove nothing if the file was too young when they
//! were taken.

use std::time::{Duration, SystemTime};

use super::index::{Stat, Time};
use super::tree::{Mode, TreeEntry};

/// Whether the file is unchanged since an earlier tree, taken at `taken`: it has the same stat data, and was old enough then
/// for a later change to show in them.
pub(super) fn is_same(entry: &TreeEntry, mode: Mode, stat: Stat, taken: Time) -> bool {
    entry.mode == mode && entry.stat == Some(stat) && is_past(stat, taken)
}

/// Whether a change made from `taken` on must show in these stat data.
pub(super) fn is_past(stat: Stat, taken: Time) -> bool {
    // Some file systems count whole seconds, FAT two.
    let limit = if stat.ctime.1 == 0 { (taken.0.saturating_sub(2), 0) } else { taken };
    stat.ctime < limit && stat.mtime < limit
}

/// The current time, minus the delay of file times: one kernel tick, 10 ms at most.
pub(super) fn now() -> Time {
    let lag = Duration::from_millis(20);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().saturating_sub(lag);
    (now.as_secs() as u32, now.subsec_nanos())
}
