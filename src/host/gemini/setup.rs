//! Gemini CLI's settings, as 0.61.0 reads them. Its times are in milliseconds.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::setup::{
    Allow, CallWords, Completion, Content, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo,
    each_folder, home, mark, server, start_at_top, text,
};

pub(in crate::host) struct Gemini;

const HOOK: CallWords = &["hook", "gemini"];
/// Event and its time limit in milliseconds.
const EVENTS: [(&str, u32); 6] = [
    ("SessionStart", 20_000),
    ("BeforeAgent", 20_000),
    ("BeforeModel", 20_000),
    ("AfterTool", 20_000),
    ("AfterAgent", 300_000),
    ("SessionEnd", 5_000),
];

/// The client does not start if the file has a trailing comma or a byte order mark.
const DIALECT: JsonDialect = JsonDialect { comments: true, trailing_commas: false, byte_order_mark: false };

impl Setup for Gemini {
    fn adds(&self) -> &'static str {
        "Adds hooks and the MCP server to .gemini/settings.json, and a command to .gemini/commands."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".gemini".into()),
            SetupScope::User => home(variable, "GEMINI_CLI_HOME", "").map(|home| home.join(".gemini")),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let mut entries = EVENTS
            .map(|(event, time)| SettingsEntry::Hook { event, group: group(request, "gemini", time), call: HOOK })
            .to_vec();
        entries.push(mcp(request));
        // Not named `plan`: `/plan` is the client's own command.
        let command = format!(
            "# {}\ndescription = \"Work with plan.md\"\nprompt = '''\n{}\n{{{{args}}}}\n'''\n",
            mark("gemini"),
            request.guide.replace("'''", "' ' '")
        );
        vec![
            Piece::json(folder.join("settings.json"), DIALECT, entries),
            Piece::new(folder.join("commands/plan-md.toml"), Content::Whole(command)),
        ]
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let own = home(variable, "GEMINI_CLI_HOME", "").map(|home| home.join(".gemini/trustedFolders.json"));
        let done = match own {
            Some(file) => Completion::Says { file, paths: each_folder(&[], top, &[]), values: &["\"TRUST_FOLDER\""] },
            None => Completion::Unknown,
        };
        let say = "trust the folder when Gemini CLI asks: in an untrusted folder it turns project hooks and all MCP servers off";
        let todo = Todo { say: say.into(), done };
        if request.scope == SetupScope::Project { vec![start_at_top("gemini"), todo] } else { Vec::new() }
    }
}

/// Returns a group of hooks in the form of Gemini CLI and its forks.
pub(in crate::host) fn group(request: &SetupRequest<'_>, host: &str, milliseconds: u32) -> String {
    format!(
        "{{\"hooks\":[{{\"type\":\"command\",\"name\":\"plan\",\"command\":{},\"timeout\":{milliseconds}}}]}}",
        text(&format!("{} hook {host}", request.shell))
    )
}

/// Returns the MCP server. `trust` lets the agent call its tools without asking, and `plan_complete` runs a verify.
pub(in crate::host) fn mcp(request: &SetupRequest<'_>) -> SettingsEntry {
    let trust = if request.allow == Allow::All { ",\"trust\":true" } else { "" };
    SettingsEntry::Member {
        path: &["mcpServers"],
        name: "plan",
        value: server(request.program, "", trust),
        call: &["mcp"],
        yields: false,
    }
}
