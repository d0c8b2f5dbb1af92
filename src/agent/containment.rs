//! Nothing may differ after an agent drafted: the files, what git holds, plan.md, and the research file (`REQUIREMENTS.md` W-2 to W-5).

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::repo::{Difference, Fingerprint, Repo};
use crate::store::Place;

/// What was changed that had to stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A file that was there, or a submodule.
    Source,
    /// A file that was not there.
    NewFile,
    /// Git's configuration, hooks or `info/`.
    GitSettings,
    /// HEAD, a branch, a tag or the index.
    GitState,
    /// plan.md.
    Plan,
    /// The file with earlier findings.
    Research,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Of what.
    pub kind: ViolationKind,
    /// One line, with names in backticks.
    pub what: String,
}

impl ViolationKind {
    /// The word that is shown.
    pub const fn word(self) -> &'static str {
        match self {
            ViolationKind::Source => "source",
            ViolationKind::NewFile => "new file",
            ViolationKind::GitSettings => "git's settings",
            ViolationKind::GitState => "git's state",
            ViolationKind::Plan => "plan",
            ViolationKind::Research => "research file",
        }
    }

    fn of(difference: Difference) -> Self {
        match difference {
            Difference::Source => ViolationKind::Source,
            Difference::NewFile => ViolationKind::NewFile,
            Difference::State => ViolationKind::GitState,
            Difference::Settings => ViolationKind::GitSettings,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.what)
    }
}

/// Everything as it was before.
pub(super) struct Before<'a> {
    place: &'a Place,
    repo: Option<(Repo, Fingerprint)>,
    plan: Option<Vec<u8>>,
    research: Option<(PathBuf, Option<Vec<u8>>)>,
}

impl<'a> Before<'a> {
    /// Looks.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub(super) fn look(place: &'a Place, research: Option<&Path>) -> Result<Self> {
        let folders = place.top.as_deref().zip(place.git_dir.as_deref());
        let repo = folders.map(|(top, git_dir)| Repo::open(top, git_dir)).transpose()?.flatten();
        let repo = match repo {
            Some(repo) => {
                let fingerprint = repo.fingerprint(&[&place.file])?;
                Some((repo, fingerprint))
            }
            None => None,
        };
        let research = research.map(|path| (path.to_owned(), std::fs::read(path).ok()));
        Ok(Before { place, repo, plan: std::fs::read(&place.file).ok(), research })
    }

    /// False without a repository: then only plan.md and the research file are looked at.
    pub(super) const fn is_compared(&self) -> bool {
        self.repo.is_some()
    }

    /// What differs now, by kind.
    ///
    /// # Errors
    /// As [`Before::look`].
    pub(super) fn changed(&self) -> Result<Vec<Violation>> {
        let mut found = Vec::new();
        if let Some((repo, before)) = &self.repo {
            let after = repo.fingerprint_since(&[&self.place.file], before)?;
            let differences = Fingerprint::differences(before, &after).into_iter();
            found.extend(differences.map(|(kind, what)| Violation { kind: ViolationKind::of(kind), what }));
        }
        if std::fs::read(&self.place.file).ok() != self.plan {
            let what = format!("`{}` changed", self.place.shown.display());
            found.push(Violation { kind: ViolationKind::Plan, what });
        }
        if let Some((path, bytes)) = &self.research
            && std::fs::read(path).ok() != *bytes
        {
            found.push(Violation { kind: ViolationKind::Research, what: format!("`{}` changed", path.display()) });
        }
        found.sort_by_key(|violation| violation.kind);
        Ok(found)
    }
}
