//! Removes what a run left or changed in an export.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::layout::Layout;
use crate::disk::{open_up, remove};
use crate::repo::disk::{PathKind, look};
use crate::repo::error::RepoError;
use crate::repo::index::Stat;

/// Removes everything below `folder` that is neither correct nor kept, and returns the remaining files. It never
/// follows links. Afterwards every folder above a file of `layout` is real or missing.
pub(super) fn tidy(
    folder: &Path,
    layout: &Layout,
    right: &dyn Fn(&Path, Stat) -> bool,
    keep: &dyn Fn(&Path) -> bool,
) -> Result<HashSet<PathBuf>, RepoError> {
    let mut standing = HashSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let place = folder.join(&inner);
        let trouble = |error| RepoError::Write { path: place.clone(), error };
        for entry in list(&place).map_err(trouble)? {
            let path = inner.join(entry.map_err(trouble)?.file_name());
            let place = folder.join(&path);
            match look(&place).map_err(trouble)? {
                _ if keep(&path) => {}
                PathKind::Content(_, stat) if right(&path, stat) => drop(standing.insert(path)),
                PathKind::Folder if layout.has_below(&path) => folders.push(path),
                _ => remove(&place).map_err(trouble)?,
            }
        }
    }
    Ok(standing)
}

/// The entries of a folder. If a run locked the folder, its owner gets access again first.
fn list(folder: &Path) -> io::Result<fs::ReadDir> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(folder)?;
            fs::read_dir(folder)
        }
        listed => listed,
    }
}
