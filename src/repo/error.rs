//! What can go wrong with a repository: the wording, in one place.

use std::io;
use std::path::PathBuf;

use super::id::ObjectId;
use crate::error::{Error, Kind};

/// Trouble with git or with the files it looks after.
#[derive(Debug, thiserror::Error)]
pub(super) enum RepoError {
    /// git could not be run to its end: not startable, interrupted.
    #[error("{0}")]
    Process(Error),
    #[error("`git {what}` failed ({ended}): {said}")]
    Git { what: String, ended: String, said: String },
    #[error("`git {what}` answered something that is not understood: `{found}`")]
    Answer { what: &'static str, found: String },
    #[error("git refuses the repository at `{}`: {said}", top.display())]
    Refused { top: PathBuf, said: String },
    #[error("git sees another repository at `{}` than the one found there: expected `{}`, found `{}`",
            top.display(), expected.display(), found.display())]
    Elsewhere { top: PathBuf, expected: PathBuf, found: PathBuf },
    #[error("the git index names `{path}`, which is no path inside the work tree")]
    IndexPath { path: String },
    #[error("cannot look at `{}`: {error}", path.display())]
    Look { path: PathBuf, error: io::Error },
    #[error("`{}` changes while it is being read", path.display())]
    Unstable { path: PathBuf },
    #[error("`{}` is a file and a folder at once", path.display())]
    Twice { path: PathBuf },
    #[error("`{}` was stored as {stored}, expected {expected}", path.display())]
    Stored { path: PathBuf, expected: ObjectId, stored: String },
    #[error("`{name}` is no ref that `plan` keeps: expected one under `refs/plan/` or `refs/worktree/plan/`")]
    RefName { name: String },
    #[error("`{name}` is no name for a tree that is kept: expected letters, digits, `-` and `_`")]
    KeptName { name: String },
    #[error("cannot write `{}`: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("the tree names `{}`, which is no name for a file in a folder", path.display())]
    Name { path: PathBuf },
    #[error("too much for an export: {what}")]
    TooMuch { what: String },
    #[error("the object {id} is not in this repository")]
    Missing { id: ObjectId },
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
        RepoError::Refused { .. } => Some("look at the folder's owner; git's `safe.directory` says whom it trusts"),
        RepoError::Elsewhere { .. } => Some("look at `core.worktree` and the `.git` file"),
        RepoError::IndexPath { .. } => Some("the index is damaged or made up: rebuild it with `git read-tree HEAD`"),
        RepoError::Unstable { .. } => Some("try again when nothing writes to it"),
        _ => None,
    }
}

/// The calls that write into the git folder here.
const WRITES: [&str; 5] = ["config", "fetch", "hash-object", "mktree", "update-ref"];
/// The calls that speak to another repository, whose words `said` may be.
const TRANSPORTS: [&str; 3] = ["fetch", "ls-remote", "push"];

fn git_hint(what: &str, said: &str) -> Option<&'static str> {
    if WRITES.contains(&what) && has(said, &["No space left", "Disk quota exceeded"]) {
        return Some("free some space on the file system of the git folder, then run it again");
    }
    if WRITES.contains(&what) && cannot_write(said) {
        return Some("the git folder cannot be written: run it outside the sandbox");
    }
    let far = "see whether `git ls-remote` reaches it: nobody is asked for a password or about a host here";
    TRANSPORTS.contains(&what).then_some(far)
}

fn cannot_write(said: &str) -> bool {
    // ssh says the same, with more behind it, of keys and passwords that a server does not take.
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
