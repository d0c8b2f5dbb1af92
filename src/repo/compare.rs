//! Compares trees without starting a process.

use std::cmp::Ordering;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::tree::{Mode, Tree, TreeEntry, build, find};
use super::{ObjectId, Repo};
use crate::error::Result;

/// A path that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// The kind of difference.
    pub change: PathChange,
}

/// How a path differs. A moved file counts as one removed and one added file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathChange {
    /// Only in the newer tree.
    Added,
    /// Only in the older tree.
    Removed,
    /// Different content or a different mode.
    Modified,
    /// The same content, but the executable bit changed.
    Permission,
}

impl Repo {
    /// Returns the id of the tree of these sorted files, stored or not.
    ///
    /// # Errors
    /// A path that is both a file and a folder.
    pub fn tree_id(&self, entries: &[TreeEntry]) -> Result<ObjectId> {
        Ok(build(self.format, entries, &mut |_, _| {})?)
    }
}

/// Returns every path in which two sorted lists of entries differ, in order.
pub fn changes(old: &[TreeEntry], new: &[TreeEntry]) -> Vec<Changed> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut changes = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.path.as_os_str().as_bytes().cmp(new.path.as_os_str().as_bytes()),
        };
        let before = if order.is_le() { old.next() } else { None };
        let after = if order.is_ge() { new.next() } else { None };
        changes.extend(changed(before, after));
    }
}

/// Returns the tracked files that differ between two snapshots; `verify` must not change them (`SIGNOFF.md` §3, `tree-moved`).
/// A file counts if it was tracked in either snapshot.
pub fn tracked_changes(before: &Tree, after: &Tree) -> Vec<Changed> {
    let tracked = |changed: &Changed| {
        let is_tracked = |tree: &Tree| find(&tree.entries, &changed.path).is_some_and(|entry| entry.tracked);
        is_tracked(before) || is_tracked(after)
    };
    changes(&before.entries, &after.entries).into_iter().filter(tracked).collect()
}

fn changed(before: Option<&TreeEntry>, after: Option<&TreeEntry>) -> Option<Changed> {
    let plain = |mode| matches!(mode, Mode::File | Mode::Executable);
    let (path, change) = match (before, after) {
        (Some(before), None) => (&before.path, PathChange::Removed),
        (None, Some(after)) => (&after.path, PathChange::Added),
        (Some(before), Some(after)) if before.id == after.id && before.mode == after.mode => return None,
        (Some(before), Some(after)) if before.id == after.id && plain(before.mode) && plain(after.mode) => {
            (&after.path, PathChange::Permission)
        }
        (Some(_), Some(after)) => (&after.path, PathChange::Modified),
        (None, None) => return None,
    };
    Some(Changed { path: path.clone(), change })
}
