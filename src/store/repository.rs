//! Finds the git directory without starting git.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A work tree and its git directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repository {
    pub(super) top: PathBuf,
    pub(super) git_dir: PathBuf,
}

/// The maximum size of a `.git` file. It is one short line; a longer file is something else.
const POINTER_LIMIT: u64 = 16 * 1024;

/// Finds the first `.git` in `folder` or above it (`FORMAT.md` §4). `GIT_DIR` is ignored: a hook sets it for another
/// repository.
///
/// `folder` must be canonical. A `.git` folder that is no git directory is skipped, as git does.
///
/// # Errors
/// [`crate::error::Kind::Input`] for a `.git` file that names no git directory; git refuses it as well.
pub(super) fn above(folder: &Path) -> Result<Option<Repository>> {
    for top in folder.ancestors() {
        let dot_git = top.join(".git");
        let Ok(meta) = fs::metadata(&dot_git) else { continue };
        if meta.is_dir() {
            if is_git_dir(&dot_git) {
                return Ok(Some(Repository { top: top.to_owned(), git_dir: dot_git }));
            }
        } else if meta.is_file() {
            let git_dir = follow(top, &dot_git)?;
            return Ok(Some(Repository { top: top.to_owned(), git_dir }));
        }
    }
    Ok(None)
}

/// Returns the top of the work tree that contains `cwd`.
pub fn repository_top(cwd: &Path) -> Option<PathBuf> {
    Some(above(&cwd.canonicalize().ok()?).ok()??.top)
}

/// Whether `dir` has a `HEAD`, and either objects of its own or a common directory (as a linked worktree has).
pub(super) fn is_git_dir(dir: &Path) -> bool {
    fs::symlink_metadata(dir.join("HEAD")).is_ok() && (dir.join("objects").is_dir() || dir.join("commondir").is_file())
}

/// Returns the git directory that a `.git` file (`gitdir: PATH`) names; linked worktrees and submodules have such files.
fn follow(top: &Path, dot_git: &Path) -> Result<PathBuf> {
    let refuse = |why: &str| {
        Error::input(format!("`{}` {why}", dot_git.display())).hint(
            "`git worktree repair` repairs the link to a moved repository; delete the file if this is not a repository"
                .to_owned(),
        )
    };
    let mut text = Vec::new();
    let read = fs::File::open(dot_git).and_then(|file| file.take(POINTER_LIMIT).read_to_end(&mut text));
    if let Err(error) = read {
        return Err(refuse(&format!("could not be read: {error}")));
    }
    let line = text.strip_prefix(b"gitdir:").ok_or_else(|| refuse("is a file without `gitdir: PATH`"))?;
    let line = line.trim_ascii();
    if line.is_empty() || line.contains(&0) || line.contains(&b'\n') {
        return Err(refuse("is a file without one `gitdir: PATH`"));
    }
    let git_dir = top.join(OsStr::from_bytes(line));
    match git_dir.canonicalize() {
        Ok(git_dir) if is_git_dir(&git_dir) => Ok(git_dir),
        _ => Err(refuse(&format!("names `{}`, which is not a git directory", git_dir.display()))),
    }
}
