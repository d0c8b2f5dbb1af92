//! Finds an unfinished operation of git, which a change of many files would disturb.

use super::Repo;
use crate::error::Result;

/// An operation that must still be finished or aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Its name with the article: `a rebase`.
    pub what: &'static str,
    /// The file or ref that indicates it: `rebase-merge`.
    pub sign: &'static str,
}

/// Signs in the git folder of a work tree. The first one found decides: a rebase also leaves `CHERRY_PICK_HEAD`.
const SIGNS: [Busy; 7] = [
    Busy { what: "a rebase", sign: "rebase-merge" },
    Busy { what: "an am", sign: "rebase-apply/applying" },
    Busy { what: "a rebase", sign: "rebase-apply" },
    Busy { what: "a merge", sign: "MERGE_HEAD" },
    Busy { what: "a cherry-pick", sign: "CHERRY_PICK_HEAD" },
    Busy { what: "a revert", sign: "REVERT_HEAD" },
    Busy { what: "a bisect", sign: "BISECT_LOG" },
];

impl Repo {
    /// Returns the unfinished operation in this work tree. No process; up to three if refs are kept in a reftable, which hides two of
    /// the signs from a look at the folder.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git cannot run.
    pub fn busy(&self) -> Result<Option<Busy>> {
        let stands = |busy: &&Busy| self.git_dir.join(busy.sign).symlink_metadata().is_ok();
        if let Some(busy) = SIGNS.iter().find(stands) {
            return Ok(Some(*busy));
        }
        if !self.common_dir.join("reftable").is_dir() {
            return Ok(None);
        }
        for busy in SIGNS.iter().filter(|busy| busy.sign.ends_with("_HEAD")) {
            if self.ask(&["rev-parse", "--quiet", "--verify", busy.sign], b"")?.status.success() {
                return Ok(Some(*busy));
            }
        }
        Ok(None)
    }

    /// Whether git found that the file system ignores upper and lower case in names. One process.
    pub fn folds_case(&self) -> bool {
        let captured = self.ask(&["config", "--type=bool", "--get", "core.ignoreCase"], b"");
        captured.is_ok_and(|captured| captured.stdout == b"true\n")
    }
}
