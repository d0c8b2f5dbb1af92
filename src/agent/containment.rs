//! Checks that an agent changed nothing: no files, nothing in git, not plan.md, not the research file (`REQUIREMENTS.md` W-2 to W-5).

use std::path::{Path, PathBuf};

use crate::disk::read_regular;
use crate::error::Result;
use crate::repo::{Difference, Fingerprint, Repo};
use crate::store::Place;

const fn word(kind: Difference) -> &'static str {
    match kind {
        Difference::Source => "source",
        Difference::NewFile => "new file",
        Difference::Settings => "git's settings",
        Difference::State => "git's state",
    }
}

/// The state before the agent ran.
pub(super) struct Before<'a> {
    place: &'a Place,
    repo: Option<(Repo, Fingerprint)>,
    plan: Option<Vec<u8>>,
    research: Option<(PathBuf, Option<Vec<u8>>)>,
}

impl<'a> Before<'a> {
    /// Records the current state.
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
        let research = research.map(|path| (path.to_owned(), read_regular(path).ok()));
        Ok(Before { place, repo, plan: read_regular(&place.file).ok(), research })
    }

    /// False without a repository; then only plan.md and the research file are compared.
    pub(super) const fn is_compared(&self) -> bool {
        self.repo.is_some()
    }

    /// Returns the forbidden changes since [`Before::look`], by kind: one line each, with names in backticks.
    ///
    /// # Errors
    /// As [`Before::look`].
    pub(super) fn changed(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        if let Some((repo, before)) = &self.repo {
            let after = repo.fingerprint_since(&[&self.place.file], before)?;
            let mut differences = Fingerprint::differences(before, &after);
            differences.sort_by_key(|(kind, _)| *kind);
            found.extend(differences.into_iter().map(|(kind, what)| format!("{}: {what}", word(kind))));
        }
        if read_regular(&self.place.file).ok() != self.plan {
            found.push(format!("plan: `{}` changed", self.place.shown.display()));
        }
        if let Some((path, bytes)) = &self.research
            && read_regular(path).ok() != *bytes
        {
            found.push(format!("research file: `{}` changed", path.display()));
        }
        Ok(found)
    }
}
