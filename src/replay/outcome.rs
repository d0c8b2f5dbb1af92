//! The result of a run of verify, the cost of several runs, and what stops them.

use serde::Serialize;

use crate::error::Error;

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

impl RunOutcome {
    pub(crate) fn is_red(&self) -> bool {
        matches!(self, RunOutcome::Red(_))
    }
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The time of all runs is used up.
    Budget,
    /// An error outside verify, or Ctrl-C.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// The cost of some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Runs of verify.
    pub runs: usize,
    /// To the millisecond.
    pub seconds: f64,
}

impl Spent {
    pub(crate) fn since(self, before: Spent) -> Spent {
        let seconds = self.seconds - before.seconds;
        Spent { runs: self.runs - before.runs, seconds: (seconds * 1000.0).round() / 1000.0 }
    }
}
