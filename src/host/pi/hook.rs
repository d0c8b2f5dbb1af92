//! The messages of the pi extension (`plan.ts`): pi 1.5.2's own names of events, in the form of the payload.

use serde_json::{Value, json};

use crate::host::Variable;
use crate::host::hook::{Hooks, Reply};
use crate::host::payload::{Payload, word};
use crate::host::tool_call::ToolRole;
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent, SessionStart};

pub(super) const HOOKS: Pi = Pi;

pub(super) struct Pi;

impl Hooks for Pi {
    fn event(&self, payload: &[u8], _: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "session_start" => Moment::Start(match payload.source.as_deref()? {
                "startup" => SessionStart::Fresh,
                "new" => SessionStart::Cleared,
                "resume" | "fork" | "reload" => SessionStart::Resumed,
                _ => return None,
            }),
            "input" => Moment::Prompt(payload.prompt.clone()?),
            "context" => Moment::Request,
            "turn_end" => Moment::After(payload.tools(role)),
            "agent_before_settle" => Moment::Stop(payload.stop()),
            "session_before_compact" => Moment::Compacting,
            "session_compact" => Moment::Compacted,
            "session_shutdown" => Moment::End,
            _ => return None,
        };
        payload.event(moment)
    }

    fn answer(&self, _: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        word(event, answer)
    }

    fn injection_mode(&self) -> InjectionMode {
        InjectionMode::Transient
    }

    fn sample(&self) -> Value {
        json!({ "hook_event_name": "context" })
    }
}

fn role(tool: &str) -> ToolRole {
    match tool {
        "write" | "edit" => ToolRole::Editor,
        "bash" | "powershell" | "codemode" => ToolRole::Shell,
        _ => ToolRole::Other,
    }
}
