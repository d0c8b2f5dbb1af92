//! The result of a tool call: the command's output and exit status.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

use crate::error::Kind;

/// The maximum number of bytes of text in a result; longer text is cut, because a model's context is small.
const MOST_TEXT: usize = 60_000;

/// Returns the result of a command that ended with `code` and printed `text`.
///
/// A success is its text alone, because Claude Code (2.1.329) and Codex (0.169.0) show their model only the structured content if
/// there is any. For an error Codex also shows only the structured content, so that holds the exit status and the text.
pub(super) fn ended(code: u8, mut text: String) -> CallToolResult {
    text.truncate(text.trim_end().len());
    let text = cut(text);
    match code {
        0 if text.is_empty() => CallToolResult::success(vec![ContentBlock::text("done")]),
        0 => CallToolResult::success(vec![ContentBlock::text(text)]),
        code => {
            let structured = json!({ "exit": code, "text": text });
            let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            result
        }
    }
}

/// Returns the result of a call for which no command ran.
pub(super) fn failed(kind: Kind, message: &str) -> CallToolResult {
    ended(kind.code(), format!("error: {message}"))
}

fn cut(text: String) -> String {
    if text.len() <= MOST_TEXT {
        return text;
    }
    let kept = (0..=MOST_TEXT).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    format!("{kept}\n… {} more bytes; ask for one goal", text.len() - kept.len())
}
