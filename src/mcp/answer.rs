//! What a client is answered: the words of the command as text, its document and exit status as structured content.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::process::own::Ended;

/// More text than this is cut: a model's context is small.
const MOST_TEXT: usize = 60_000;
/// The exit status of a call that was wrong (`CLI.md`, exit codes).
const WRONG: u8 = 2;

/// The answer to a command that ended; `said` is what it printed for people on stderr.
pub(super) fn ended(ended: &Ended, said: &str) -> CallToolResult {
    let Ok(Value::Object(mut document)) = serde_json::from_slice(&ended.stdout) else {
        return in_words(ended.code, cut(format!("{said}{}", String::from_utf8_lossy(&ended.stdout)).trim_end()));
    };
    document.remove("version");
    let text = match said.trim_end() {
        "" => Value::from(document.clone()).to_string(),
        said => said.to_owned(),
    };
    if ended.stdout.len() > MOST_TEXT {
        document.clear();
    }
    document.insert("exit".to_owned(), ended.code.into());
    result(ended.code, cut(&text), Some(document.into()))
}

/// Text alone. Some clients show their model nothing but the structured content where there is some, so it has the text
/// too where it has to be there for the exit status.
fn in_words(code: u8, text: String) -> CallToolResult {
    let structured = (code != 0).then(|| json!({ "exit": code, "text": text }));
    result(code, text, structured)
}

/// The answer to a call that was wrong before any command ran.
pub(super) fn refused(message: &str) -> CallToolResult {
    let error = json!({ "kind": "input", "message": message, "hints": [] });
    result(WRONG, format!("error: {message}"), Some(json!({ "exit": WRONG, "error": error })))
}

fn result(code: u8, text: String, structured: Option<Value>) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if code == 0 { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = structured;
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
