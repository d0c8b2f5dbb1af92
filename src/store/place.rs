//! Finds plan.md, and the folders that belong to it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error;
use super::repository::{self, Repository};
use crate::error::{Error, Result};
use crate::plan::{self, Plan};
use crate::shell::quote;

/// The default file name.
pub(super) const NAME: &str = "plan.md";

/// Where a plan file is: found once, and used by every room that needs a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file itself: absolute, with every symbolic link resolved.
    pub file: PathBuf,
    /// The path for messages: as the caller gave it, otherwise relative to the caller's folder.
    pub shown: PathBuf,
    /// The plan's root, the folder of `file`: verify, citations and globs are relative to it (`FORMAT.md` §1).
    pub root: PathBuf,
    /// The top of the work tree; `None` without git.
    pub top: Option<PathBuf>,
    /// The git directory (of a linked worktree: its own); `None` without git.
    pub git_dir: Option<PathBuf>,
    /// The state folder, for files outside plan.md (`FORMAT.md` §4): `<git dir>/plan`, without git a folder in the user's
    /// state folder. The first writer makes it. Empty if there is neither git nor a home.
    pub state: PathBuf,
}

impl Place {
    /// The id of this plan file in its repository: 16 hex digits that stay the same when the repository is moved.
    pub fn key(&self) -> String {
        let base = self.top.as_deref().unwrap_or(&self.root);
        digest(self.file.strip_prefix(base).unwrap_or(&self.file))
    }

    /// Parses `source`, the bytes of this file.
    ///
    /// # Errors
    /// As [`plan::parse()`], with the file before line and column.
    pub fn parse<'s>(&self, source: &'s [u8]) -> Result<Plan<'s>> {
        plan::parse(source).map_err(|mut error| {
            error.message = format!("{}:{}", self.shown.display(), error.message);
            let own = quote(&self.shown.to_string_lossy());
            error.hints.iter_mut().for_each(|hint| *hint = hint.replace(plan::parse::FILE, &own));
            error
        })
    }
}

/// Like [`super::find()`], but returns `None` if there is no plan.
///
/// # Errors
/// As [`super::find()`].
pub fn look(cwd: &Path, file: Option<&Path>) -> Result<Option<Place>> {
    let cwd = canonical(cwd)?;
    if let Some(file) = file.filter(|file| !file.as_os_str().is_empty()) {
        return match fs::symlink_metadata(cwd.join(file)) {
            Ok(_) => place(&cwd.join(file), file.to_owned()).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error::plan("read", file, &error)),
        };
    }
    let top = repository::above(&cwd)?.map_or_else(|| cwd.clone(), |found| found.top);
    let mut shown = PathBuf::new();
    for folder in cwd.ancestors() {
        let candidate = folder.join(NAME);
        if fs::symlink_metadata(&candidate).is_ok() {
            return place(&candidate, shown.join(NAME)).map(Some);
        }
        if folder == top {
            break;
        }
        shown.push("..");
    }
    Ok(None)
}

/// Returns the place for a new plan: `file`, otherwise `plan.md` in `cwd`. [`super::create()`] checks whether a plan
/// exists there already.
///
/// # Errors
/// [`crate::error::Kind::Input`]: the folder does not exist, or is part of a git folder; the file exists and is refused as in
/// [`super::find()`].
pub fn place_for_new(cwd: &Path, file: Option<&Path>) -> Result<Place> {
    let cwd = canonical(cwd)?;
    let shown = file.filter(|file| !file.as_os_str().is_empty()).unwrap_or(Path::new(NAME));
    let path = cwd.join(shown);
    if fs::symlink_metadata(&path).is_ok() {
        return place(&path, shown.to_owned());
    }
    let (folder, name) = parts(&path, shown)?;
    let found = repository::above(&folder)?;
    if found.is_none()
        && let Some(git) = folder.ancestors().find(|above| repository::is_git_dir(above))
    {
        return Err(Error::input(format!("`{}` is a git folder without a work tree", git.display()))
            .hint("make the plan in a clone, or in a work tree of `git worktree add`"));
    }
    inside(found.as_ref(), &folder, &folder.join(&name), shown)?;
    Ok(assemble(folder, &name, shown.to_owned(), found))
}

/// The place of a file that exists.
fn place(path: &Path, shown: PathBuf) -> Result<Place> {
    let (folder, name) = parts(path, &shown)?;
    let here = repository::above(&folder)?;
    let link = folder.join(&name);
    let file = link.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => error::dangling(&shown, &link),
        _ => error::plan("read", &shown, &error),
    })?;
    let meta = fs::metadata(&file).map_err(|error| error::plan("read", &shown, &error))?;
    if !meta.is_file() {
        return Err(error::not_a_file(&shown, &meta));
    }
    inside(here.as_ref(), &folder, &file, &shown)?;
    let (folder, name) = parts(&file, &shown)?;
    Ok(assemble(folder, &name, shown, here))
}

fn assemble(folder: PathBuf, name: &OsStr, shown: PathBuf, found: Option<Repository>) -> Place {
    let file = folder.join(name);
    let (top, git_dir) = found.map(|found| (found.top, found.git_dir)).unzip();
    let state = match &git_dir {
        Some(git_dir) => git_dir.join("plan"),
        None => user_state().map(|state| state.join(digest(&file))).unwrap_or_default(),
    };
    Place { file, shown, root: folder, top, git_dir, state }
}

/// The folder for state that belongs to no repository. `None` without a home.
pub fn user_state() -> Option<PathBuf> {
    state_home(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME")).map(|home| home.join("plan"))
}

/// The user's state folder by the XDG base directory specification, which ignores a relative path in the variable.
fn state_home(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |value: OsString| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    xdg.and_then(absolute).or_else(|| home.and_then(absolute).map(|home| home.join(".local/state")))
}

/// The first 16 hex digits of the SHA-256 of a path.
pub(super) fn digest(path: &Path) -> String {
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Refuses a file that a symbolic link leads out of the repository, into its git directory, or into another repository
/// below it.
fn inside(here: Option<&Repository>, folder: &Path, file: &Path, shown: &Path) -> Result<()> {
    let bound = here.map_or(folder, |found| &found.top);
    let Ok(below) = file.strip_prefix(bound) else {
        return Err(error::outside(shown, file, bound));
    };
    let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    if below.components().any(is_git) {
        return Err(error::outside(shown, file, bound));
    }
    let there = repository::above(file.parent().unwrap_or(file))?;
    if there.as_ref().map(|found| &found.top) != here.map(|found| &found.top) {
        return Err(error::outside(shown, file, bound));
    }
    Ok(())
}

/// The canonical folder and the file name of a path.
fn parts(path: &Path, shown: &Path) -> Result<(PathBuf, OsString)> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(error::nameless(shown));
    };
    let folder = folder.canonicalize().map_err(|error| error::plan("found", shown, &error))?;
    Ok((folder, name.to_owned()))
}

fn canonical(cwd: &Path) -> Result<PathBuf> {
    cwd.canonicalize().map_err(|error| error::folder(cwd, &error))
}
