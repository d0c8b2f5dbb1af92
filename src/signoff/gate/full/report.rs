//! What the full gate came to.

use crate::signoff::gate::{Finding, Level};

/// The rows, in their order.
pub const ROWS: [&str; 5] =
    ["approved-tests-red", "never-red", "canary-survived", "clean-replay-red", "no-mutant-killed"];

/// What the full gate came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// At most one that blocks; leads `unresolved` and `not-reached`, which name their rows.
    pub findings: Vec<Finding>,
    /// Verify was green in a clean export of the tree: what every row stands on.
    pub green: bool,
    /// Rows that were looked at to their end.
    pub reached: usize,
    /// Rows that were looked at and could not be decided.
    pub open: Vec<&'static str>,
    /// Today's tests on the base source were red.
    pub seen_red: bool,
}

impl Report {
    /// `full`, or `3 of 5` where the budget or an error ended it; `0 of 5` where verify could not be run in an export.
    pub fn extent(&self) -> String {
        match self.reached >= ROWS.len() || self.findings.iter().any(|finding| finding.level == Level::Block) {
            true => "full".to_owned(),
            false => format!("{} of {}", self.reached, ROWS.len()),
        }
    }

    /// Rows that could not be decided, among them those that were not reached; none behind one that blocks.
    pub fn undecided(&self) -> Vec<&'static str> {
        match self.findings.iter().any(|finding| finding.level == Level::Block) {
            true => Vec::new(),
            false => self.open.iter().chain(self.not_reached()).copied().collect(),
        }
    }

    /// How many rows decided: `full`, or `3 of 5`.
    pub fn decided(&self) -> String {
        match self.undecided().len() {
            0 => "full".to_owned(),
            open => format!("{} of {}", ROWS.len() - open, ROWS.len()),
        }
    }

    /// The rows that were not reached; none behind one that blocks.
    pub fn not_reached(&self) -> &'static [&'static str] {
        match self.findings.iter().any(|finding| finding.level == Level::Block) {
            true => &[],
            false => ROWS.get(self.reached..).unwrap_or_default(),
        }
    }
}
