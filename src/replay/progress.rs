//! What progress shows of a run that is one of many.

use std::time::Duration;

use crate::verify::watch::{Progress, Watch};

/// Shows the time of all runs instead of the command line and time of one run of it.
pub(super) struct RunsWatch<'w> {
    /// What runs: `gate 3 of 5, never-red`.
    pub(super) what: &'w str,
    /// The time before this run.
    pub(super) before: Duration,
    /// The time limit of all runs.
    pub(super) budget: Duration,
    /// Who watches.
    pub(super) watch: &'w dyn Watch,
}

impl RunsWatch<'_> {
    /// Reports the run that has taken so long.
    pub(super) fn show(&self, run: Duration) {
        let (seconds, limit) = ((self.before + run).as_secs(), Some(self.budget.as_secs()));
        self.watch.tick(&Progress { what: self.what, seconds, limit, next: None });
    }
}

impl Watch for RunsWatch<'_> {
    fn starting(&self, _line: &str) {}

    fn tick(&self, progress: &Progress<'_>) {
        self.show(Duration::from_secs(progress.seconds));
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }
}
