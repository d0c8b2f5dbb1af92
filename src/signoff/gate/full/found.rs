//! What a row of the full gate found.

use super::report::Came;
use super::work::Work;
use super::yard::{Stop, Yard};
use crate::signoff::gate::{Finding, Level};

/// What a row found; nothing: it passed.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) finding: Option<Finding>,
    /// Today's tests were red on the base source.
    pub(crate) seen_red: bool,
}

impl Found {
    /// It stops the sign-off.
    pub(crate) fn blocks(&self) -> bool {
        self.came() == Came::Blocked
    }

    /// What came of the row.
    pub(super) fn came(&self) -> Came {
        match self.finding.as_ref().map(|finding| finding.level) {
            None => Came::Passed,
            Some(Level::Block) => Came::Blocked,
            Some(Level::Lead) => Came::Unresolved,
            Some(Level::Note) => Came::NotApplicable,
        }
    }
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        Found { finding: Some(finding), ..Found::default() }
    }
}

/// The code of a row that could not be decided.
pub(super) const UNRESOLVED: &str = "unresolved";

/// A row that could not be decided: a lead.
pub(crate) fn unresolved(rows: &[&str], why: impl std::fmt::Display, resolve: &str) -> Finding {
    Finding::lead(UNRESOLVED, "every row of the gate decided", format!("{}: {why}", rows.join(", ")), resolve)
}

/// A row that has nothing to look at.
pub(crate) fn not_applicable(row: &str, why: &str) -> Found {
    Finding::not_applicable(row, why).into()
}

/// A row that compares with the start, where there is nothing to compare with.
pub(crate) fn no_base(row: &str) -> Finding {
    unresolved(&[row], "there is no commit, and nothing of a start is here", "commit, then start the goal")
}

/// What excuses a row: verify does not run on the export. Where the work tree was seen to be opened once, that is asked
/// again, for others open files too: an editor, an indexer.
pub(crate) fn reads_elsewhere(row: &str, work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Option<Found>, Stop> {
    let resolve =
        "let verify load what stands beside it, without an absolute path, and end what else reads the work tree";
    Ok(yard.reads(work.last())?.map(|read| {
        let why = format!("something opens `{}` of the work tree whenever verify runs in the export", read.display());
        unresolved(&[row], why, resolve).into()
    }))
}
