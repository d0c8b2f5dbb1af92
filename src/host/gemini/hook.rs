//! Gemini CLI's hooks, as seen with 0.61.0.

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::host::hook::{Hooks, Reply, folder};
use crate::host::payload::{Payload, context, deny, lenient, notice};
use crate::host::tool_call::ToolRole;
use crate::host::{Variable, value};
use crate::session::{HookAnswer, InjectionMode, Moment, SessionEvent, SessionStart};

pub(super) const HOOKS: Gemini = Gemini;

pub(super) struct Gemini;

/// The part of `llm_request` that is read.
#[derive(Deserialize)]
struct Request<'p> {
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(borrow)]
    messages: Vec<&'p RawValue>,
}

impl<'p> Request<'p> {
    fn of(payload: &Payload<'p>) -> Option<Self> {
        serde_json::from_str(payload.llm_request?.get()).ok()
    }
}

impl Hooks for Gemini {
    fn event(&self, payload: &[u8], variable: Variable<'_>) -> Option<SessionEvent> {
        let payload = Payload::read(payload)?;
        let mut model = None;
        let moment = match payload.hook_event_name.as_str() {
            "SessionStart" => Moment::Start(match payload.source.as_deref()? {
                "startup" => SessionStart::Fresh,
                "resume" => SessionStart::Resumed,
                "clear" => SessionStart::Cleared,
                _ => return None,
            }),
            "BeforeAgent" => Moment::Prompt(without_context(payload.prompt.as_deref()?).to_owned()),
            "BeforeModel" => {
                model = Request::of(&payload)?.model;
                Moment::Request
            }
            "BeforeTool" => Moment::Before(payload.tool(role)?),
            "AfterTool" => Moment::After(vec![payload.tool(role)?]),
            "AfterAgent" => Moment::Stop(payload.stop()),
            "SessionEnd" => Moment::End,
            // Also `PreCompress`: it comes before every request.
            _ => return None,
        };
        let event = payload.event(moment)?;
        let project = folder(value(variable, "GEMINI_PROJECT_DIR"));
        Some(SessionEvent { project, model: model.or(event.model), ..event })
    }

    fn answer(&self, payload: &[u8], event: &SessionEvent, answer: &HookAnswer) -> Option<Reply> {
        let stdout = match (answer, &event.moment) {
            (HookAnswer::Context(text), Moment::Request) => request_with(payload, text)?,
            // The client keeps this text and escapes `<` and `>` in it, so only texts that are given once go this way.
            (HookAnswer::Context(text), Moment::After(_)) => context("AfterTool", text),
            (HookAnswer::Push(text), Moment::Stop(_)) => deny(text),
            (HookAnswer::Deny(why), Moment::Before(_)) => deny(why),
            (HookAnswer::Notice(text), _) => notice(text),
            _ => return None,
        };
        Some(Reply { stdout })
    }

    fn injection_mode(&self) -> InjectionMode {
        InjectionMode::Transient
    }

    fn sample(&self) -> Value {
        json!({
            "hook_event_name": "BeforeModel",
            "llm_request": { "model": "gemini-2.5-pro", "messages": [{ "role": "user", "content": "Go on." }], "config": {} },
        })
    }
}

/// Returns the request's messages unchanged, with `text` as the last message, from the user.
fn request_with(payload: &[u8], text: &str) -> Option<String> {
    let payload = Payload::read(payload)?;
    let mut messages = Request::of(&payload)?.messages;
    let last = to_raw_value(&serde_json::json!({ "role": "user", "content": text })).ok()?;
    messages.push(&last);
    // Joined as text, so that a request of megabytes is not parsed into values.
    let messages = to_raw_value(&messages).ok()?;
    let head = r#"{"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":{"messages":"#;
    Some([head, messages.get(), "}}}"].concat())
}

/// Returns a prompt without the text that hooks put in front of it. Inside that text every `<` is escaped.
fn without_context(mut prompt: &str) -> &str {
    let inner = |text: &'_ str| {
        text.strip_prefix("<hook_context>")?.split_once("</hook_context>").map(|(_, rest)| rest.trim_start().len())
    };
    while let Some(left) = inner(prompt) {
        prompt = &prompt[prompt.len() - left..];
    }
    prompt
}

fn role(tool: &str) -> ToolRole {
    match tool {
        "write_file" | "replace" => ToolRole::Editor,
        "run_shell_command" => ToolRole::Shell,
        _ => ToolRole::Other,
    }
}
