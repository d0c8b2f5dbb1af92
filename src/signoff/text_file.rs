//! Files of the work tree that are read as text.

use std::path::Path;

use crate::store;

/// A larger file is not looked into, in bytes.
pub(super) const LARGEST: u64 = 256 << 10;

/// The text of a file by its path from the plan's root, where it is a regular one and not large.
pub(crate) fn text_at(root: &Path) -> impl Fn(&str) -> Option<String> + '_ {
    |path| small(&root.join(path)).and_then(text)
}

/// A regular file that is not large; links are not followed.
pub(super) fn small(path: &Path) -> Option<Vec<u8>> {
    store::read_state(path, LARGEST + 1).ok().filter(|bytes| bytes.len() as u64 <= LARGEST)
}

/// Text without NUL, lossy elsewhere.
pub(super) fn text(bytes: Vec<u8>) -> Option<String> {
    (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
