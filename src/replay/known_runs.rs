//! The results of the layouts that have run already, so that these need not run again.

use std::collections::HashMap;

use super::outcome::RunOutcome;
use crate::repo::ObjectId;

/// The maximum number of bytes to keep of a run's output.
const KEPT: usize = 256 << 10;

/// Each layout that ran, with its result and output.
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

    /// Returns the run's output, or the beginning of a long output.
    pub(super) fn output(&self, layout: ObjectId) -> Option<&str> {
        self.0.get(&layout).map(|(_, output)| output.as_str())
    }

    /// Forgets all results, because the layouts run differently from here on.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}
