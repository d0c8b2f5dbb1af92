//! pi's settings, as 1.5.2 reads them.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::setup::{
    Completion, Content, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo, each_folder, home,
    mark, server, start_at_top, text,
};

pub(in crate::host) struct Pi;

/// The client reads no servers if the file has a comment or a trailing comma.
const DIALECT: JsonDialect = JsonDialect { comments: false, trailing_commas: false, byte_order_mark: true };

impl Setup for Pi {
    fn adds(&self) -> &'static str {
        "Adds an extension to .pi/extensions and the MCP server to .pi/mcp.json."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".pi".into()),
            SetupScope::User => home(variable, "PI_CODING_AGENT_DIR", ".pi/agent"),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let entry = SettingsEntry::Member {
            path: &["mcpServers"],
            name: "plan",
            // Without this, only scripts can call the tools.
            value: server(request.program, "", ",\"exposure\":\"direct\""),
            call: &["mcp"],
            yields: false,
        };
        vec![
            Piece::new(
                folder.join("extensions/plan.ts"),
                Content::Whole(extension(request, "pi", crate::host::pi::EXTENSION)),
            ),
            Piece::json(folder.join("mcp.json"), DIALECT, vec![entry]),
        ]
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let trust = home(variable, "PI_CODING_AGENT_DIR", ".pi/agent").map(|folder| folder.join("trust.json"));
        let done = match trust {
            Some(file) => Completion::Says { file, paths: each_folder(&[], top, &[]), values: &["true"] },
            None => Completion::Unknown,
        };
        let todo = Todo {
            say: "trust the folder when pi asks, or start it with `--approve`: it silently skips the extensions of an untrusted folder".into(),
            done,
        };
        if request.scope == SetupScope::Project { vec![start_at_top("pi"), todo] } else { Vec::new() }
    }
}

/// Returns an extension's source with the name of this program in it.
pub(in crate::host) fn extension(request: &SetupRequest<'_>, host: &str, source: &str) -> String {
    let named = source.replacen("const PLAN = \"plan\"", &format!("const PLAN = {}", text(request.program)), 1);
    format!("// {}\n{named}", mark(host))
}
