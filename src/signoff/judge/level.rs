//! The protection that keeps a judge from writing, beyond its own list of tools: the operating system's sandbox (`SIGNOFF.md` §5).

use std::fmt;
use std::path::{Path, PathBuf};

use super::Reference;
use crate::error::{Error, Kind, Result};
use crate::host::Variable;
use crate::process::sandbox::{Sandbox, SandboxLevel};

/// The level in force; its word is printed, logged and attested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteProtection {
    /// `none`: only the fingerprint.
    None,
    /// `own`: the client's own sandbox, which fails inside another one.
    Own,
    /// `landlock7`, `seatbelt`: our own sandbox. A judge that cannot be put into it is not started.
    System(SandboxLevel),
}

impl WriteProtection {
    /// The level in force for a judge.
    pub fn of(judge: &Reference) -> Self {
        match judge {
            Reference::Checks | Reference::Human => WriteProtection::None,
            _ if judge.host().is_some_and(|host| host.sandboxes_itself()) => WriteProtection::Own,
            _ => SandboxLevel::best().map_or(WriteProtection::None, WriteProtection::System),
        }
    }

    /// Returns the word, and for `none` also the reason.
    pub fn describe(self) -> String {
        match (self, SandboxLevel::best()) {
            (WriteProtection::None, Err(why)) => format!("none: {why}"),
            _ => self.to_string(),
        }
    }

    /// Returns the sandbox for a judge; `None` if this level has no sandbox of ours. The judge may write its scratch folder,
    /// and a host's client also its own state, where its login is. `role`: the name of the judge's role in an error.
    ///
    /// # Errors
    /// [`Kind::Unknown`]: the client's state and the repository at `top` overlap, so that the judge could write the repository.
    pub(super) fn around(
        self,
        (role, judge): (&str, &Reference),
        scratch: &Path,
        top: &Path,
        variable: Variable<'_>,
    ) -> Result<Option<Sandbox>> {
        let WriteProtection::System(level) = self else { return Ok(None) };
        let state = judge.host().map(|host| host.state(variable)).unwrap_or_default();
        // Resolve links now, so that a link that later leads to the repository is not followed. Skip paths that do not exist.
        let state: Vec<PathBuf> = state.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
        if let Some(path) = state.iter().find(|path| path.starts_with(&top) || top.starts_with(path)) {
            let why = format!(
                "{role} {judge}: it may write its own state, `{}`, which overlaps the repository",
                path.display()
            );
            return Err(Error::new(Kind::Unknown, why).hint("no sandbox would keep it from the repository"));
        }
        let writable: Vec<PathBuf> = std::iter::once(scratch.to_owned()).chain(state).collect();
        Ok(Some(Sandbox { level, writable }))
    }
}

impl fmt::Display for WriteProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteProtection::None => f.write_str("none"),
            WriteProtection::Own => f.write_str("own"),
            WriteProtection::System(level) => level.fmt(f),
        }
    }
}
