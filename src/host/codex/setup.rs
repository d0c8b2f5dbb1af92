//! Codex's settings, as 0.169.0 reads them. A person approves each hook by its content, and Codex switches a changed entry off
//! until it is approved again. So these entries must not change.

use std::path::{Path, PathBuf};

use super::{ENV_VARS, provider_keys};
use crate::host::Variable;
use crate::host::setup::{
    CallWords, Completion, Content, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo,
    each_folder, home, text,
};

pub(in crate::host) struct Codex;

const HOOK: CallWords = &["hook", "codex"];
/// Event, matcher, time limit in seconds. The client allows at most 3 s for a session's end and an interrupt.
const EVENTS: [(&str, &str, u32); 7] = [
    ("SessionStart", "", 20),
    ("UserPromptSubmit", "", 20),
    ("PreToolUse", "^update_goal$", 20),
    ("PostToolUse", "", 20),
    ("Stop", "", 300),
    ("Interrupt", "", 3),
    ("SessionEnd", "", 3),
];

/// The client silently ignores all hooks if the file has a comment, a trailing comma or a byte order mark.
const DIALECT: JsonDialect = JsonDialect { comments: false, trailing_commas: false, byte_order_mark: false };

impl Setup for Codex {
    fn adds(&self) -> &'static str {
        "Adds hooks to .codex/hooks.json and the MCP server to .codex/config.toml."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".codex".into()),
            SetupScope::User => home(variable, "CODEX_HOME", ".codex"),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, variable: Variable<'_>) -> Vec<Piece> {
        let command = text(&format!("{} hook codex", request.shell));
        let hook = |(event, matcher, seconds): (&'static str, &str, u32)| {
            let matcher = if matcher.is_empty() { String::new() } else { format!("\"matcher\":{},", text(matcher)) };
            let group = format!(
                "{{{matcher}\"hooks\":[{{\"type\":\"command\",\"command\":{command},\"timeout\":{seconds}}}]}}"
            );
            SettingsEntry::Hook { event, group, call: HOOK }
        };
        // A sign-off may take longer than the client's default limit for a tool.
        let mut table = format!("command = {}\nargs = [\"mcp\"]\ntool_timeout_sec = 1800\n", text(request.program));
        // A server gets almost no variables. Without the provider's key, a judge that the server starts has no key.
        let keys = provider_keys(variable);
        if !keys.is_empty() {
            table += &format!("{ENV_VARS} = [{}]\n", keys.iter().map(|key| text(key)).collect::<Vec<_>>().join(", "));
        }
        vec![
            Piece::json(folder.join("hooks.json"), DIALECT, EVENTS.map(hook).to_vec()),
            Piece::new(folder.join("config.toml"), Content::Table("mcp_servers.plan", table, &["mcp"])),
        ]
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let config = home(variable, "CODEX_HOME", ".codex").map(|folder| folder.join("config.toml"));
        let trusted = match config {
            Some(file) => Completion::Says {
                file,
                paths: each_folder(&["projects"], top, &["trust_level"]),
                values: &["\"trusted\""],
            },
            None => Completion::Unknown,
        };
        let trust = Todo {
            say: "trust the folder when Codex asks: it silently skips the hooks of an untrusted folder".into(),
            done: trusted,
        };
        let review = Todo {
            say: "review the hooks in Codex (`/hooks`): it silently skips hooks nobody has approved".into(),
            done: Completion::CodexTrusts(top.to_owned()),
        };
        if request.scope == SetupScope::Project { vec![trust, review] } else { vec![review] }
    }
}
