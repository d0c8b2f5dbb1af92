//! The changes that an `edit proposed` line names (`CONTRACT.md` §3.4).

use std::fmt;

use crate::plan::parse::is_id;

/// A change of the approved contract. A step is named by its number, else by `<goal-id>.<position>`; a goal by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposedEdit<'t> {
    /// `step 7 added to docs-1`
    StepAdded {
        /// The step.
        step: &'t str,
        /// Its goal.
        goal: &'t str,
    },
    /// `step 3 reworded`: another text, command or `after`.
    StepReworded {
        /// The step.
        step: &'t str,
    },
    /// `step 3 moved to docs-1`
    StepMoved {
        /// The step.
        step: &'t str,
        /// Its new goal.
        goal: &'t str,
    },
    /// `step 3 removed`
    StepRemoved {
        /// The step.
        step: &'t str,
    },
    /// `goal docs-1 added`
    GoalAdded {
        /// The goal.
        goal: &'t str,
    },
    /// `goal docs-1 removed`
    GoalRemoved {
        /// The goal.
        goal: &'t str,
    },
    /// `goal docs-1 amended (loosened: failure mode dropped)`
    GoalAmended {
        /// The goal.
        goal: &'t str,
        /// The amendment in words.
        what: &'t str,
    },
    /// `retry step 3`: the contract stays, the failed step is to become pending again.
    Retry {
        /// The step.
        step: &'t str,
    },
    /// `cancel docs-1`: the contract stays, the goal is to be cancelled.
    Cancel {
        /// The goal.
        goal: &'t str,
    },
}

impl<'t> ProposedEdit<'t> {
    /// True for a proposal that changes no digest: only its log line shows it.
    pub const fn is_by_line(self) -> bool {
        matches!(self, ProposedEdit::Retry { .. } | ProposedEdit::Cancel { .. })
    }

    /// Reads `step 7 added to docs-1 because <why>`.
    pub(super) fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let (kind, rest) = text.split_once(' ')?;
        let (edit, why) = match kind {
            "step" => {
                let (step, rest) = rest.split_once(' ')?;
                let (verb, rest) = rest.split_once(' ')?;
                match verb {
                    "added" => goal_of(rest.strip_prefix("to ")?)
                        .map(|(goal, rest)| (ProposedEdit::StepAdded { step, goal }, rest))?,
                    "moved" => goal_of(rest.strip_prefix("to ")?)
                        .map(|(goal, rest)| (ProposedEdit::StepMoved { step, goal }, rest))?,
                    "reworded" => (ProposedEdit::StepReworded { step }, rest),
                    "removed" => (ProposedEdit::StepRemoved { step }, rest),
                    _ => return None,
                }
            }
            "goal" => {
                let (goal, rest) = goal_of(rest)?;
                let (verb, rest) = rest.split_once(' ')?;
                match verb {
                    "added" => (ProposedEdit::GoalAdded { goal }, rest),
                    "removed" => (ProposedEdit::GoalRemoved { goal }, rest),
                    "amended" => {
                        let (what, rest) = rest.strip_prefix('(')?.split_once(") ")?;
                        (ProposedEdit::GoalAmended { goal, what }, rest)
                    }
                    _ => return None,
                }
            }
            "retry" => {
                let (step, rest) = rest.strip_prefix("step ")?.split_once(' ')?;
                (ProposedEdit::Retry { step }, rest)
            }
            "cancel" => goal_of(rest).map(|(goal, rest)| (ProposedEdit::Cancel { goal }, rest))?,
            _ => return None,
        };
        let why = why.strip_prefix("because ").filter(|why| !why.is_empty())?;
        edit.step().is_none_or(is_step_name).then_some((edit, why))
    }

    /// Returns the proposal as the subject of a sentence: `retry of step 3`, `cancellation of docs-1`; others as in their log line.
    pub fn as_noun(self) -> String {
        match self {
            ProposedEdit::Retry { step } => format!("retry of step {step}"),
            ProposedEdit::Cancel { goal } => format!("cancellation of {goal}"),
            other => other.to_string(),
        }
    }

    /// Returns the step, if the edit is about a step.
    pub const fn step(self) -> Option<&'t str> {
        match self {
            ProposedEdit::StepAdded { step, .. }
            | ProposedEdit::StepReworded { step }
            | ProposedEdit::StepMoved { step, .. }
            | ProposedEdit::StepRemoved { step }
            | ProposedEdit::Retry { step } => Some(step),
            _ => None,
        }
    }
}

/// Splits a text into a goal's id and the rest.
fn goal_of(text: &str) -> Option<(&str, &str)> {
    text.split_once(' ').filter(|(id, _)| is_id(id.as_bytes()))
}

impl fmt::Display for ProposedEdit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProposedEdit::StepAdded { step, goal } => write!(f, "step {step} added to {goal}"),
            ProposedEdit::StepReworded { step } => write!(f, "step {step} reworded"),
            ProposedEdit::StepMoved { step, goal } => write!(f, "step {step} moved to {goal}"),
            ProposedEdit::StepRemoved { step } => write!(f, "step {step} removed"),
            ProposedEdit::GoalAdded { goal } => write!(f, "goal {goal} added"),
            ProposedEdit::GoalRemoved { goal } => write!(f, "goal {goal} removed"),
            ProposedEdit::GoalAmended { goal, what } => write!(f, "goal {goal} amended ({what})"),
            ProposedEdit::Retry { step } => write!(f, "retry step {step}"),
            ProposedEdit::Cancel { goal } => write!(f, "cancel {goal}"),
        }
    }
}

/// `3`, `cache-layer-1.2`
pub(super) fn is_step_name(name: &str) -> bool {
    name.contains('.') || !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}
