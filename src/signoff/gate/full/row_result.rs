//! What a row of the full gate found.

use super::candidate::Candidate;
use super::replay::{Replay, Stop};
use super::report::RowStatus;
use crate::signoff::gate::{Finding, Level};

/// What a row found; nothing: it passed.
#[derive(Debug, Default)]
pub(crate) struct RowResult {
    pub(crate) finding: Option<Finding>,
    /// Today's tests were red on the base source.
    pub(crate) seen_red: bool,
}

impl RowResult {
    /// It stops the sign-off.
    pub(crate) fn blocks(&self) -> bool {
        self.status() == RowStatus::Blocked
    }

    /// What came of the row.
    pub(super) fn status(&self) -> RowStatus {
        match self.finding.as_ref().map(|finding| finding.level) {
            None => RowStatus::Passed,
            Some(Level::Block) => RowStatus::Blocked,
            Some(Level::Lead) => RowStatus::Unresolved,
            Some(Level::Note) => RowStatus::NotApplicable,
        }
    }
}

impl From<Finding> for RowResult {
    fn from(finding: Finding) -> Self {
        RowResult { finding: Some(finding), ..RowResult::default() }
    }
}

/// The code of a row that could not be decided.
pub(super) const UNRESOLVED: &str = "unresolved";

/// A row that could not be decided: a lead.
pub(crate) fn unresolved(rows: &[&str], why: impl std::fmt::Display, resolve: &str) -> Finding {
    Finding::lead(UNRESOLVED, "every row of the gate decided", format!("{}: {why}", rows.join(", ")), resolve)
}

/// A row that has nothing to look at.
pub(crate) fn not_applicable(row: &str, why: &str) -> RowResult {
    Finding::not_applicable(row, why).into()
}

/// A row that compares with the start, where there is nothing to compare with.
pub(crate) fn no_base(row: &str) -> Finding {
    unresolved(&[row], "there is no commit, and nothing of a start is here", "commit, then start the goal")
}

/// What excuses a row: verify does not run on the export. Where the work tree was seen to be opened once, that is asked
/// again, for others open files too: an editor, an indexer.
pub(crate) fn reads_elsewhere(
    row: &str,
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
) -> Result<Option<RowResult>, Stop> {
    let resolve =
        "let verify load what stands beside it, without an absolute path, and end what else reads the work tree";
    Ok(replay.reads(candidate.last())?.map(|read| {
        let why = format!("something opens `{}` of the work tree whenever verify runs in the export", read.display());
        unresolved(&[row], why, resolve).into()
    }))
}
