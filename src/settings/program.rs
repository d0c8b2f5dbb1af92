//! Finds the name under which settings of other programs call this one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Kind, Result};

/// The name that users and settings call.
const NAME: &str = "plan";

/// Returns `plan` if that name finds this very program on the current `PATH`, else its [`path`].
pub fn name(top: &Path) -> Result<String> {
    let first = folders(&search()).map(|folder| folder.join(NAME)).find(|program| program.is_file());
    match first {
        Some(first) if first.canonicalize().ok() == Some(own()?) && !is_in(&first, top) => Ok(NAME.to_owned()),
        _ => path(top),
    }
}

/// Returns the path of this program on `PATH`, or else its own path. A path on `PATH` survives updates better than the target of
/// a link there. Folders inside the repository are skipped.
pub fn path(top: &Path) -> Result<String> {
    let own = own()?;
    let named = folders(&search())
        .filter(|folder| !is_in(folder, top))
        .map(|folder| folder.join(NAME))
        .find(|program| program.canonicalize().is_ok_and(|real| real == own));
    let program = named.unwrap_or(own);
    program.to_str().map(str::to_owned).ok_or_else(|| {
        Error::input(format!("the path of this program is not UTF-8: `{}`", program.display()))
            .hint("settings files cannot name it; install it in another folder")
    })
}

/// Returns true if `path` is inside `top`. Compares real paths, because `PATH` may lead through a repository and out of it again.
fn is_in(path: &Path, top: &Path) -> bool {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    folder.and_then(|folder| folder.canonicalize().ok()).is_some_and(|folder| folder.starts_with(top))
}

fn search() -> OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

fn folders(path: &OsString) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path).filter(|folder| folder.is_absolute())
}

fn own() -> Result<PathBuf> {
    let failed =
        |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot tell where this program is: {error}"));
    std::env::current_exe().and_then(|path| path.canonicalize()).map_err(failed)
}
