//! What a run of verify came to, and what ends the gate.

use crate::error::Error;

/// What a run of verify came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunOutcome {
    /// Every program exited 0.
    Green,
    /// One did not: `exit 1: 2 failed`.
    Red(String),
    /// It could not be started or loaded, and said so: no red.
    Unstartable(String),
    /// It took longer than verify may take.
    Slow(String),
}

/// Why the gate goes no further.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `gate_budget` is used up.
    Budget,
    /// Something else than verify failed, or Ctrl-C.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}
