//! What a row of the full gate found.

use std::path::Path;

use super::yard::Yard;
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

/// A row that says nothing, because verify does not run on the export.
pub(crate) fn reads_elsewhere(row: &str, yard: &Yard<'_>) -> Finding {
    let read = yard.reads().unwrap_or(Path::new("")).display();
    let why = format!("verify reads `{read}` of the work tree, not of the export");
    unresolved(&[row], why, "let it load what stands beside it, without an absolute path")
}
