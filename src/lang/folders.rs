//! Recognises folders that tools fill, by their names.

use std::path::Path;

use super::TOOLCHAINS;

/// Returns the folders of package managers. A verify needs them, and no tree contains them.
pub(crate) fn dependencies() -> impl Iterator<Item = &'static str> {
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.dependencies).copied()
}

/// Whether the path has the name of a folder in which compilers keep their output. Build tools decide by time or content
/// what to rebuild. Caches of interpreters do not count, because they are cheap.
pub(crate) fn is_build(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| TOOLCHAINS.iter().any(|toolchain| toolchain.builds.iter().any(|own| name == *own)))
}

/// Whether the path is below a folder of installed dependencies or of build output.
pub(crate) fn is_made(path: &Path) -> bool {
    let is_output = |name: &str| dependencies().chain(["build", "dist", "out"]).any(|own| name == own);
    path.ancestors()
        .any(|above| is_build(above) || above.file_name().and_then(|name| name.to_str()).is_some_and(is_output))
}
