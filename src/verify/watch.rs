//! What a check reports while it runs. This room prints nothing itself.

/// Somebody who watches a check: the terminal, or [`NoProgress`].
pub trait Watch {
    /// A program is about to be started; `line` is its argv as a person would type it.
    fn starting(&self, line: &str);

    /// Called about once a second while something runs.
    fn tick(&self, progress: &Progress<'_>);

    /// A remark, in one line.
    fn note(&self, text: &str);
}

/// How far a check is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// What runs: a command line, `gate 3 of 5, never-red`, `judge claude`.
    pub what: &'p str,
    /// How many seconds it has taken.
    pub seconds: u64,
    /// After how many seconds it is ended.
    pub limit: Option<u64>,
    /// What comes after it, where something does.
    pub next: Option<&'p str>,
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Watch for NoProgress {
    fn starting(&self, _line: &str) {}
    fn tick(&self, _progress: &Progress<'_>) {}
    fn note(&self, _text: &str) {}
}

/// Adds what comes next to the progress of one stage.
#[derive(Clone, Copy)]
pub struct NextStageWatch<'w> {
    /// Who watches.
    pub watch: &'w dyn Watch,
    /// What comes after this stage.
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
