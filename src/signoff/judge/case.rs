//! The case for a judge: everything that a judge gets to know, as plain data.

use crate::plan::model::GoalRef;
use crate::process::run::Tail;
use crate::signoff::diff_stat::DiffStat;
use crate::signoff::verdict::Questions;
use crate::verify::check::FailureMode;

/// A goal that someone says is done, and what is known about it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The goal's id, or its subject if it has no id.
    pub id: String,
    /// Its subject.
    pub subject: String,
    /// Its kind, as the word in the file.
    pub kind: &'static str,
    /// The globs it may change.
    pub may_change: Vec<String>,
    /// Its criteria, C1 first; the subject if it has none.
    pub criteria: Vec<String>,
    /// Its failure modes, F1 first.
    pub failure_modes: Vec<FailureMode>,
    /// The changes in the contract since it was approved or started.
    pub changes: Vec<String>,
    /// The findings of the gate that block.
    pub findings: Vec<String>,
    /// The leads and notes of the gate: what it suspects, could not decide, or could not look at.
    pub leads: Vec<String>,
    /// The names of the open leads: the part of `leads` that can be resolved.
    pub open: Vec<String>,
    /// Stage 1; `None` if the goal has no `verify`.
    pub verify: Option<VerifyResult>,
    /// The claims of `--evidence`.
    pub claims: Vec<String>,
    /// The evidence files, relative to the plan's root.
    pub paths: Vec<String>,
    /// The changes since the goal's start, for a person; `None` if no start is known, or no person is asked.
    pub diff: Option<DiffStat>,
}

/// The result of stage 1.
#[derive(Clone, Debug)]
pub struct VerifyResult {
    /// The command line.
    pub command: String,
    /// How it ended: `exit 0`.
    pub end: String,
    /// How long it took.
    pub seconds: f64,
    /// The end of its output.
    pub tail: Tail,
}

impl Case {
    /// Returns the case of a goal, with only the text of its contract.
    pub fn of(goal: GoalRef<'_, '_>) -> Self {
        let mut criteria: Vec<String> = goal.criteria().iter().map(|text| text.to_string()).collect();
        if criteria.is_empty() {
            criteria.push(goal.subject().to_owned());
        }
        let modes = goal.failure_modes().into_iter().map(|mode| FailureMode {
            text: mode.text.into_owned(),
            command: mode.check.map(|command| command.into_owned()),
            check: None,
        });
        Case {
            id: goal.name().to_owned(),
            subject: goal.subject().to_owned(),
            kind: goal.kind().word(),
            may_change: goal.may_change(),
            criteria,
            failure_modes: modes.collect(),
            ..Case::default()
        }
    }

    /// Returns the number of questions that a judge has to answer.
    pub fn asked(&self) -> Questions {
        Questions { criteria: self.criteria.len(), failure_modes: self.failure_modes.len() }
    }

    /// Returns for each failure mode whether its check passed; `None` without a check.
    pub fn checks(&self) -> Vec<Option<bool>> {
        self.failure_modes.iter().map(|mode| mode.check.as_ref().map(|check| check.passed)).collect()
    }
}

impl VerifyResult {
    /// Returns the number of the tail's first line in the whole output, and the tail as text.
    pub fn shown(&self) -> (usize, String) {
        let text = self.tail.text().into_owned();
        let before = (self.tail.total_lines as usize).saturating_sub(text.lines().count());
        (before + 1, text)
    }
}
