//! What can go wrong with a repository: the wording, in one place.

use std::io;
use std::path::PathBuf;

use super::id::ObjectId;
use crate::error::{Error, Kind};

/// Trouble with git or with the files it looks after.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
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

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        let kind = match trouble {
            Trouble::Process(error) => return error,
            Trouble::Refused { .. } | Trouble::Elsewhere { .. } | Trouble::IndexPath { .. } => Kind::Input,
            Trouble::RefName { .. } | Trouble::Outside { .. } => Kind::Input,
            Trouble::Name { .. } | Trouble::TooMuch { .. } => Kind::Input,
            Trouble::Unstable { .. } => Kind::Changed,
            _ => Kind::Unknown,
        };
        let error = Error::new(kind, trouble.to_string());
        match hint(&trouble) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

fn hint(trouble: &Trouble) -> Option<&'static str> {
    match trouble {
        Trouble::Git { said, .. } if cannot_write(said) => {
            Some("the git folder cannot be written: run it outside the sandbox")
        }
        Trouble::Refused { .. } => Some("look at the folder's owner; git's `safe.directory` says whom it trusts"),
        Trouble::Elsewhere { .. } => Some("look at `core.worktree` and the `.git` file"),
        Trouble::IndexPath { .. } => Some("the index is damaged or made up: rebuild it with `git read-tree HEAD`"),
        Trouble::Unstable { .. } => Some("try again when nothing writes to it"),
        _ => None,
    }
}

fn cannot_write(said: &str) -> bool {
    [
        "insufficient permission",
        "Permission denied",
        "Read-only file system",
        "No space left",
        "Operation not permitted",
    ]
    .iter()
    .any(|words| said.contains(words))
}
