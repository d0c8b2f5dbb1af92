//! What builds leave behind for the next one.

use std::path::Path;

/// Folders in which compilers keep what they have built. They start empty once a gate and are shared by its runs, for
/// their tools tell by time or content what to build anew. Interpreters' caches are cheap and start empty each run.
const CACHES: [&str; 8] =
    ["target", ".build", "_build", ".gradle", "dist-newstyle", ".stack-work", ".zig-cache", "zig-cache"];

/// A folder of that name.
pub(super) fn is_cache(path: &Path) -> bool {
    path.file_name().is_some_and(|name| CACHES.iter().any(|cache| name == *cache))
}
