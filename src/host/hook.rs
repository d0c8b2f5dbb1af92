//! The hooks of a client: its events in our terms, our answers in its terms.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::Variable;
use crate::session::{Event, HookAnswer, InjectionMode};

/// The hooks of one client.
pub trait Hooks: Sync {
    /// The event of a hook's payload. None if it needs no answer: unknown, damaged, or of no interest.
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<Event>;

    /// The client's form of an answer to `event`. None if it takes no answer at this moment.
    fn answer(&self, payload: &[u8], event: &Event, answer: &HookAnswer) -> Option<Reply>;

    /// The same for any answer, [`HookAnswer::With`] too.
    fn reply(&self, payload: &[u8], event: &Event, answer: &HookAnswer) -> Option<Reply> {
        let HookAnswer::With(main, line) = answer else { return self.answer(payload, event, answer) };
        let line = self.answer(payload, event, &HookAnswer::Notice(line.clone()));
        match (self.answer(payload, event, main), line) {
            (Some(main), Some(line)) => Some(Reply { stdout: united(&main.stdout, &line.stdout) }),
            (main, line) => main.or(line),
        }
    }

    /// How injected text reaches the model.
    fn injection_mode(&self) -> InjectionMode;

    /// The event at which the host is given the plan, as its client sends it.
    fn sample(&self) -> Value {
        json!({ "hook_event_name": "SessionStart", "source": "startup" })
    }
}

/// The output of a hook's process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Standard output, whole.
    pub stdout: String,
}

/// `cwd` of a payload, if it is absolute.
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
