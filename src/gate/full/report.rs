//! The results of the rows that run verify.

use serde::Serialize;

use super::row::{RowStatus, UNRESOLVED};
use crate::gate::{GateFinding, GateLevel};
use crate::replay::Spent;

/// A row that ran, and its cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowRun {
    /// Its code.
    pub row: &'static str,
    /// Its result. `--json` calls it `came`.
    #[serde(rename = "came")]
    pub status: RowStatus,
    /// The reason why it has nothing to look at, if no finding gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// The results of the rows that run verify.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FullReport {
    /// The codes of all rows that run verify, in their order.
    pub all: Vec<&'static str>,
    /// The findings: at most one block; the leads `unresolved` and `not-reached`, which name their rows; notes `not-applicable`.
    pub findings: Vec<GateFinding>,
    /// Whether verify was green in a clean export of the tree. Every row depends on this.
    pub green: bool,
    /// The rows that ran, in their order.
    pub rows: Vec<RowRun>,
    /// Whether today's tests were red on the source of the base.
    pub seen_red: bool,
    /// Whether some of the work belongs to this goal alone, although another goal was signed off with the same files.
    pub own_work: bool,
    /// The cost of the whole gate.
    pub spent: Spent,
}

impl FullReport {
    /// Counts a mutant that verify noticed as the missing red, if today's tests cannot start without the work.
    pub(super) fn believe_mutants(&mut self) {
        let status = |row: &str, status: RowStatus| self.rows.iter().any(|run| run.row == row && run.status == status);
        if !(status("never-red", RowStatus::Unresolved) && status("no-mutant-killed", RowStatus::Passed)) {
            return;
        }
        self.seen_red = true;
        self.rows.iter_mut().filter(|run| run.row == "never-red").for_each(|run| run.status = RowStatus::Passed);
        self.findings.retain(|finding| !(finding.code == UNRESOLVED && finding.rows == ["never-red"]));
    }

    /// `full`, or `3 of 5` if the budget or an error ended the gate, or `0 of 5` if verify could not run in an export.
    pub fn extent(&self) -> String {
        self.all_but(self.not_reached().len())
    }

    /// The rows that did not decide, including those that were not reached. Empty if a row blocks.
    pub fn undecided(&self) -> Vec<&'static str> {
        if self.findings.iter().any(|finding| finding.level == GateLevel::Block) {
            return Vec::new();
        }
        let is_open = |row: &&RowRun| row.status == RowStatus::Unresolved;
        self.rows.iter().filter(is_open).map(|row| row.row).chain(self.not_reached()).collect()
    }

    /// The number of rows that decided: `full`, or `3 of 5`.
    pub fn decided(&self) -> String {
        self.all_but(self.undecided().len())
    }

    /// The rows that were not reached. Empty if a row blocks.
    pub fn not_reached(&self) -> Vec<&'static str> {
        if self.findings.iter().any(|finding| finding.level == GateLevel::Block) {
            return Vec::new();
        }
        let is_reached =
            |code: &str| self.rows.iter().any(|row| row.row == code && row.status != RowStatus::NotReached);
        self.all.iter().copied().filter(|code| !is_reached(code)).collect()
    }

    fn all_but(&self, left: usize) -> String {
        let all = self.all.len();
        if left == 0 { "full".to_owned() } else { format!("{} of {all}", all - left) }
    }
}
