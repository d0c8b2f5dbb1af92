//! Removes files that a run left or changed in an export.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::layout::Layout;
use crate::disk::remove;
use crate::repo::disk::{PathKind, look};
use crate::repo::error::RepoError;
use crate::repo::index::Stat;

/// Removes everything below `folder` that is neither correct nor kept, and returns the correct files. Never follows
/// links. Afterwards every folder above a file of `layout` is a real folder with this `mode`, or is missing.
pub(super) fn tidy(
    folder: &Path,
    mode: u32,
    layout: &Layout,
    right: &dyn Fn(&Path, Stat) -> bool,
    keep: &dyn Fn(&Path) -> bool,
) -> Result<HashSet<PathBuf>, RepoError> {
    let mut standing = HashSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let place = folder.join(&inner);
        let trouble = |error| RepoError::Write { path: place.clone(), error };
        for entry in list(&place, mode).map_err(trouble)? {
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

/// Lists a folder, after restoring its mode, because a run may have locked it.
fn list(folder: &Path, mode: u32) -> io::Result<fs::ReadDir> {
    if folder.symlink_metadata()?.permissions().mode() != mode {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
    }
    fs::read_dir(folder)
}
