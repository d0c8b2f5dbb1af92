//! The result of a run of verify, and what stops the gate.

use crate::error::Error;

/// The result of a run of verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunOutcome {
    /// Every program exited 0.
    Green,
    /// A program did not exit 0: `exit 1: 2 failed`.
    Red(String),
    /// A program could not be started or loaded, and said so. This does not count as red.
    Unstartable(String),
    /// The run exceeded the time limit of verify.
    Slow(String),
}

/// Why the gate stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `gate_budget` is used up.
    Budget,
    /// An error outside verify, or Ctrl-C.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}
