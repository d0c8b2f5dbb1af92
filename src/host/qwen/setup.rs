//! Qwen Code's settings, as 0.24.4 reads them: the files of Gemini CLI, the events of Claude Code.

use std::path::{Path, PathBuf};

use super::gemini::{group, mcp};
use super::{Call, Content, Done, Entry, Piece, Scope, Setup, Todo, Wanted, home};
use crate::host::Variable;

pub(super) struct Qwen;

const HOOK: Call = &["hook", "qwen"];
/// Event, milliseconds.
const EVENTS: [(&str, u32); 5] = [
    ("SessionStart", 20_000),
    ("UserPromptSubmit", 20_000),
    ("PostToolUse", 20_000),
    ("PostCompact", 20_000),
    ("Stop", 300_000),
];

impl Setup for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn folder(&self, scope: Scope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            Scope::Project => Some(".qwen".into()),
            Scope::User => home(variable, "QWEN_HOME", ".qwen"),
        }
    }

    fn pieces(&self, wanted: &Wanted<'_>, folder: &Path) -> Vec<Piece> {
        let mut entries =
            EVENTS.map(|(event, time)| Entry::Hook { event, group: group(wanted, "qwen", time), call: HOOK }).to_vec();
        entries.push(mcp(wanted));
        vec![Piece::new(folder.join("settings.json"), Content::Json(entries))]
    }

    fn left(&self, wanted: &Wanted<'_>, _: &Path, _: Variable<'_>) -> Vec<Todo> {
        let todo = Todo { say: "approve the MCP server: qwen mcp approve plan".into(), done: Done::Unknown };
        if wanted.scope == Scope::Project { vec![todo] } else { Vec::new() }
    }
}
