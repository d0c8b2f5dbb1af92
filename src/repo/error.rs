//! The errors of a repository and their wording.

use std::io;
use std::path::PathBuf;

use super::id::ObjectId;
use crate::error::{Error, Kind};

/// A result of the repository's own functions.
pub(super) type RepoResult<T> = std::result::Result<T, RepoError>;

/// An error of git or of the files it manages.
#[derive(Debug, thiserror::Error)]
pub(super) enum RepoError {
    /// git could not start or was interrupted.
    #[error("{0}")]
    Process(Error),
    #[error("`git {what}` failed ({ended}): {said}")]
    Git { what: String, ended: String, said: String },
    #[error("this clone is partial (`git clone --filter`), and what `git {what}` asks for was not fetched")]
    Unfetched { what: String },
    #[error("`git {what}` gave an answer that `plan` does not understand: `{found}`")]
    Answer { what: &'static str, found: String },
    #[error("git refuses the repository at `{}`: {said}", top.display())]
    Refused { top: PathBuf, said: String },
    #[error("git and `plan` see different repositories at `{}`: expected `{}`, git found `{}`",
            top.display(), expected.display(), found.display())]
    Elsewhere { top: PathBuf, expected: PathBuf, found: PathBuf },
    #[error("the git index names `{path}`, which is not a path inside the work tree")]
    IndexPath { path: String },
    #[error("cannot look at `{}`: {error}", path.display())]
    Look { path: PathBuf, error: io::Error },
    #[error("`{}` changed while it was being read", path.display())]
    Unstable { path: PathBuf },
    #[error("`{}` is a file and a folder at once", path.display())]
    Twice { path: PathBuf },
    #[error("`{}` was stored as {stored}, expected {expected}", path.display())]
    Stored { path: PathBuf, expected: ObjectId, stored: String },
    #[error("`plan` does not keep the ref `{name}`: expected a name under `refs/plan/` or `refs/worktree/plan/`")]
    RefName { name: String },
    #[error("`{name}` is not a valid name for a kept tree: expected letters, digits, `-` and `_`")]
    KeptName { name: String },
    #[error("cannot write `{}`: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("reading the files took too long")]
    Late,
    #[error("the tree names `{}`, which is not a valid file name", path.display())]
    Name { path: PathBuf },
    #[error("the tree is too large to export: {what}")]
    TooMuch { what: String },
    #[error("the object {id} is not in this repository")]
    Missing { id: ObjectId },
    #[error("the object {id} holds other bytes than its name says")]
    OtherBytes { id: ObjectId },
    #[error("`{}` is outside the work tree `{}`", path.display(), top.display())]
    Outside { path: PathBuf, top: PathBuf },
}

impl From<RepoError> for Error {
    fn from(trouble: RepoError) -> Self {
        let kind = match trouble {
            RepoError::Process(error) => return error,
            RepoError::Refused { .. } | RepoError::Elsewhere { .. } | RepoError::IndexPath { .. } => Kind::Input,
            RepoError::RefName { .. } | RepoError::KeptName { .. } | RepoError::Outside { .. } => Kind::Input,
            RepoError::Name { .. } | RepoError::TooMuch { .. } => Kind::Input,
            RepoError::Unstable { .. } => Kind::Changed,
            _ => Kind::Unknown,
        };
        let error = Error::new(kind, trouble.to_string());
        match hint(&trouble) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

fn hint(trouble: &RepoError) -> Option<&'static str> {
    match trouble {
        RepoError::Git { what, said, .. } => git_hint(what, said),
        RepoError::Unfetched { .. } => Some("`git fetch --refetch --no-filter` fetches the rest"),
        RepoError::Missing { .. } => Some(LOST),
        RepoError::Refused { .. } => {
            Some("check who owns the folder; `git config --get-all safe.directory` lists the folders git trusts")
        }
        RepoError::Elsewhere { .. } => Some("check `core.worktree` and the `.git` file"),
        RepoError::IndexPath { .. } => Some("the index is damaged or forged: rebuild it with `git read-tree HEAD`"),
        RepoError::OtherBytes { .. } => Some("`git fsck` says what is damaged; fetch it again from another clone"),
        RepoError::Unstable { .. } => Some("run the command again when nothing writes to the file"),
        _ => None,
    }
}

/// The hint where an object is not here.
const LOST: &str =
    "in a clone with `--filter`, `git fetch --refetch --no-filter`; in any other, `git fsck` says what is lost";

/// Calls that write into the git folder here.
const WRITES: [&str; 5] = ["config", "fetch", "hash-object", "mktree", "update-ref"];
/// Calls that contact another repository, which may have written `said`.
const TRANSPORTS: [&str; 3] = ["fetch", "ls-remote", "push"];

fn git_hint(what: &str, said: &str) -> Option<&'static str> {
    if WRITES.contains(&what) && has(said, &["No space left", "Disk quota exceeded"]) {
        return Some("free some space on the file system of the git folder, then run it again");
    }
    if WRITES.contains(&what) && cannot_write(said) {
        return Some("the git folder is not writable: run the command outside the sandbox");
    }
    if has(said, &["not a tree object", "unable to read tree", "bad object"]) {
        return Some(LOST);
    }
    let far = "check that `git ls-remote` reaches the remote: `plan` never asks for a password or about a host key";
    TRANSPORTS.contains(&what).then_some(far)
}

fn cannot_write(said: &str) -> bool {
    // ssh uses the same words, with more text, for keys and passwords that a server rejects.
    let ssh = [" (", ", please"];
    let by_files = said.split("Permission denied").skip(1).any(|rest| !ssh.iter().any(|end| rest.starts_with(end)));
    by_files || has(said, &["insufficient permission", "Read-only file system", "Operation not permitted"])
}

fn has(said: &str, words: &[&str]) -> bool {
    words.iter().any(|words| said.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_is_about_what_was_in_the_way() {
        for (what, said, about) in [
            ("hash-object", "error: unable to create temporary file: Permission denied fatal: x", Some("sandbox")),
            ("hash-object", "error: unable to create temporary file: Permission denied", Some("sandbox")),
            ("update-ref", "cannot lock ref: Unable to create 'x.lock': Read-only file system", Some("sandbox")),
            ("fetch", "error: insufficient permission for adding an object to repository", Some("sandbox")),
            ("mktree", "error: file write error: No space left on device", Some("free some space")),
            ("fetch", "x@localhost: Permission denied (publickey).", Some("ls-remote")),
            ("push", "remote: fatal: write error: No space left on device", Some("ls-remote")),
            ("ls-remote", "fatal: '/x' does not appear to be a git repository", Some("ls-remote")),
            ("rev-list", "error: open objects/ab: Permission denied", None),
            ("ls-tree", "fatal: not a tree object", Some("--no-filter")),
            ("update-ref", "fatal: cannot lock ref", None),
        ] {
            let hint = git_hint(what, said);
            assert!(
                hint.is_some() == about.is_some() && hint.is_none_or(|hint| hint.contains(about.unwrap())),
                "{said}"
            );
        }
    }
}
