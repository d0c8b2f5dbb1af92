//! Shows a check's progress in the terminal.

use crate::ui::Ui;
use crate::verify::watch::{Progress, Watch};

impl Watch for Ui {
    fn starting(&self, line: &str) {
        self.note(&format!("$ {line}"));
    }

    fn tick(&self, progress: &Progress<'_>) {
        let Progress { what, seconds, limit, next } = *progress;
        self.progress(what, seconds, limit, next);
    }

    fn note(&self, text: &str) {
        Ui::note(self, text);
    }
}
