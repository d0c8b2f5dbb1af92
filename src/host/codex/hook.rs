//! Codex's hooks, as seen with 0.169.0.

use crate::host::Variable;
use crate::host::hook::{Hooks, Reply};
use crate::host::payload::{Payload, context, notice, refuse};
use crate::session::{Answer, Event, Moment, ToolKind, Way};

pub(super) const HOOKS: Codex = Codex;

pub(super) struct Codex;

impl Hooks for Codex {
    fn event(&self, payload: &[u8], _: Variable<'_>) -> Option<Event> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "SessionStart" => Moment::Start(payload.start()?),
            "UserPromptSubmit" => Moment::Prompt(payload.prompt.clone()?),
            "PreToolUse" => Moment::Before(payload.tool(kind)?),
            "PostToolUse" => Moment::After(vec![payload.tool(kind)?]),
            "Stop" => Moment::Stop(payload.stop()),
            "Interrupt" => Moment::Interrupted,
            "SessionEnd" => Moment::End,
            _ => return None,
        };
        let event = payload.event(moment)?;
        // That of a command is the folder that it ran in; the process stands in the session's.
        let ran = matches!(&event.moment, Moment::After(tools) if tools.iter().any(|tool| tool.kind == ToolKind::Runs));
        Some(Event { cwd: event.cwd.filter(|_| !ran), ..event })
    }

    fn answer(&self, _: &[u8], event: &Event, answer: &Answer) -> Option<Reply> {
        let stdout = match (answer, &event.moment) {
            (Answer::Context(text), Moment::Start(_)) => context("SessionStart", text),
            (Answer::Context(text), Moment::Prompt(_)) => context("UserPromptSubmit", text),
            // Never `decision: block` here: the reason would stand in place of the tool's output.
            (Answer::Context(text), Moment::After(_)) => context("PostToolUse", text),
            (Answer::Push(text), Moment::Stop(_)) => {
                serde_json::json!({ "decision": "block", "reason": text }).to_string()
            }
            (Answer::Deny(why), Moment::Before(_)) => refuse(why),
            (Answer::Notice(text), _) => notice(text),
            _ => return None,
        };
        Some(Reply { stdout })
    }

    fn way(&self) -> Way {
        Way::Kept
    }
}

fn kind(tool: &str) -> ToolKind {
    match tool {
        "apply_patch" => ToolKind::Edits,
        "Bash" => ToolKind::Runs,
        _ => ToolKind::Other,
    }
}
