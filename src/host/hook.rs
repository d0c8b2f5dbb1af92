//! The hooks of a client: translates its events into our terms, and our answers into its terms.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::Variable;
use crate::session::{HookAnswer, InjectionMode, SessionEvent};

/// The hooks of one client.
pub trait Hooks: Sync {
    /// Reads the event of a hook's payload. `None` if it needs no answer: unknown, damaged, or not relevant.
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<SessionEvent>;

    /// Returns an answer to `event` in the client's form. `None` if the client takes no such answer at this moment.
    fn answer(&self, payload: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply>;

    /// Like `answer`, but also handles [`HookAnswer::With`].
    fn reply(&self, payload: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        let HookAnswer::With(main, line) = answer else { return self.answer(payload, event, answer) };
        let line = self.answer(payload, event, &HookAnswer::Notice(line.clone()));
        match (self.answer(payload, event, main), line) {
            (Some(main), Some(line)) => Some(Reply { stdout: united(&main.stdout, &line.stdout) }),
            (main, line) => main.or(line),
        }
    }

    /// Returns how injected text reaches the model.
    fn injection_mode(&self) -> InjectionMode;

    /// Returns a sample of the event at which the host gets the plan, as its client sends it.
    fn sample(&self) -> Value {
        json!({ "hook_event_name": "SessionStart", "source": "startup" })
    }
}

/// The output of a hook's process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The whole standard output.
    pub stdout: String,
}

/// Returns the `cwd` of a payload, if it is absolute.
pub(super) fn folder(path: Option<String>) -> Option<PathBuf> {
    path.map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Joins two JSON objects that have no member in common.
fn united(one: &str, other: &str) -> String {
    match (one.strip_suffix('}'), other.strip_prefix('{')) {
        (Some(front), Some(rest)) => format!("{front},{rest}"),
        _ => one.to_owned(),
    }
}
