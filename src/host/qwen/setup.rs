//! Qwen Code's settings, as 0.24.4 reads them: files as in Gemini CLI, events as in Claude Code.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::gemini::setup::{group, mcp};
use crate::host::setup::{
    CallWords, Completion, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo, each_folder, home,
    start_at_top,
};

pub(in crate::host) struct Qwen;

const HOOK: CallWords = &["hook", "qwen"];
/// Event and its time limit in milliseconds.
const EVENTS: [(&str, u32); 5] = [
    ("SessionStart", 20_000),
    ("UserPromptSubmit", 20_000),
    ("PostToolUse", 20_000),
    ("PostCompact", 20_000),
    ("Stop", 300_000),
];

/// The client starts without any settings if the file has a trailing comma.
const DIALECT: JsonDialect = JsonDialect { trailing_commas: false, ..JsonDialect::ANY };

impl Setup for Qwen {
    fn adds(&self) -> &'static str {
        "Adds hooks and the MCP server to .qwen/settings.json."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".qwen".into()),
            SetupScope::User => home(variable, "QWEN_HOME", ".qwen"),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let mut entries = EVENTS
            .map(|(event, time)| SettingsEntry::Hook { event, group: group(request, "qwen", time), call: HOOK })
            .to_vec();
        entries.push(mcp(request));
        vec![Piece::json(folder.join("settings.json"), DIALECT, entries)]
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let done = match home(variable, "QWEN_HOME", ".qwen").map(|folder| folder.join("mcpApprovals.json")) {
            Some(file) => {
                Completion::Says { file, paths: each_folder(&[], top, &["plan", "status"]), values: &["\"approved\""] }
            }
            None => Completion::Unknown,
        };
        let todo = Todo { say: "approve the MCP server: qwen mcp approve plan".into(), done };
        if request.scope == SetupScope::Project { vec![start_at_top("qwen"), todo] } else { Vec::new() }
    }
}
