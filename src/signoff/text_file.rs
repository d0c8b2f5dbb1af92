//! Reads files of the work tree as text.

use std::path::Path;

use crate::store;

/// The maximum size of a file to look into, in bytes.
pub(super) const LARGEST: u64 = 256 << 10;

/// Reads the text of a file by its path from the plan's root, if it is a regular file and not large.
pub(crate) fn text_at(root: &Path) -> impl Fn(&str) -> Option<String> + '_ {
    |path| small(&root.join(path)).and_then(text)
}

/// Reads a regular file that is not large. Links are not followed.
pub(super) fn small(path: &Path) -> Option<Vec<u8>> {
    store::read_state(path, LARGEST + 1).ok().filter(|bytes| bytes.len() as u64 <= LARGEST)
}

/// Converts bytes without NUL into text; invalid UTF-8 is replaced.
pub(super) fn text(bytes: Vec<u8>) -> Option<String> {
    (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
