//! Finds obstacles for a [`Restoration`] before anything is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::Restoration;
use crate::repo::Repo;

impl Repo {
    /// Returns everything that would stop [`Repo::restore`] midway, as far as it can be seen beforehand: one line each. No process.
    pub fn obstacles(&self, root: &Path, restoration: &Restoration) -> Vec<String> {
        let goes: BTreeSet<&Path> = restoration.deletions.iter().map(|deletion| deletion.path.as_path()).collect();
        let mut obstacles: Vec<String> = Vec::new();
        let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for path in restoration.paths() {
            match self.deepest_folder(root, path, &goes) {
                Ok(folder) => *folders.entry(folder).or_default() += 1,
                Err(file) => {
                    obstacles
                        .push(format!("`{}` must become a folder, and is a file that is not kept", file.display()));
                }
            }
        }
        let device = root.symlink_metadata().map(|meta| meta.dev()).ok();
        for (folder, count) in folders {
            let (place, shown) = (self.top.join(&folder), folder.display());
            if place.symlink_metadata().map(|meta| meta.dev()).ok() != device {
                obstacles.push(format!("`{shown}/` is on another file system"));
            } else if accessat(CWD, &place, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_err() {
                obstacles.push(format!("`{shown}/` is read-only, and {count} of the files lie there"));
            } else if let Some(above) = self.repository_above(root, &folder) {
                obstacles.push(format!("`{}/` is another repository", above.display()));
            }
        }
        for write in &restoration.writes {
            let held = is_folder(&self.top.join(&write.path))
                .then(|| self.held(&write.path, &goes, &restoration.emptied))
                .flatten();
            let (path, what) =
                (write.path.display(), "must become a file, and is a folder with something in it that is not kept");
            obstacles.extend(held.map(|held| format!("`{path}` {what}: {}", held.display())));
        }
        obstacles.dedup();
        obstacles
    }

    /// Returns the deepest folder above `path` that exists and stays a folder. The error is a file in the way that is not deleted.
    fn deepest_folder(&self, root: &Path, path: &Path, goes: &BTreeSet<&Path>) -> Result<PathBuf, PathBuf> {
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        let mut deepest = root.strip_prefix(&self.top).unwrap_or(Path::new("")).to_owned();
        for folder in above.into_iter().rev() {
            if !folder.starts_with(&deepest) {
                continue;
            }
            match self.top.join(folder).symlink_metadata() {
                Ok(meta) if meta.is_dir() => deepest = folder.to_owned(),
                Ok(_) if goes.contains(folder) => break,
                Ok(_) => return Err(folder.to_owned()),
                Err(_) => break,
            }
        }
        Ok(deepest)
    }

    fn repository_above(&self, root: &Path, folder: &Path) -> Option<PathBuf> {
        let prefix = root.strip_prefix(&self.top).unwrap_or(Path::new(""));
        let above = folder.ancestors().take_while(|above| *above != prefix && !above.as_os_str().is_empty());
        above.filter(|above| self.top.join(above).join(".git").symlink_metadata().is_ok()).last().map(Path::to_owned)
    }

    /// Finds the first thing below a folder that stays: a file that is not deleted, or an empty folder that is not in `emptied`.
    fn held(&self, folder: &Path, goes: &BTreeSet<&Path>, emptied: &BTreeSet<PathBuf>) -> Option<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.top.join(folder)) else { return Some(folder.to_owned()) };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
        paths.sort();
        if paths.is_empty() && !emptied.contains(folder) {
            return Some(folder.to_owned());
        }
        paths.into_iter().find_map(|path| match is_folder(&self.top.join(&path)) {
            true => self.held(&path, goes, emptied),
            false => (!goes.contains(path.as_path())).then_some(path),
        })
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}
