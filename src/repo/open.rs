//! Opens a repository: finds the git program and the folders, and checks that git trusts them.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::error::{RepoError, RepoResult};
use super::git::{call, environment, failed, program, said};
use super::reader::Reader;
use super::ref_files::{may_set, read};
use super::{Format, ObjectId, Repo};
use crate::error::Result;

/// A `.git` file is one short line; a longer file is something else.
const POINTER_LIMIT: u64 = 16 * 1024;

impl Repo {
    /// Opens the repository with the work tree `top` and the git folder `git_dir`. `None` if there is no git program or git
    /// sees no repository there. No process if owner, place and settings leave no doubt. Otherwise one: git finds the folder by itself
    /// once, so that its check of the owner (`safe.directory`) applies. Every later call names both folders.
    ///
    /// # Errors
    /// [`Kind::Input`](crate::error::Kind) if git refuses the repository or sees another one.
    pub fn open(top: &Path, git_dir: &Path) -> Result<Option<Repo>> {
        let (Ok(top), Ok(git_dir)) = (top.canonicalize(), git_dir.canonicalize()) else { return Ok(None) };
        let Some(program) = program(&top) else { return Ok(None) };
        let common_dir = common_dir(&git_dir);
        if is_plainly(&top, &git_dir, &common_dir) {
            let (format, reader) = (Format::Sha1, Reader::default());
            return Ok(Some(Repo { program, top, git_dir, common_dir, format, reader }));
        }
        let ceiling = top.parent().unwrap_or(&top);
        let environment = environment(&top).set("GIT_CEILING_DIRECTORIES", ceiling);
        let args = ["rev-parse", "--show-object-format", "--absolute-git-dir"].map(OsStr::new);
        let captured = call(&program, &top, &environment, &args, b"")?;
        if !captured.status.success() {
            let said = said(&captured);
            let none = said.contains("not a git repository");
            return if none { Ok(None) } else { Err(RepoError::Refused { top, said }.into()) };
        }
        let (format, found) = answer(&captured.stdout)?;
        if found.canonicalize().ok().as_ref() != Some(&git_dir) {
            return Err(RepoError::Elsewhere { top, expected: git_dir, found }.into());
        }
        Ok(Some(Repo { program, top, git_dir, common_dir, format, reader: Reader::default() }))
    }

    /// Makes `top` a temporary repository for trials, with all its files in one commit. The user's git settings do not apply to it.
    pub fn throwaway(top: &Path) -> Result<()> {
        let program = program(top).ok_or_else(|| RepoError::Git {
            what: "init".to_owned(),
            ended: "not started".to_owned(),
            said: "there is no `git` on `PATH`".to_owned(),
        })?;
        let mut environment = environment(top)
            .set("GIT_DIR", top.join(".git"))
            .set("GIT_CONFIG_GLOBAL", "/dev/null")
            .set("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            environment =
                environment.set(format!("GIT_{who}_NAME"), "plan").set(format!("GIT_{who}_EMAIL"), "plan@localhost");
        }
        let git = |args: &[&str]| {
            let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
            let captured = call(&program, top, &environment, &args, b"")?;
            match captured.status.success() {
                true => Ok(String::from_utf8_lossy(&captured.stdout).trim().to_owned()),
                false => Err(failed(&args, &captured)),
            }
        };
        git(&["init", "--quiet", "--template="])?;
        git(&["add", "--all"])?;
        let tree = git(&["write-tree"])?;
        let commit = git(&["commit-tree", "-m", "made by plan", &tree])?;
        git(&["update-ref", "HEAD", &commit])?;
        Ok(())
    }
}

/// Whether git would certainly find this git folder and trust it. These are git's own checks; false if one of them is in doubt.
/// The repository's format is then SHA-1.
fn is_plainly(top: &Path, git_dir: &Path, common_dir: &Path) -> bool {
    let owner = rustix::process::geteuid().as_raw();
    let is_own = |path: &Path| path.symlink_metadata().is_ok_and(|meta| meta.uid() == owner);
    let is_found =
        || self::git_dir(top).and_then(|found| found.canonicalize().ok()).is_some_and(|found| found == git_dir);
    let is_whole = || {
        let head = read(&git_dir.join("HEAD"), 4096).unwrap_or_default();
        let text = String::from_utf8_lossy(&head);
        let names_one = text.starts_with("ref: refs/") || ObjectId::parse(text.trim_end()).is_some();
        names_one && ["objects", "refs"].iter().all(|name| common_dir.join(name).is_dir())
    };
    // An extension or a newer format version may change how the repository must be read.
    let is_usual = || {
        let version = b"repositoryformatversion";
        let text = read(&common_dir.join("config"), 256 << 10).unwrap_or_default().to_ascii_lowercase();
        let told = memchr::memmem::find_iter(&text, version).count();
        let zero = memchr::memmem::find_iter(&text, b"repositoryformatversion = 0\n").count();
        told == 1 && zero == 1 && !may_set(common_dir, git_dir, &["extensions", "bare = true"])
    };
    [top, &top.join(".git"), git_dir].into_iter().all(is_own) && is_found() && is_whole() && is_usual()
}

/// Reads the answer of git: the word of the format, then the folder. It comes last because its name may contain anything.
fn answer(stdout: &[u8]) -> RepoResult<(Format, PathBuf)> {
    let trouble = || RepoError::Answer { what: "rev-parse", found: String::from_utf8_lossy(stdout).into_owned() };
    let line = stdout.iter().position(|byte| *byte == b'\n').ok_or_else(trouble)?;
    let word = std::str::from_utf8(&stdout[..line]).ok().and_then(Format::from_word).ok_or_else(trouble)?;
    let folder = stdout[line + 1..].strip_suffix(b"\n").ok_or_else(trouble)?;
    Ok((word, PathBuf::from(OsStr::from_bytes(folder))))
}

/// Resolves `.git` in the folder of a repository: a folder, or a file that names one.
pub(super) fn git_dir(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    let kind = git.symlink_metadata().ok()?.file_type();
    if kind.is_dir() {
        return Some(git);
    }
    let mut bytes = Vec::new();
    let file = kind.is_file().then(|| fs::File::open(&git))?;
    file.and_then(|file| file.take(POINTER_LIMIT).read_to_end(&mut bytes)).ok()?;
    let named = bytes.strip_prefix(b"gitdir:")?.trim_ascii();
    top.join(OsStr::from_bytes(named)).canonicalize().ok()
}

/// Returns the folder that a linked work tree's `commondir` names (`gitrepository-layout`), otherwise `git_dir`.
pub(super) fn common_dir(git_dir: &Path) -> PathBuf {
    let Ok(bytes) = read(&git_dir.join("commondir"), POINTER_LIMIT) else { return git_dir.to_owned() };
    let path = git_dir.join(OsStr::from_bytes(bytes.trim_ascii()));
    path.canonicalize().unwrap_or_else(|_| git_dir.to_owned())
}
