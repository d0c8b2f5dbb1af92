//! `PATH` without the folders of a repository: whoever made that must not say which `git` or `sh` runs.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

thread_local! {
    static TOP: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Does `run`, in which programs that this thread starts find none beneath `top`: neither they themselves nor what they start
/// in turn. A program that is started with [`own_path`](super::environment::Environment::own_path) is not held to it.
pub fn outside<T>(top: Option<&Path>, run: impl FnOnce() -> T) -> T {
    let before = TOP.replace(top.map(Path::to_owned));
    let done = run();
    TOP.set(before);
    done
}

/// `PATH` as programs get it now.
pub fn search_path() -> Option<OsString> {
    let path = std::env::var_os("PATH")?;
    TOP.with_borrow(|top| match top {
        Some(top) => Some(path_outside(&path, top)),
        None => Some(path),
    })
}

/// True unless this file is beneath the folder that [`outside`] leaves out now. Links are resolved already.
pub fn is_outside(file: &Path) -> bool {
    TOP.with_borrow(|top| !top.as_deref().is_some_and(|top| file.starts_with(top)))
}

/// `path` without the folders beneath `top`, links to them included.
pub fn path_outside(path: &OsStr, top: &Path) -> OsString {
    let is_beneath = |folder: &Path| folder.starts_with(top);
    let folders = std::env::split_paths(path)
        .filter(|folder| !is_beneath(folder) && !folder.canonicalize().is_ok_and(|real| is_beneath(&real)));
    // What was one entry of `PATH` has no colon.
    std::env::join_paths(folders).unwrap_or_default()
}
