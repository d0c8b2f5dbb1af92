//! The result of a check, for people and for `--json`.

use serde::Serialize;

use crate::gate::full::RowRun;
use crate::gate::{Finding, Level};
use crate::plan::model::Key;
use crate::replay::Spent;
use crate::signoff::record::JudgeRecord;
use crate::verify::check::Check;
use crate::verify::stage1;

/// How a check ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Signed off.
    Accepted,
    /// The goal stays as it was, and what is missing is known.
    #[default]
    Rejected,
    /// It could not be told.
    Inconclusive,
}

/// What a check did, for people and for `--json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// The goal's id.
    pub goal: String,
    /// Its subject.
    pub subject: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Why, in one line; empty where it was accepted.
    pub reason: String,
    /// What a judge missed.
    pub missing: Vec<String>,
    /// Stage 1; none where the goal has no verify.
    pub verify: Option<stage1::Report>,
    /// What came of the checks of its failure modes.
    pub checks: Vec<Check>,
    /// How much of the gate ran.
    pub gate: String,
    /// What the runs of verify took that it added.
    pub gate_spent: Spent,
    /// Rows of the gate that its budget did not reach.
    pub not_reached: Vec<String>,
    /// The rows of the gate that ran verify again, with what came of each.
    pub rows: Vec<RowRun>,
    /// What the gate found.
    pub findings: Vec<Finding>,
    /// The judges that were asked.
    pub judges: Vec<Opinion>,
    /// The goal contract's digest.
    pub contract: String,
    /// How the contract was changed since the goal's start, as the log says it.
    pub changes: Vec<String>,
    /// The tree, 12 digits; `none` without a repository; empty where it was not looked at.
    pub tree: String,
    /// The commit.
    pub at: String,
    /// The line that was written to the log; none where the same stood there already.
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
    /// The first finding that stands in the way.
    pub fn block(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.level == Level::Block)
    }

    /// Whether something that was found stands in the way.
    pub fn is_blocked(&self) -> bool {
        self.block().is_some()
    }

    /// Whether a longer time limit may end the check otherwise.
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
    /// What it misses, or why nothing can be told.
    pub missing: Vec<String>,
    /// What goes into the attestation.
    #[serde(flatten)]
    pub judged: JudgeRecord,
    /// How long it took.
    pub seconds: f64,
    /// Why it counts as its caller's, and what makes it the user's; none where it is the user's own choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<String>,
}
