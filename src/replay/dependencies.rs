//! Dependency folders, which verify needs but no tree contains: they are linked into the export from the work tree. If verify
//! cannot run otherwise, ignored files are copied too.
//!
//! A run can write through such a link, as verify can in place. The gate does not check the files behind it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::disk;
use crate::lang::{dependency_folders, is_build_folder};
use crate::repo::Submodule;
use crate::repo::export::Layout;

/// Folders of `node_modules` in which vite, babel and others keep a cache.
const CACHES: [&str; 3] = [".cache", ".vite", ".vitest"];
/// Folders of a tox environment that each run empties and writes.
const LOGS: [&str; 3] = ["log", "tmp", ".pytest_cache"];

/// The maximum number of copies to name.
const COPIES_NAMED: usize = 3;

/// The folders and files that an export gets from the work tree, as paths relative to the top.
#[derive(Debug)]
pub(super) struct Dependencies {
    top: PathBuf,
    folders: BTreeSet<PathBuf>,
    /// The linked folders that are submodules.
    submodules: BTreeSet<PathBuf>,
    copies: BTreeSet<PathBuf>,
}

impl Dependencies {
    /// Finds dependencies in the work tree `top`: by name in each folder of the tree, by path (`gate_keep` with a `/`), and
    /// submodules whose files match their commit.
    pub(super) fn find(top: &Path, layout: &Layout, keep: &[String], submodules: &[Submodule]) -> Self {
        let parents = folders(layout);
        let keep = || keep.iter().map(String::as_str).filter(|name| is_plain(name));
        let mut names: Vec<&str> = dependency_folders().collect();
        names.extend(keep().filter(|name| !name.contains('/')));
        let mut folders: BTreeSet<PathBuf> =
            parents.iter().flat_map(|parent| names.iter().map(|name| parent.join(name))).collect();
        folders.extend(keep().filter(|name| name.contains('/')).map(PathBuf::from));
        let clean: Vec<&PathBuf> = submodules.iter().filter(|one| !one.dirty).map(|one| &one.path).collect();
        folders.extend(clean.iter().copied().cloned());
        folders.retain(|path| {
            let is_file = layout.get(path).is_some() && !clean.contains(&path);
            !is_file && !layout.has_below(path) && top.join(path).exists() && stays(top, path)
        });
        let submodules = clean.into_iter().filter(|path| folders.contains(*path)).cloned().collect();
        Dependencies { top: top.to_owned(), folders, submodules, copies: BTreeSet::new() }
    }

    /// Copies the ignored files in the folders of the tree, except builds, into each later run. So a run cannot write
    /// into the work tree. Returns false if that would be too much.
    pub(super) fn copy_ignored(&mut self, layout: &Layout) -> bool {
        let is_own = |path: &Path| path == Path::new(".git") || path.ends_with("__pycache__") || is_build_folder(path);
        let is_of_tree = |path: &Path| layout.get(path).is_some() || layout.has_below(path);
        let mut room = Room { files: 2000, bytes: 64 << 20 };
        for parent in folders(layout) {
            for child in self.children(&self.top.join(parent)) {
                let Some(path) = child.file_name().map(|name| parent.join(name)) else { continue };
                if !is_own(&path) && !is_of_tree(&path) && !self.has(&path) && stays(&self.top, &path) {
                    if !room.takes(&child) {
                        return false;
                    }
                    self.copies.insert(path);
                }
            }
        }
        true
    }

    /// Returns the folders in linked tox environments that each run writes. No link is on their path, so they are in the work tree.
    pub(super) fn logs(&self) -> Vec<PathBuf> {
        let is_tox = |path: &&PathBuf| path.ends_with(".tox");
        let tox = self.folders.iter().filter(is_tox).map(|path| self.top.join(path));
        let environments = tox.flat_map(|tox| self.children(&tox));
        let logs = environments.flat_map(|environment| LOGS.map(|name| environment.join(name)));
        logs.filter(|folder| folder.canonicalize().is_ok_and(|real| real == *folder)).collect()
    }

    pub(super) fn copied(&self) -> Vec<String> {
        self.copies.iter().take(COPIES_NAMED).map(|path| path.to_string_lossy().into_owned()).collect()
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        self.folders.contains(path)
    }

