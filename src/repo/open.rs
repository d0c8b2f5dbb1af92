//! Opens a repository: which git program, which folders, and whether git trusts them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::RepoError;
use super::git::{call, environment, program, said};
use super::{Format, Repo};
use crate::error::Result;

impl Repo {
    /// The repository with the work tree `top` and the git folder `git_dir`. None if there is no git program or git
    /// sees no repository there. One process: git finds the folder by itself once, so that its check of the owner
    /// (`safe.directory`) applies. Every later call names both folders.
    ///
    /// # Errors
    /// [`Kind::Input`](crate::error::Kind) if git refuses the repository or sees another one.
    pub fn open(top: &Path, git_dir: &Path) -> Result<Option<Repo>> {
        let (Ok(top), Ok(git_dir)) = (top.canonicalize(), git_dir.canonicalize()) else { return Ok(None) };
        let Some(program) = program(&top) else { return Ok(None) };
        Ok(probe(program, top, git_dir)?)
    }
}

fn probe(program: PathBuf, top: PathBuf, git_dir: PathBuf) -> std::result::Result<Option<Repo>, RepoError> {
    let ceiling = top.parent().unwrap_or(&top);
    let environment = environment(&top).set("GIT_CEILING_DIRECTORIES", ceiling);
    let args = ["rev-parse", "--show-object-format", "--absolute-git-dir"].map(OsStr::new);
    let captured = call(&program, &top, &environment, &args, b"")?;
    if !captured.status.success() {
        let said = said(&captured);
        let none = said.contains("not a git repository");
        return if none { Ok(None) } else { Err(RepoError::Refused { top, said }) };
    }
    let (format, found) = answer(&captured.stdout)?;
    if found.canonicalize().ok().as_ref() != Some(&git_dir) {
        return Err(RepoError::Elsewhere { top, expected: git_dir, found });
    }
    let common_dir = common_dir(&git_dir);
    Ok(Some(Repo { program, top, git_dir, common_dir, format }))
}

/// The word of the format, then the folder, which comes last because its name may contain anything.
fn answer(stdout: &[u8]) -> std::result::Result<(Format, PathBuf), RepoError> {
    let trouble = || RepoError::Answer { what: "rev-parse", found: String::from_utf8_lossy(stdout).into_owned() };
    let line = stdout.iter().position(|byte| *byte == b'\n').ok_or_else(trouble)?;
    let word = std::str::from_utf8(&stdout[..line]).ok().and_then(Format::from_word).ok_or_else(trouble)?;
    let folder = stdout[line + 1..].strip_suffix(b"\n").ok_or_else(trouble)?;
    Ok((word, PathBuf::from(OsStr::from_bytes(folder))))
}

/// The folder that a linked work tree's `commondir` names (`gitrepository-layout`).
pub(super) fn common_dir(git_dir: &Path) -> PathBuf {
    let Ok(bytes) = fs::read(git_dir.join("commondir")) else { return git_dir.to_owned() };
    let path = git_dir.join(OsStr::from_bytes(bytes.trim_ascii()));
    path.canonicalize().unwrap_or_else(|_| git_dir.to_owned())
}
