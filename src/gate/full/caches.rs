//! Build caches that one run leaves for the next.

use std::path::Path;

/// Folders in which compilers keep their output. They start empty once per gate, and the runs of the gate share them,
/// because build tools decide by time or content what to rebuild. Caches of interpreters are cheap and start empty in
/// each run.
const CACHES: [&str; 8] =
    ["target", ".build", "_build", ".gradle", "dist-newstyle", ".stack-work", ".zig-cache", "zig-cache"];

/// Whether the path has the name of such a folder.
pub(super) fn is_cache(path: &Path) -> bool {
    path.file_name().is_some_and(|name| CACHES.iter().any(|cache| name == *cache))
}
