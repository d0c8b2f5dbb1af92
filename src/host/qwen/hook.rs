//! Qwen Code's hooks, as seen with 0.24.4.

use serde_json::{Value, json};

use crate::host::hook::{Hooks, Reply, folder};
use crate::host::payload::{Payload, context, deny, notice};
use crate::host::tool_call::ToolRole;
use crate::host::{Variable, value};
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent};

pub(super) const HOOKS: Qwen = Qwen;

pub(super) struct Qwen;

impl Hooks for Qwen {
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "SessionStart" => Moment::Start(payload.start()?),
            "UserPromptSubmit" => match payload.prompt.as_deref()? {
                // An empty prompt comes before each request that carries the results of tools.
                "" => Moment::Turn,
                text => Moment::Prompt(text.to_owned()),
            },
            "PreToolUse" => Moment::Before(payload.tool(role)?),
            "PostToolUse" => Moment::After(vec![payload.tool(role)?]),
            "PostCompact" => Moment::Compacted,
            "Stop" => Moment::Stop(payload.stop()),
            "SessionEnd" => Moment::End,
            _ => return None,
        };
        let event = payload.event(moment)?;
        let is_subagent = event.is_subagent || value(variable, "QWEN_CODE_AGENT_ID").is_some();
        let project = folder(value(variable, "QWEN_PROJECT_DIR"));
        Some(SessionEvent { is_subagent, project, ..event })
    }

    fn answer(&self, _: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        let stdout = match (answer, &event.moment) {
            // Never at a start, where the text would end up in the system prompt.
            (HookAnswer::Context(text), Moment::Prompt(_)) => context("UserPromptSubmit", text),
            (HookAnswer::Context(text), Moment::After(_)) => context("PostToolUse", text),
            (HookAnswer::Push(text), Moment::Stop(_)) => {
                serde_json::json!({ "decision": "block", "reason": text }).to_string()
            }
            (HookAnswer::Deny(why), Moment::Before(_)) => deny(why),
            (HookAnswer::Notice(text), _) => notice(text),
            _ => return None,
        };
        Some(Reply { stdout })
    }

    fn injection_mode(&self) -> InjectionMode {
        InjectionMode::KeptLater
    }

    fn sample(&self) -> Value {
        json!({ "hook_event_name": "UserPromptSubmit", "prompt": "Go on." })
    }
}

fn role(tool: &str) -> ToolRole {
    match tool {
        "write_file" | "edit" | "replace" | "notebook_edit" => ToolRole::Editor,
        "run_shell_command" => ToolRole::Shell,
        "create_goal" => ToolRole::Goal("the goal that `create_goal` made"),
        "update_goal" => ToolRole::GoalStatus,
        _ => ToolRole::Other,
    }
}
