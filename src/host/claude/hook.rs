//! Claude Code's hooks, as seen with 2.1.329 and 2.1.197.

use crate::host::hook::{Hooks, Reply, folder};
use crate::host::payload::{Payload, context, notice, refuse};
use crate::host::tool_call::ToolRole;
use crate::host::{Variable, value};
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent};

pub(super) const HOOKS: Claude = Claude;

pub(super) struct Claude;

impl Hooks for Claude {
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "SessionStart" => Moment::Start(payload.start()?),
            "UserPromptSubmit" => Moment::Prompt(payload.prompt.clone().filter(|text| is_of_a_person(text))?),
            "PreToolUse" => Moment::Before(payload.tool(role)?),
            "PostToolBatch" => Moment::After(payload.tools(role)),
            "PreCompact" => Moment::Compacting,
            "Stop" => Moment::Stop(payload.stop()),
            "SessionEnd" => Moment::End,
            _ => return None,
        };
        let project = folder(value(variable, "CLAUDE_PROJECT_DIR"));
        Some(SessionEvent { project, ..payload.event(moment)? })
    }

    fn answer(&self, _: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        let stdout = match (answer, &event.moment) {
            (HookAnswer::Context(text), Moment::Start(_)) => context("SessionStart", text),
            (HookAnswer::Context(text), Moment::Prompt(_)) => context("UserPromptSubmit", text),
            (HookAnswer::Context(text), Moment::After(_)) => context("PostToolBatch", &without_tags(text)),
            // The client appends the plain output to the instructions for the model that summarizes the conversation.
            (HookAnswer::Context(text), Moment::Compacting) => text.clone(),
            // `decision: block` would show the text to the model twice.
            (HookAnswer::Push(text), Moment::Stop(_)) => context("Stop", text),
            (HookAnswer::Deny(why), Moment::Before(_)) => refuse(why),
            (HookAnswer::Notice(text), _) => notice(text),
            _ => return None,
        };
        Some(Reply { stdout })
    }

    fn injection_mode(&self) -> InjectionMode {
        InjectionMode::Kept
    }
}

/// Removes the reminder tags, which the client would escape, because it wraps a hook's text in tags of its own.
fn without_tags(text: &str) -> String {
    text.replace("<system-reminder>\n", "").replace("\n</system-reminder>", "")
}

/// Returns true if a person wrote the prompt. The client sends itself a prompt when a background agent ends.
fn is_of_a_person(text: &str) -> bool {
    !text.starts_with("<task-notification>")
}

fn role(tool: &str) -> ToolRole {
    match tool {
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => ToolRole::Editor,
        "Bash" => ToolRole::Shell,
        "ExitPlanMode" => ToolRole::Plan("the plan that was just approved"),
        _ => ToolRole::Other,
    }
}
