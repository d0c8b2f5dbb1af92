//! `PATH` without the folders of a repository: the author of a repository must not choose which `git` or `sh` runs.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

thread_local! {
    static TOP: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Calls `run`. Programs that this thread starts meanwhile are not found beneath `top`, nor are the programs that they start
/// in turn. A program that is started with [`own_path`](super::environment::Environment::own_path) is exempt.
pub fn outside<T>(top: Option<&Path>, run: impl FnOnce() -> T) -> T {
    let before = TOP.replace(top.map(Path::to_owned));
    let done = run();
    TOP.set(before);
    done
}

/// Returns the `PATH` that programs get now.
pub fn search_path() -> Option<OsString> {
    let path = std::env::var_os("PATH")?;
    TOP.with_borrow(|top| match top {
        Some(top) => Some(path_outside(&path, top)),
        None => Some(path),
    })
}

/// True unless this file is beneath the folder that [`outside`] excludes now. `file` must have its links resolved.
pub fn is_outside(file: &Path) -> bool {
    TOP.with_borrow(|top| !top.as_deref().is_some_and(|top| file.starts_with(top)))
}

/// Returns `path` without the folders beneath `top`, and without links to such folders.
pub fn path_outside(path: &OsStr, top: &Path) -> OsString {
    let is_beneath = |folder: &Path| folder.starts_with(top);
    let folders = std::env::split_paths(path)
        .filter(|folder| !is_beneath(folder) && !folder.canonicalize().is_ok_and(|real| is_beneath(&real)));
    // An entry of `PATH` contains no colon, so joining cannot fail.
    std::env::join_paths(folders).unwrap_or_default()
}
