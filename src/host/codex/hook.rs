//! Codex's hooks, as seen with 0.169.0.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memmem;

use crate::disk::open_regular;
use crate::host::Variable;
use crate::host::hook::{Hooks, Reply};
use crate::host::payload::{Payload, context, notice, refuse};
use crate::host::tool_call::ToolRole;
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent, ToolKind};

pub(super) const HOOKS: Codex = Codex;

pub(super) struct Codex;

impl Hooks for Codex {
    fn event(&self, payload: &[u8], _: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let moment = match payload.hook_event_name.as_str() {
            "SessionStart" => Moment::Start(payload.start()?),
            "UserPromptSubmit" => Moment::Prompt(payload.prompt.clone()?),
            "PreToolUse" => Moment::Before(payload.tool(role)?),
            "PostToolUse" => Moment::After(vec![payload.tool(role)?]),
            "Stop" => Moment::Stop(payload.stop()),
            "Interrupt" => Moment::Interrupted,
            "SessionEnd" => Moment::End,
            _ => return None,
        };
        let turn = matches!(moment, Moment::After(_)).then(|| turn(&payload)).flatten();
        let event = SessionEvent { turn, ..payload.event(moment)? };
        // For a command, `cwd` is the folder that it ran in; the hook's process runs in the session's folder.
        let ran = matches!(&event.moment, Moment::After(tools) if tools.iter().any(|tool| matches!(tool.kind, ToolKind::Runs(_))));
        Some(SessionEvent { cwd: event.cwd.filter(|_| !ran), ..event })
    }

    fn answer(&self, _: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        let stdout = match (answer, &event.moment) {
            (HookAnswer::Context(text), Moment::Start(_)) => context("SessionStart", text),
            (HookAnswer::Context(text), Moment::Prompt(_)) => context("UserPromptSubmit", text),
            // Never `decision: block` here: the reason would replace the tool's output.
            (HookAnswer::Context(text), Moment::After(_)) => context("PostToolUse", text),
            (HookAnswer::Push(text), Moment::Stop(_)) => {
                serde_json::json!({ "decision": "block", "reason": text }).to_string()
            }
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

fn role(tool: &str) -> ToolRole {
    match tool {
        "apply_patch" => ToolRole::Editor,
        "Bash" => ToolRole::Shell,
        "update_plan" => ToolRole::Plan("the list that `update_plan` keeps"),
        "create_goal" => ToolRole::Goal("the goal that `create_goal` made"),
        "update_goal" => ToolRole::GoalStatus,
        _ => ToolRole::Other,
    }
}

/// How many bytes at the end of the conversation file are searched: first few, then more.
const TAIL: [u64; 2] = [64 << 10, 1 << 20];
/// The line that the client writes to that file after the tools of each request.
const BETWEEN: &[u8] = br#""type":"token_count""#;

/// Returns the turn that a tool ran in. One `turn_id` lasts from a user's message to the end of the work, perhaps for hours.
/// Within it, tools belong to the same request if there is no [`BETWEEN`] between them.
fn turn(payload: &Payload<'_>) -> Option<String> {
    let id = payload.turn_id.as_deref()?;
    let call = payload.tool_use_id.as_deref().unwrap_or_default();
    let request = payload.transcript_path.as_deref().and_then(|path| request(path, call));
    Some(request.map_or_else(|| id.to_owned(), |at| format!("{id}@{at}")))
}

/// Returns the place in the conversation file where the request of this call begins. `None` if the file does not show it.
fn request(path: &str, call: &str) -> Option<u64> {
    let mut file = open_regular(Path::new(path)).ok()?;
    let length = file.metadata().ok()?.len();
    TAIL.into_iter().find_map(|tail| {
        let from = length.saturating_sub(tail);
        file.seek(SeekFrom::Start(from)).ok()?;
        let mut text = Vec::new();
        file.by_ref().take(tail).read_to_end(&mut text).ok()?;
        let called = Some(call).filter(|call| !call.is_empty()).and_then(|call| memmem::find(&text, call.as_bytes()));
        let at = memmem::rfind(&text[..called.unwrap_or(text.len())], BETWEEN);
        at.map(|at| from + at as u64).or_else(|| (from == 0).then_some(0))
    })
}
