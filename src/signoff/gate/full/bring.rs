//! Folders of dependencies, which no tree has and no verify can do without: linked in from the work tree.
//!
//! A run can write through such a link, as verify can in place; what it finds there is not part of what is checked.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::repo::export::{self, Layout};

/// By convention of package managers (`SIGNOFF.md` §3); `gate_keep` of the user's configuration adds to them.
const FOLDERS: [&str; 6] = ["node_modules", ".venv", "venv", "vendor", ".tox", "Pods"];

/// What is linked into an export, by paths relative to the top.
#[derive(Debug)]
pub(super) struct Brought {
    top: PathBuf,
    folders: BTreeSet<PathBuf>,
}

impl Brought {
    /// What there is in the work tree `top` beside the folders of the tree: by name in each of them, by path (`gate_keep`
    /// with a `/`), and submodules whose files are their commit's.
    pub(super) fn find(top: &Path, layout: &Layout, keep: &[String], submodules: &[PathBuf]) -> Self {
        let mut parents: BTreeSet<&Path> = BTreeSet::from([Path::new("")]);
        for path in layout.paths() {
            for parent in path.ancestors().skip(1) {
                if !parents.insert(parent) {
                    break;
                }
            }
        }
        let keep = || keep.iter().map(String::as_str).filter(|name| is_plain(name));
        let names: Vec<&str> = FOLDERS.into_iter().chain(keep().filter(|name| !name.contains('/'))).collect();
        let mut folders: BTreeSet<PathBuf> =
            parents.iter().flat_map(|parent| names.iter().map(|name| parent.join(name))).collect();
        folders.extend(keep().filter(|name| name.contains('/')).map(PathBuf::from));
        folders.extend(submodules.iter().cloned());
        folders.retain(|path| {
            let is_file = layout.get(path).is_some() && !submodules.contains(path);
            !is_file && !layout.has_below(path) && top.join(path).exists() && stays(top, path)
        });
        Brought { top: top.to_owned(), folders }
    }

    /// Whether `path` is one of them.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.folders.contains(path)
    }

    /// Links them into `folder`, anew: a run may have put something else there.
    pub(super) fn link(&self, folder: &Path) -> io::Result<()> {
        for path in &self.folders {
            let (from, to) = (self.top.join(path), folder.join(path));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            self.link_one(&from, &to, folder, 2)?;
        }
        Ok(())
    }

    /// One link, or, where something in the folder leads back into the work tree (packages of one workspace), a folder
    /// of links in which that leads into the export instead.
    fn link_one(&self, from: &Path, to: &Path, folder: &Path, depth: usize) -> io::Result<()> {
        let target = from.canonicalize()?;
        let leads_back = depth > 0
            && self.children(from).iter().any(|child| self.back(child).is_some() || self.scope_leads_back(child));
        if !leads_back {
            if fs::read_link(to).is_ok_and(|link| link == target) {
                return Ok(());
            }
            export::remove(to)?;
            return symlink(target, to);
        }
        export::remove(to)?;
        fs::create_dir(to)?;
        for child in self.children(from) {
            let Some(name) = child.file_name() else { continue };
            match self.back(&child) {
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

    /// `@scope/` in node_modules, with a package of the workspace in it.
    fn scope_leads_back(&self, child: &Path) -> bool {
        let is_scope = child.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
        is_scope && self.children(child).iter().any(|inner| self.back(inner).is_some())
    }

    /// Where a link leads within the work tree, outside the folders that are brought.
    fn back(&self, link: &Path) -> Option<PathBuf> {
        link.symlink_metadata().ok().filter(|meta| meta.is_symlink())?;
        let target = link.canonicalize().ok()?;
        let inner = target.strip_prefix(&self.top).ok()?.to_owned();
        (!inner.ancestors().any(|above| self.has(above))).then_some(inner)
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(name) if name != ".git"))
}

/// No link on the way to it: a folder of the work tree, or a link that stands there itself.
fn stays(top: &Path, path: &Path) -> bool {
    path.parent().is_none_or(|parent| top.join(parent).canonicalize().is_ok_and(|real| real == top.join(parent)))
}
