//! The moves that a goal and a step allow in guide mode. Contract mode is stricter: its rules (`CONTRACT.md` §3) apply in addition.
//!
//! ```text
//! pending ──► active ──► complete          pending ──► complete, failed, skipped too
//!               ├──────► failed            complete, failed, skipped ──► pending  by `retry`
//!               └──────► skipped
//! ```

use crate::error::{Error, Kind, Result};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Status};

use super::record::Standing;

/// A requested move of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalMove {
    /// `plan goal start`: also reopens.
    Start,
    /// `plan complete`.
    Complete,
    /// `plan goal cancel`.
    Cancel,
}

/// A requested move of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMove {
    /// `plan step start`
    Start,
    /// `plan step done`
    Done,
    /// `plan step fail`
    Fail,
    /// `plan step skip`
    Skip,
    /// `plan step retry`
    Retry,
}

impl StepMove {
    /// The verb of its command.
    pub const fn word(self) -> &'static str {
        match self {
            StepMove::Start => "start",
            StepMove::Done => "done",
            StepMove::Fail => "fail",
            StepMove::Skip => "skip",
            StepMove::Retry => "retry",
        }
    }

    /// The mark that the step has afterwards.
    pub const fn mark(self) -> Mark {
        match self {
            StepMove::Start => Mark::Active,
            StepMove::Done => Mark::Complete,
            StepMove::Fail => Mark::Failed,
            StepMove::Skip => Mark::Skipped,
            StepMove::Retry => Mark::Pending,
        }
    }
}

/// The refusal to change an archived goal.
pub fn not_changed(goal: GoalRef<'_, '_>) -> Error {
    let what = format!("`{}` is archived; archived goals are not changed", goal.name());
    Error::new(Kind::Refused, what).hint(bring_back(goal))
}

/// The hint that names the command to take a goal out of the archive.
pub fn bring_back(goal: GoalRef<'_, '_>) -> String {
    format!("`plan goal start {}` brings it back above the archive, and starts it", goal.typed())
}

/// Checks that a goal allows a move.
///
/// # Errors
///
/// [`Kind::Refused`], with the attempted move and the state of the goal.
pub fn check_goal_move(goal: GoalRef<'_, '_>, wanted: GoalMove, standing: Standing) -> Result<()> {
    let name = goal.name();
    let refused = |what: String| Err(Error::new(Kind::Refused, what));
    let reopen = |error: Error| error.hint(format!("`plan goal start {}` reopens it", goal.typed()));
    match (wanted, goal.status()) {
        (GoalMove::Start, _) | (GoalMove::Complete | GoalMove::Cancel, Status::Open | Status::Active) => Ok(()),
        (GoalMove::Complete | GoalMove::Cancel, Status::Done) if standing != Standing::SignedOff => Ok(()),
        (GoalMove::Complete, Status::Done) => refused(format!("goal `{name}` is already signed off")).map_err(reopen),
        (GoalMove::Complete, Status::Cancelled) => {
            refused(format!("goal `{name}` is cancelled: `complete` needs an open or active goal")).map_err(reopen)
        }
        (GoalMove::Cancel, status) => {
            refused(format!("goal `{name}` is {}: `cancel` needs an open or active goal", status.word()))
                .map_err(reopen)
        }
    }
}

/// Checks that a step allows a move in guide mode.
///
/// # Errors
///
/// [`Kind::Refused`], with the attempted move and the state of the step.
pub fn check_step_move(step: StepRef<'_, '_>, wanted: StepMove) -> Result<()> {
    let mark = step.raw().mark;
    let (allowed, expected) = match wanted {
        StepMove::Start => (mark == Mark::Pending, "a pending"),
        StepMove::Done | StepMove::Fail | StepMove::Skip => {
            (matches!(mark, Mark::Pending | Mark::Active), "a pending or active")
        }
        StepMove::Retry => (!matches!(mark, Mark::Pending | Mark::Active), "a complete, failed or skipped"),
    };
    if allowed {
        return Ok(());
    }
    let (name, word) = (step.name(), wanted.word());
    let error = Error::new(Kind::Refused, format!("step {name} is {}: `{word}` needs {expected} step", mark.word()));
    Err(match wanted {
        StepMove::Retry => error,
        _ if mark == Mark::Active => error.hint(format!("plan step done {name} \"outcome\"")),
        _ => error.hint(format!("`plan step retry {name} \"reason\"` makes it pending again")),
    })
}
