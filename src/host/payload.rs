//! The payload that most hosts give their hooks: the shape that Claude Code began with.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::hook::{Reply, folder};
use crate::session::{Answer, Event, Moment, Stop, Tool, ToolKind};

/// Every field is optional: versions differ, and what is missing is not needed.
#[derive(Deserialize)]
pub(super) struct Payload<'p> {
    pub(super) hook_event_name: String,
    session_id: Option<String>,
    cwd: Option<String>,
    transcript_path: Option<String>,
    model: Option<String>,
    agent_id: Option<String>,
    pub(super) source: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) prompt_response: Option<String>,
    tool_name: Option<String>,
    #[serde(borrow)]
    tool_input: Option<&'p RawValue>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Vec<Call<'p>>,
    stop_hook_active: Option<bool>,
    last_assistant_message: Option<String>,
    #[serde(borrow, default)]
    background_tasks: Vec<&'p RawValue>,
    #[serde(borrow)]
    pub(super) llm_request: Option<&'p RawValue>,
}

/// One tool of a batch.
#[derive(Deserialize)]
pub(super) struct Call<'p> {
    tool_name: String,
    #[serde(borrow)]
    tool_input: Option<&'p RawValue>,
}

impl<'p> Payload<'p> {
    /// None for what is no such payload.
    pub(super) fn read(bytes: &'p [u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The event around `moment`. None without a session: there is nothing to remember it by.
    pub(super) fn event(self, moment: Moment) -> Option<Event> {
        let session = self.session_id.filter(|id| !id.is_empty())?;
        Some(Event {
            session,
            cwd: folder(self.cwd),
            project: None,
            model: self.model.filter(|model| !model.is_empty()),
            transcript: self.transcript_path.map(PathBuf::from),
            is_subagent: self.agent_id.is_some_and(|id| !id.is_empty()),
            moment,
        })
    }

    /// The one tool of the event.
    pub(super) fn tool(&self, kind: fn(&str) -> ToolKind) -> Option<Tool> {
        Some(tool(self.tool_name.as_deref()?, self.tool_input, kind))
    }

    /// The tools of a batch.
    pub(super) fn tools(&self, kind: fn(&str) -> ToolKind) -> Vec<Tool> {
        self.tool_calls.iter().map(|call| tool(&call.tool_name, call.tool_input, kind)).collect()
    }

    /// How the turn ended.
    pub(super) fn stop(&self) -> Stop {
        Stop {
            reply: self.last_assistant_message.clone().or_else(|| self.prompt_response.clone()).unwrap_or_default(),
            is_again: self.stop_hook_active.unwrap_or_default(),
            is_busy: !self.background_tasks.is_empty(),
        }
    }
}

fn tool(name: &str, input: Option<&RawValue>, kind: fn(&str) -> ToolKind) -> Tool {
    let input = input.map(|input| input.get().to_owned()).unwrap_or_default();
    Tool { name: name.to_owned(), kind: kind(name), input }
}

/// `{"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}`
pub(super) fn context(event: &str, text: &str) -> String {
    serde_json::json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } }).to_string()
}

/// A line that the client shows to the person alone.
pub(super) fn notice(text: &str) -> String {
    serde_json::json!({ "systemMessage": text }).to_string()
}

/// What happened is not to be: a tool not to run, a turn not to end.
pub(super) fn deny(why: &str) -> String {
    serde_json::json!({ "decision": "deny", "reason": why }).to_string()
}

/// What our own extensions are answered, of hosts that have no hook processes: one word and its text.
pub(super) fn word(event: &Event, answer: &Answer) -> Option<Reply> {
    let said = match (answer, &event.moment) {
        (Answer::Context(text), Moment::Request) => serde_json::json!({ "context": text }),
        (Answer::Push(text), Moment::Stop(_)) => serde_json::json!({ "push": text }),
        (Answer::Notice(text), _) => serde_json::json!({ "notice": text }),
        _ => return None,
    };
    Some(Reply { stdout: said.to_string() })
}
