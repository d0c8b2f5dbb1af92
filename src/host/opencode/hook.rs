//! The messages of the opencode plugin (`plan.ts`): opencode 1.18.33's own names of hooks and events, in the form of the payload.

use serde_json::{Value, json};

use crate::host::Variable;
use crate::host::hook::{Hooks, Reply};
use crate::host::payload::{Payload, word};
use crate::host::tool_call::ToolRole;
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent};

pub(super) const HOOKS: Opencode = Opencode;

pub(super) struct Opencode;

impl Hooks for Opencode {
    fn event(&self, payload: &[u8], _: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "chat.message" => Moment::Prompt(payload.prompt.clone()?),
            "experimental.chat.messages.transform" => Moment::Request,
            "tool.execute.after" => Moment::After(vec![payload.tool(role)?]),
            "session.idle" => Moment::Stop(payload.stop()),
            "experimental.session.compacting" => Moment::Compacting,
            "session.compacted" => Moment::Compacted,
            // The plugin reports only one kind of error: a person pressed Esc.
            "session.error" => Moment::Interrupted,
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
        json!({ "hook_event_name": "experimental.chat.messages.transform" })
    }
}

fn role(tool: &str) -> ToolRole {
    match tool {
        "write" | "edit" | "multiedit" | "patch" | "apply_patch" => ToolRole::Editor,
        "bash" => ToolRole::Shell,
        _ => ToolRole::Other,
    }
}
