//! The terminal watches what a check does.

use crate::signoff::watch::Watch;
use crate::ui::Ui;

impl Watch for Ui {
    fn starting(&self, line: &str) {
        self.note(&format!("$ {line}"));
    }

    fn tick(&self, what: &str, seconds: u64) {
        self.progress(what, seconds);
    }

    fn note(&self, text: &str) {
        Ui::note(self, text);
    }
}
