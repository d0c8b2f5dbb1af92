//! The hooks of a client: its events in our words, our answers in its words.

use std::path::PathBuf;

use super::Variable;
use crate::session::{Answer, Event, Way};

/// What one client's hooks say and take.
pub trait Hooks: Sync {
    /// The event that a hook was called with. None for one that nothing is to be answered to: unknown, damaged, of no interest.
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<Event>;

    /// How the client is given an answer to `event`. None where it takes none at this moment.
    fn answer(&self, payload: &[u8], event: &Event, answer: &Answer) -> Option<Reply>;

    /// The same for any answer, [`Answer::With`] too.
    fn reply(&self, payload: &[u8], event: &Event, answer: &Answer) -> Option<Reply> {
        let Answer::With(main, line) = answer else { return self.answer(payload, event, answer) };
        let line = self.answer(payload, event, &Answer::Notice(line.clone()));
        match (self.answer(payload, event, main), line) {
            (Some(main), Some(line)) => Some(Reply { stdout: united(&main.stdout, &line.stdout) }),
            (main, line) => main.or(line),
        }
    }

    /// Which way text reaches the model.
    fn way(&self) -> Way;
}

/// What a hook's process answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Standard output, whole.
    pub stdout: String,
}

/// `cwd` of a payload, where it is one to start from.
pub(super) fn folder(path: Option<String>) -> Option<PathBuf> {
    path.map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Two JSON objects as one: they have no member in common.
fn united(one: &str, other: &str) -> String {
    match (one.strip_suffix('}'), other.strip_prefix('{')) {
        (Some(front), Some(rest)) => format!("{front},{rest}"),
        _ => one.to_owned(),
    }
}
