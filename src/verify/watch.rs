//! The progress of a check while it runs. This module prints nothing itself.

/// Receives the progress of a check: the terminal, or [`NoProgress`].
pub trait Watch {
    /// A program is about to be started; `line` is its argv as a user would type it.
    fn starting(&self, line: &str);

    /// Called about once a second while something runs.
    fn tick(&self, progress: &Progress<'_>);

    /// A remark, in one line.
    fn note(&self, text: &str);
}

/// The progress of a check.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// The running stage: a command line, `gate 3 of 5, never-red`, `judge claude`.
    pub what: &'p str,
    /// How many seconds it has taken.
    pub seconds: u64,
    /// The time limit in seconds.
    pub limit: Option<u64>,
    /// The next stage, if there is one.
    pub next: Option<&'p str>,
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Watch for NoProgress {
    fn starting(&self, _line: &str) {}
    fn tick(&self, _progress: &Progress<'_>) {}
    fn note(&self, _text: &str) {}
}

/// Adds the next stage to the progress of one stage.
#[derive(Clone, Copy)]
pub struct NextStageWatch<'w> {
    /// The watch that receives it.
    pub watch: &'w dyn Watch,
    /// The stage after this one.
    pub next: Option<&'w str>,
}

impl Watch for NextStageWatch<'_> {
    fn starting(&self, line: &str) {
        self.watch.starting(line);
    }

    fn tick(&self, progress: &Progress<'_>) {
        self.watch.tick(&Progress { next: progress.next.or(self.next), ..*progress });
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }
}
