//! The runs whose layouts need not run again.

use std::collections::HashMap;

use super::outcome::RunOutcome;
use crate::repo::ObjectId;

/// How much of the output of a run is kept, in bytes.
const KEPT: usize = 256 << 10;

/// Each layout that ran, with the result and what was printed.
#[derive(Default)]
pub(super) struct KnownRuns(HashMap<ObjectId, (RunOutcome, String)>);

impl KnownRuns {
    pub(super) fn keep(&mut self, layout: ObjectId, outcome: RunOutcome, mut output: String) {
        output.truncate((0..=KEPT.min(output.len())).rev().find(|at| output.is_char_boundary(*at)).unwrap_or(0));
        self.0.insert(layout, (outcome, output));
    }

    pub(super) fn outcome(&self, layout: ObjectId) -> Option<RunOutcome> {
        self.0.get(&layout).map(|(outcome, _)| outcome.clone())
    }

    /// What the run printed, or the beginning of a long output.
    pub(super) fn output(&self, layout: ObjectId) -> Option<&str> {
        self.0.get(&layout).map(|(_, output)| output.as_str())
    }

    /// The layouts run otherwise from here on.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}