    /// Links or copies the `wanted` ones into `folder` again, because a run may have replaced them.
    pub(super) fn link(&self, folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> io::Result<()> {
        for path in self.folders.iter().filter(|path| wanted(path)) {
            let (from, to) = (self.top.join(path), folder.join(path));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            self.link_one(&from, &to, folder, 2)?;
        }
        for path in self.copies.iter().filter(|path| wanted(path)) {
            disk::remove(&folder.join(path))?;
            copy(&self.top.join(path), &folder.join(path))?;
        }
        Ok(())
    }

    /// Makes one link. If something in the folder leads back into the work tree (packages of one workspace), or if runners keep
    /// a cache there, it makes a folder of links instead. The links then lead into the export, and a cache becomes an empty
    /// folder, so that no run writes into the work tree.
    fn link_one(&self, from: &Path, to: &Path, folder: &Path, depth: usize) -> io::Result<()> {
        let target = from.canonicalize()?;
        let is_own = |child: &PathBuf| is_cache(child) || self.back(child).is_some() || self.scope_leads_back(child);
        if depth == 0 || !self.children(from).iter().any(is_own) {
            if fs::read_link(to).is_ok_and(|link| link == target) {
                return Ok(());
            }
            disk::remove(to)?;
            return symlink(target, to);
        }
        disk::remove(to)?;
        fs::create_dir(to)?;
        for child in self.children(from) {
            let Some(name) = child.file_name() else { continue };
            match self.back(&child) {
                _ if is_cache(&child) => fs::create_dir(to.join(name))?,
                Some(inner) => symlink(folder.join(inner), to.join(name))?,
                None if self.scope_leads_back(&child) => self.link_one(&child, &to.join(name), folder, depth - 1)?,
                None => symlink(&child, to.join(name))?,
            }
        }
        Ok(())
    }

    fn children(&self, folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }

    /// Whether this is a `@scope/` folder in node_modules that holds a package of the workspace.
    fn scope_leads_back(&self, child: &Path) -> bool {
        let is_scope = child.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
        is_scope && self.children(child).iter().any(|inner| self.back(inner).is_some())
    }

    /// The target of a link that leads into the work tree, outside the linked folders.
    fn back(&self, link: &Path) -> Option<PathBuf> {
        link.symlink_metadata().ok().filter(|meta| meta.is_symlink())?;
        let target = link.canonicalize().ok()?;
        let inner = target.strip_prefix(&self.top).ok()?.to_owned();
        // A package of the workspace may be a submodule, at another commit in the export.
        let is_apart = |above: &Path| self.has(above) && !self.submodules.contains(above);
        (!inner.ancestors().any(is_apart)).then_some(inner)
    }
}

fn is_cache(path: &Path) -> bool {
    let is_named = |name: &str| path.file_name().is_some_and(|own| own == name);
    path.parent().is_some_and(|parent| parent.ends_with("node_modules")) && CACHES.iter().any(|name| is_named(name))
}

/// The folders that hold the files of a tree, including its top.
fn folders(layout: &Layout) -> BTreeSet<&Path> {
    let mut folders = BTreeSet::from([Path::new("")]);
    for path in layout.paths() {
        for parent in path.ancestors().skip(1) {
            if !folders.insert(parent) {
                break;
            }
        }
    }
    folders
}

/// The number of files and bytes that may still be copied.
struct Room {
    files: usize,
    bytes: u64,
}

impl Room {
    /// Reserves room for everything below `path`. Returns false if it does not fit.
    fn takes(&mut self, path: &Path) -> bool {
        let Ok(meta) = path.symlink_metadata() else { return true };
        let size = if meta.is_file() { meta.len() } else { 0 };
        let Some((files, bytes)) = self.files.checked_sub(1).zip(self.bytes.checked_sub(size)) else { return false };
        (self.files, self.bytes) = (files, bytes);
        !meta.is_dir() || fs::read_dir(path).into_iter().flatten().flatten().all(|entry| self.takes(&entry.path()))
    }
}

/// Copies files, folders and links with their times, because builds compare them.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.symlink_metadata()?;
    if meta.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if meta.is_file() {
        fs::copy(from, to)?;
        // If the file cannot be written, its time hardly matters.
        return meta
            .modified()
            .and_then(|time| fs::File::options().write(true).open(to)?.set_modified(time))
            .or(Ok(()));
    }
    if meta.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(name) if name != ".git"))
}

/// Whether the path is a link to a folder of dependencies outside the repository, which several work trees share. A rule such
/// as `node_modules/` ignores only folders, so git lists the link.
pub(crate) fn is_shared(top: &Path, path: &Path) -> bool {
    let link = top.join(path);
    dependency_folders().any(|name| path.ends_with(name))
        && link.is_symlink()
        && link.canonicalize().is_ok_and(|target| target.is_dir() && !target.starts_with(top))
}

/// Whether none of the path's parent folders is a link, so that the path stays in the work tree. The path itself may be a link.
fn stays(top: &Path, path: &Path) -> bool {
    path.parent().is_none_or(|parent| top.join(parent).canonicalize().is_ok_and(|real| real == top.join(parent)))
}
