//! The result of a check, for users and for `--json`.

use serde::Serialize;

use crate::gate::full::RowRun;
use crate::gate::{GateFinding, GateLevel};
use crate::plan::model::Key;
use crate::replay::Spent;
use crate::signoff::record::JudgeRecord;
use crate::verify::check::CheckResult;
use crate::verify::stage1;

/// The outcome of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Signed off.
    Accepted,
    /// The goal stays as it was, and what is missing is known.
    #[default]
    Rejected,
    /// There is no verdict.
    Inconclusive,
}

/// The report of a check, for users and for `--json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// The goal's id.
    pub goal: String,
    /// Its subject.
    pub subject: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The reason, in one line; empty if it was accepted.
    pub reason: String,
    /// The things that a judge found missing.
    pub missing: Vec<String>,
    /// Stage 1; `None` if the goal has no verify.
    pub verify: Option<stage1::Report>,
    /// The results of the checks of its failure modes.
    pub checks: Vec<CheckResult>,
    /// How much of the gate ran.
    pub gate: String,
    /// The cost of the runs of verify that the gate added.
    pub gate_spent: Spent,
    /// Rows of the gate that its budget did not reach.
    pub not_reached: Vec<String>,
    /// The rows of the gate that ran verify again, each with its result.
    pub rows: Vec<RowRun>,
    /// The findings of the gate.
    pub findings: Vec<GateFinding>,
    /// The judges that were asked.
    pub judges: Vec<Opinion>,
    /// The goal contract's digest.
    pub contract: String,
    /// How the contract was changed since the goal's start, according to the log.
    pub changes: Vec<String>,
    /// The tree, 12 digits; `none` without a repository; empty if it was not looked at.
    pub tree: String,
    /// The commit.
    pub at: String,
    /// The line that was written to the log; `None` if the last line about the goal is the same.
    pub log: Option<String>,
    /// The ref of the attestation.
    pub attestation: Option<String>,
    /// The fields that the goal lacks for a sign-off.
    #[serde(skip)]
    pub lacking: Vec<Key>,
    /// It was signed off before, and reopened since.
    #[serde(skip)]
    pub is_reopened: bool,
    /// A remembered rejection: no judge was asked.
    pub repeated: bool,
    /// The same tree was rejected so often that a person is needed.
    pub person_needed: bool,
}

impl CheckReport {
    /// Returns the first finding that blocks.
    pub fn block(&self) -> Option<&GateFinding> {
        self.findings.iter().find(|finding| finding.level == GateLevel::Block)
    }

    /// Whether a finding blocks.
    pub fn is_blocked(&self) -> bool {
        self.block().is_some()
    }

    /// Whether a longer time limit may change the outcome.
    pub fn may_have_timed_out(&self) -> bool {
        let is_killed = |report: &stage1::Report| matches!(report.ended, stage1::Ended::TimedOut { .. });
        self.outcome == Outcome::Inconclusive || self.verify.as_ref().is_some_and(is_killed)
    }
}

/// One judge's part in a check.
#[derive(Clone, Debug, Serialize)]
pub struct Opinion {
    /// `accept`, `reject` or `inconclusive`.
    pub outcome: &'static str,
    /// The things that it found missing, or why it is inconclusive.
    pub missing: Vec<String>,
    /// The part for the attestation.
    #[serde(flatten)]
    pub judged: JudgeRecord,
    /// How long it took.
    pub seconds: f64,
    /// Why it counts as the caller's choice, and how to make it the user's; `None` if it is the user's own choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<String>,
}
