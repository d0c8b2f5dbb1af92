//! What the rows that run verify came to.

use serde::Serialize;

use super::row_result::UNRESOLVED;
use crate::signoff::gate::rows;
use crate::signoff::gate::{Finding, Level};

/// What came of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// Nothing speaks against the work.
    Passed,
    /// Something does.
    Blocked,
    /// There is nothing that it could look at.
    NotApplicable,
    /// It could not be told.
    Unresolved,
    /// The budget was over before it was decided, or verify could not be run in an export.
    NotReached,
}

/// A row that was looked at, and what that took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowRun {
    /// Its code.
    pub row: &'static str,
    /// What came of it.
    #[serde(rename = "came")]
    pub status: RowStatus,
    /// What it took.
    #[serde(flatten)]
    pub spent: Spent,
}

/// What a gate, or a row of it, took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Runs of verify.
    pub runs: usize,
    /// To the millisecond.
    pub seconds: f64,
}

impl Spent {
    /// What was spent since.
    pub(super) fn since(self, before: Spent) -> Spent {
        let seconds = self.seconds - before.seconds;
        Spent { runs: self.runs - before.runs, seconds: (seconds * 1000.0).round() / 1000.0 }
    }
}

/// What the rows that run verify came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayReport {
    /// At most one that blocks; leads `unresolved` and `not-reached`, which name their rows; notes `not-applicable`.
    pub findings: Vec<Finding>,
    /// Verify was green in a clean export of the tree: what every row stands on.
    pub green: bool,
    /// The rows that were looked at, in their order.
    pub rows: Vec<RowRun>,
    /// Today's tests on the base source were red.
    pub seen_red: bool,
    /// What all of it took.
    pub spent: Spent,
}

impl ReplayReport {
    /// Where today's tests cannot even start without the work, a change of the work that verify noticed is the red that was to
    /// be seen.
    pub(super) fn believe_mutants(&mut self) {
        let status = |row: &str, status: RowStatus| self.rows.iter().any(|run| run.row == row && run.status == status);
        if !(status("never-red", RowStatus::Unresolved) && status("no-mutant-killed", RowStatus::Passed)) {
            return;
        }
        self.seen_red = true;
        self.rows.iter_mut().filter(|run| run.row == "never-red").for_each(|run| run.status = RowStatus::Passed);
        self.findings.retain(|finding| !(finding.code == UNRESOLVED && finding.seen.starts_with("never-red: ")));
    }

    /// `full`, or `3 of 5` where the budget or an error ended it; `0 of 5` where verify could not be run in an export.
    pub fn extent(&self) -> String {
        extent(self.not_reached().len())
    }

    /// Rows that could not be decided, among them those that were not reached; none beside one that blocks.
    pub fn undecided(&self) -> Vec<&'static str> {
        if self.findings.iter().any(|finding| finding.level == Level::Block) {
            return Vec::new();
        }
        let is_open = |row: &&RowRun| row.status == RowStatus::Unresolved;
        self.rows.iter().filter(is_open).map(|row| row.row).chain(self.not_reached()).collect()
    }

    /// How many rows decided: `full`, or `3 of 5`.
    pub fn decided(&self) -> String {
        extent(self.undecided().len())
    }

    /// The rows that were not reached; none beside one that blocks.
    pub fn not_reached(&self) -> Vec<&'static str> {
        if self.findings.iter().any(|finding| finding.level == Level::Block) {
            return Vec::new();
        }
        let is_reached =
            |code: &str| self.rows.iter().any(|row| row.row == code && row.status != RowStatus::NotReached);
        rows::that_run().map(|(code, _)| code).filter(|code| !is_reached(code)).collect()
    }
}

fn extent(left: usize) -> String {
    let all = rows::that_run().count();
    if left == 0 { "full".to_owned() } else { format!("{} of {all}", all - left) }
}
