//! Gemini CLI's settings, as 0.61.0 reads them. Its times are milliseconds.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::setup::{
    Allow, Call, Content, Done, Entry, JsonDialect, Piece, Scope, Setup, Todo, Wanted, each_folder, home, mark, server,
    start_at_top, text,
};

pub(in crate::host) struct Gemini;

const HOOK: Call = &["hook", "gemini"];
/// Event, milliseconds.
const EVENTS: [(&str, u32); 6] = [
    ("SessionStart", 20_000),
    ("BeforeAgent", 20_000),
    ("BeforeModel", 20_000),
    ("AfterTool", 20_000),
    ("AfterAgent", 300_000),
    ("SessionEnd", 5_000),
];

/// With a trailing comma or a byte order mark in it, the client does not start.
const DIALECT: JsonDialect = JsonDialect { comments: true, trailing_commas: false, byte_order_mark: false };

impl Setup for Gemini {
    fn folder(&self, scope: Scope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            Scope::Project => Some(".gemini".into()),
            Scope::User => home(variable, "GEMINI_CLI_HOME", "").map(|home| home.join(".gemini")),
        }
    }

    fn pieces(&self, wanted: &Wanted<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let mut entries = EVENTS
            .map(|(event, time)| Entry::Hook { event, group: group(wanted, "gemini", time), call: HOOK })
            .to_vec();
        entries.push(mcp(wanted));
        // Not `plan`: `/plan` is the client's own.
        let command = format!(
            "# {}\ndescription = \"Work with plan.md\"\nprompt = '''\n{}\n{{{{args}}}}\n'''\n",
            mark("gemini"),
            wanted.guide.replace("'''", "' ' '")
        );
        vec![
            Piece::json(folder.join("settings.json"), DIALECT, entries),
            Piece::new(folder.join("commands/plan-md.toml"), Content::Whole(command)),
        ]
    }

    fn left(&self, wanted: &Wanted<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let own = home(variable, "GEMINI_CLI_HOME", "").map(|home| home.join(".gemini/trustedFolders.json"));
        let done = match own {
            Some(file) => Done::Says { file, paths: each_folder(&[], top, &[]), values: &["\"TRUST_FOLDER\""] },
            None => Done::Unknown,
        };
        let say =
            "trust the folder when Gemini CLI asks: in any other, hooks of the project and all MCP servers are off";
        let todo = Todo { say: say.into(), done };
        if wanted.scope == Scope::Project { vec![start_at_top("gemini"), todo] } else { Vec::new() }
    }
}

/// A group of hooks, as Gemini CLI and its kin have them.
pub(in crate::host) fn group(wanted: &Wanted<'_>, host: &str, milliseconds: u32) -> String {
    format!(
        "{{\"hooks\":[{{\"type\":\"command\",\"name\":\"plan\",\"command\":{},\"timeout\":{milliseconds}}}]}}",
        text(&format!("{} hook {host}", wanted.shell))
    )
}

/// The MCP server. `trust` has its tools called unasked, and `plan_complete` runs a verify.
pub(in crate::host) fn mcp(wanted: &Wanted<'_>) -> Entry {
    let trust = if wanted.allow == Allow::All { ",\"trust\":true" } else { "" };
    Entry::Member {
        path: &["mcpServers"],
        name: "plan",
        value: server(wanted.program, "", trust),
        call: &["mcp"],
        yields: false,
    }
}
