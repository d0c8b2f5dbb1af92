//! The case of a judge: everything that a judge is told, as plain data.

use crate::plan::model::GoalRef;
use crate::process::run::Tail;
use crate::signoff::diff_stat::DiffStat;
use crate::signoff::verdict::Questions;
use crate::verify::check::FailureMode;

/// A goal that someone says is done, and what is known about it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The goal's id, or its subject where it has none.
    pub id: String,
    /// Its subject.
    pub subject: String,
    /// Its kind, as the word in the file.
    pub kind: &'static str,
    /// The globs it may change.
    pub may_change: Vec<String>,
    /// Its criteria, C1 first; the subject where it names none.
    pub criteria: Vec<String>,
    /// Its failure modes, F1 first.
    pub failure_modes: Vec<FailureMode>,
    /// What changed in the contract since it was approved or started.
    pub changes: Vec<String>,
    /// What the gate found.
    pub findings: Vec<String>,
    /// What the gate suspects, could not tell, or could not look at.
    pub leads: Vec<String>,
    /// The leads that are open, by their names: those among them that something would resolve.
    pub open: Vec<String>,
    /// Stage 1; nothing where the goal has no `verify`.
    pub verify: Option<VerifyResult>,
    /// What `--evidence` says.
    pub claims: Vec<String>,
    /// The files it is said to stand in, relative to the plan's root.
    pub paths: Vec<String>,
    /// What changed since the goal's start, for a person; none where no start is known, or no person is asked.
    pub diff: Option<DiffStat>,
}

/// Stage 1 as it ended.
#[derive(Clone, Debug)]
pub struct VerifyResult {
    /// The command line.
    pub command: String,
    /// How it ended: `exit 0`.
    pub end: String,
    /// How long it took.
    pub seconds: f64,
    /// The end of what it printed.
    pub tail: Tail,
}

impl Case {
    /// The case of a goal, with what its contract says and nothing more.
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

    /// What a judge has to answer.
    pub fn asked(&self) -> Questions {
        Questions { criteria: self.criteria.len(), failure_modes: self.failure_modes.len() }
    }

    /// For each failure mode whether its check passed.
    pub fn checks(&self) -> Vec<Option<bool>> {
        self.failure_modes.iter().map(|mode| mode.check.as_ref().map(|check| check.passed)).collect()
    }
}

impl VerifyResult {
    /// The tail as text, and the number of its first line in the whole output.
    pub fn shown(&self) -> (usize, String) {
        let text = self.tail.text().into_owned();
        let before = (self.tail.total_lines as usize).saturating_sub(text.lines().count());
        (before + 1, text)
    }
}
