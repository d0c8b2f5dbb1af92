//! The payload that most hosts send to their hooks, in the form that Claude Code introduced.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::hook::{Reply, folder};
use super::tool_call::{ToolRole, tool_call};
use crate::session::{HookAnswer, Moment, SessionEvent, SessionStart, Stop, ToolCall};

/// Every field except the event's name is optional, because versions differ. A field that is missing or has another type is `None`.
#[derive(Deserialize)]
pub(super) struct Payload<'p> {
    pub(super) hook_event_name: String,
    #[serde(default, deserialize_with = "lenient")]
    session_id: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    cwd: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) transcript_path: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) turn_id: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(borrow)]
    agent_id: Option<&'p RawValue>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) source: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) prompt: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) prompt_response: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    tool_name: Option<String>,
    #[serde(borrow)]
    tool_input: Option<&'p RawValue>,
    #[serde(borrow)]
    tool_response: Option<&'p RawValue>,
    #[serde(borrow, default, deserialize_with = "lenient")]
    tool_calls: Option<Vec<&'p RawValue>>,
    #[serde(default, deserialize_with = "lenient")]
    stop_hook_active: Option<bool>,
    #[serde(default, deserialize_with = "lenient")]
    last_assistant_message: Option<String>,
    #[serde(borrow, default, deserialize_with = "lenient")]
    background_tasks: Option<Vec<&'p RawValue>>,
    #[serde(borrow)]
    pub(super) llm_request: Option<&'p RawValue>,
}

/// One tool call of a batch.
#[derive(Deserialize)]
struct Call<'p> {
    tool_name: String,
    #[serde(borrow)]
    tool_input: Option<&'p RawValue>,
    #[serde(borrow)]
    tool_response: Option<&'p RawValue>,
}

impl<'p> Payload<'p> {
    /// Parses a payload; `None` if the bytes are not such a payload.
    pub(super) fn read(bytes: &'p [u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Returns the event at `moment`. `None` without a session: its state could not be kept.
    pub(super) fn event(self, moment: Moment) -> Option<SessionEvent> {
        let session = self.session_id.filter(|id| !id.is_empty())?;
        Some(SessionEvent {
            session,
            cwd: folder(self.cwd),
            project: None,
            model: self.model.filter(|model| !model.is_empty()),
            transcript: self.transcript_path.map(PathBuf::from),
            turn: None,
            is_subagent: self.agent_id.is_some_and(|id| id.get() != r#""""#),
            moment,
        })
    }

    /// Returns the reason why the session starts, in the terms of Claude Code, Codex and Qwen Code.
    pub(super) fn start(&self) -> Option<SessionStart> {
        Some(match self.source.as_deref()? {
            "startup" => SessionStart::Fresh,
            "resume" => SessionStart::Resumed,
            "clear" => SessionStart::Cleared,
            "compact" => SessionStart::Compacted,
            _ => return None,
        })
    }

    /// Returns the one tool call of the event.
    pub(super) fn tool(&self, role: fn(&str) -> ToolRole) -> Option<ToolCall> {
        let name = self.tool_name.as_deref()?;
        Some(tool_call(name, role(name), self.tool_input, self.tool_response))
    }

    /// Returns the tool calls of a batch.
    pub(super) fn tools(&self, role: fn(&str) -> ToolRole) -> Vec<ToolCall> {
        let calls =
            self.tool_calls.iter().flatten().filter_map(|call| serde_json::from_str::<Call<'_>>(call.get()).ok());
        calls
            .map(|call| tool_call(&call.tool_name, role(&call.tool_name), call.tool_input, call.tool_response))
            .collect()
    }

    /// Returns how the turn ended.
    pub(super) fn stop(&self) -> Stop {
        Stop {
            reply: self.last_assistant_message.clone().or_else(|| self.prompt_response.clone()).unwrap_or_default(),
            is_again: self.stop_hook_active.unwrap_or_default(),
            is_busy: self.background_tasks.iter().flatten().any(|task| is_under_way(task)),
        }
    }
}

/// Returns true if background work is still running. An unknown status counts as running.
fn is_under_way(task: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Task {
        status: String,
    }
    let status = serde_json::from_str::<Task>(task.get()).map(|task| task.status).unwrap_or_default();
    !matches!(status.as_str(), "completed" | "failed" | "killed" | "stopped" | "cancelled")
}

/// Reads a value, or `None` if it has another type: one odd field must not cost the event.
pub(super) fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    <&RawValue>::deserialize(from).map(|value| serde_json::from_str(value.get()).ok())
}

/// Replaces lone surrogates (`\ud83d`) with U+FFFD. `JSON.stringify` writes them for a text that was cut in the middle of a
/// character, and no other reader accepts them.
pub fn mend(json: &mut [u8]) {
    let half = |json: &[u8], at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while at < json.len() {
        at += match (json[at], half(json, at)) {
            (b'\\', Some(0xd800..0xdc00)) if matches!(half(json, at + 6), Some(0xdc00..0xe000)) => 12,
            (b'\\', Some(0xd800..0xe000)) => {
                json[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (b'\\', _) => 2,
            _ => 1,
        }
    }
}

/// Returns `{"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}`.
pub(super) fn context(event: &str, text: &str) -> String {
    let value = serde_json::json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } });
    // Written directly into bytes: a formatter would take twice as long.
    serde_json::to_string(&value).unwrap_or_default()
}

/// Returns a line that the client shows only to the user.
pub(super) fn notice(text: &str) -> String {
    serde_json::json!({ "systemMessage": text }).to_string()
}

/// Denies an event: a tool must not run, or a turn must not end.
pub(super) fn deny(why: &str) -> String {
    serde_json::json!({ "decision": "deny", "reason": why }).to_string()
}

/// Denies a tool, in the terms of Claude Code and Codex.
pub(super) fn refuse(why: &str) -> String {
    serde_json::json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": why
    } })
    .to_string()
}

/// Returns the answer to our own extensions, in hosts without hook processes: one word and its text.
pub(super) fn word(event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
    let said = match (answer, &event.moment) {
        (HookAnswer::Context(text), Moment::Request | Moment::Compacting) => serde_json::json!({ "context": text }),
        (HookAnswer::Push(text), Moment::Stop(_)) => serde_json::json!({ "push": text }),
        (HookAnswer::Notice(text), _) => serde_json::json!({ "notice": text }),
        _ => return None,
    };
    Some(Reply { stdout: said.to_string() })
}
