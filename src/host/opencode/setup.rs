//! opencode's settings, as 1.18.33 reads them.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::pi::setup::extension;
use crate::host::setup::{
    Completion, Content, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo, home, mark, text,
};

pub(in crate::host) struct Opencode;

/// The package that the client installs if it is missing in a folder with a plugin.
const PACKAGE: &str = "node_modules/@opencode-ai/plugin";

impl Setup for Opencode {
    fn adds(&self) -> &'static str {
        "Adds a plugin and a command to .opencode, and the MCP server to opencode.json."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".opencode".into()),
            SetupScope::User => own(variable),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let entry = SettingsEntry::Member {
            path: &["mcp"],
            name: "plan",
            value: format!("{{\"type\":\"local\",\"command\":[{},\"mcp\"],\"enabled\":true}}", text(request.program)),
            call: &["mcp"],
            yields: false,
        };
        let beside =
            |name: &str| if request.scope == SetupScope::Project { PathBuf::from(name) } else { folder.join(name) };
        let command = format!(
            "---\ndescription: Work with plan.md\n# {}\n---\n\n{}\n$ARGUMENTS\n",
            mark("opencode"),
            request.guide
        );
        vec![
            Piece {
                file: beside("opencode.json"),
                or: Some(beside("opencode.jsonc")),
                content: Content::Json(vec![entry]),
                dialect: JsonDialect::ANY,
            },
            Piece::new(
                folder.join("plugin/plan.ts"),
                Content::Whole(extension(request, "opencode", crate::host::opencode::EXTENSION)),
            ),
            Piece::new(folder.join("command/plan.md"), Content::Whole(command)),
        ]
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let mut folders: Vec<PathBuf> = own(variable).into_iter().collect();
        if request.scope == SetupScope::Project {
            folders.push(top.join(".opencode"));
        }
        let todo = |folder: PathBuf| Todo {
            say: format!(
                "install opencode's plugin package while you are online, or every start waits for it: npm install --prefix {} @opencode-ai/plugin",
                folder.display()
            ),
            done: Completion::Exists(folder.join(PACKAGE)),
        };
        folders.into_iter().map(todo).collect()
    }
}

fn own(variable: Variable<'_>) -> Option<PathBuf> {
    home(variable, "XDG_CONFIG_HOME", ".config").map(|folder| folder.join("opencode"))
}
