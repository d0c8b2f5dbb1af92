//! What stands in the way of a [`Restoration`], found before anything is touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::Restoration;
use crate::repo::Repo;

/// Why a restoration cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A folder stands where a file goes, and holds something that is not kept: this.
    Folder(PathBuf, PathBuf),
    /// A file or link that is not kept stands where a folder goes.
    File(PathBuf),
    /// This folder cannot be written, and so many of the files lie there.
    ReadOnly(PathBuf, usize),
    /// This folder lies on another file system.
    Device(PathBuf),
    /// This folder is another repository.
    Repository(PathBuf),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Folder(folder, held) => write!(
                f,
                "`{}` must become a file, and is a folder that holds something that is not kept: {}",
                folder.display(),
                held.display()
            ),
            Obstacle::File(path) => {
                write!(f, "`{}` must become a folder, and is a file that is not kept", path.display())
            }
            Obstacle::ReadOnly(folder, count) => {
                write!(f, "`{}/` is read-only, and {count} of the files lie there", folder.display())
            }
            Obstacle::Device(folder) => write!(f, "`{}/` lies on another file system", folder.display()),
            Obstacle::Repository(folder) => write!(f, "`{}/` is another repository", folder.display()),
        }
    }
}

impl Repo {
    /// Everything that would stop [`Repo::restore`] midway, as far as a look can tell. No process.
    pub fn obstacles(&self, root: &Path, restoration: &Restoration) -> Vec<Obstacle> {
        let goes: BTreeSet<&Path> = restoration.deletions.iter().map(|deletion| deletion.now.path.as_path()).collect();
        let mut obstacles: Vec<Obstacle> = Vec::new();
        let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for path in restoration.paths() {
            match self.deepest_folder(root, path, &goes) {
                Ok(folder) => *folders.entry(folder).or_default() += 1,
                Err(file) => obstacles.push(Obstacle::File(file)),
            }
        }
        let device = root.symlink_metadata().map(|meta| meta.dev()).ok();
        for (folder, count) in folders {
            let place = self.top.join(&folder);
            if place.symlink_metadata().map(|meta| meta.dev()).ok() != device {
                obstacles.push(Obstacle::Device(folder));
            } else if accessat(CWD, &place, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_err() {
                obstacles.push(Obstacle::ReadOnly(folder, count));
            } else if let Some(above) = self.repository_above(root, &folder) {
                obstacles.push(Obstacle::Repository(above));
            }
        }
        for write in &restoration.writes {
            let held = is_folder(&self.top.join(&write.path))
                .then(|| self.held(&write.path, &goes, &restoration.emptied))
                .flatten();
            obstacles.extend(held.map(|held| Obstacle::Folder(write.path.clone(), held)));
        }
        obstacles.dedup();
        obstacles
    }

    /// The deepest folder above `path` that exists and stays one. An error: a file in the way that does not go.
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

    /// The first thing below a folder that does not go: a file, or a folder without one that nobody emptied for this.
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
