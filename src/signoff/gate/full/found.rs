//! What a row of the full gate found.

use super::work::Work;
use super::yard::{Stop, Yard};
use crate::signoff::gate::Finding;

/// What a row found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) finding: Option<Finding>,
    /// Today's tests were red on the base source.
    pub(crate) seen_red: bool,
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        Found { finding: Some(finding), ..Found::default() }
    }
}

/// A row that could not be decided: a lead.
pub(crate) fn unresolved(rows: &[&str], why: impl std::fmt::Display, resolve: &str) -> Finding {
    Finding::lead("unresolved", "every row of the gate decided", format!("{}: {why}", rows.join(", ")), resolve)
}

/// A row that compares with the start, whose tree is not at hand.
pub(crate) fn no_base(row: &str) -> Finding {
    unresolved(&[row], "no base of this goal is pinned", "fetch `refs/plan/*`, or start the goal")
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
