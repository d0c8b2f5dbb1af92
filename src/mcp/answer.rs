//! What a client is answered: the words of the command as text, its document and exit status as structured content.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::process::own::Ended;

/// More text than this is cut: a model's context is small.
const MOST_TEXT: usize = 60_000;
/// The exit status of a call that was wrong (`CLI.md`, exit codes).
const WRONG: u8 = 2;

/// The answer to a command that ended; `said` is what it printed for people.
pub(super) fn ended(ended: &Ended, said: &str) -> CallToolResult {
    let mut document = serde_json::from_slice::<Value>(&ended.stdout).ok().filter(Value::is_object);
    let text = match (said.trim_end(), &mut document) {
        ("", Some(Value::Object(fields))) => {
            fields.remove("version");
            cut(&Value::from(fields.clone()).to_string())
        }
        (said, _) => cut(said),
    };
    let mut structured = document.filter(|_| ended.stdout.len() <= MOST_TEXT).unwrap_or_else(|| json!({}));
    structured["exit"] = ended.code.into();
    result(ended.code, text, structured)
}

/// The answer to a call that was wrong before any command ran.
pub(super) fn refused(message: &str) -> CallToolResult {
    let error = json!({ "kind": "input", "message": message, "hints": [] });
    result(WRONG, format!("error: {message}"), json!({ "exit": WRONG, "error": error }))
}

fn result(code: u8, text: String, structured: Value) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if code == 0 { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = Some(structured);
    result
}

fn cut(text: &str) -> String {
    match text.len() <= MOST_TEXT {
        true => text.to_owned(),
        false => {
            let kept = (0..=MOST_TEXT).rev().find_map(|end| text.get(..end)).unwrap_or_default();
            format!("{kept}\n… {} more bytes; ask for one goal", text.len() - kept.len())
        }
    }
}
