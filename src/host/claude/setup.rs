//! Claude Code's settings, as 2.1.329 and 2.1.197 read them. It uses only events that both versions know: an unknown event stops
//! the older client with a dialog.

use std::path::{Path, PathBuf};

use crate::host::Variable;
use crate::host::setup::{
    Allow, CallWords, Completion, Content, JsonDialect, Piece, SettingsEntry, Setup, SetupRequest, SetupScope, Todo,
    each_folder, home, mark, server, text,
};

pub(in crate::host) struct Claude;

const HOOK: CallWords = &["hook", "claude"];
/// Event and its time limit in seconds.
const EVENTS: [(&str, u32); 6] = [
    ("SessionStart", 20),
    ("UserPromptSubmit", 20),
    ("PostToolBatch", 20),
    ("PreCompact", 20),
    ("Stop", 300),
    ("SessionEnd", 5),
];

/// Commands that run nothing from the plan, unlike `complete`, `verify`, `goal start` and `step run`. The tool `plan_step` is
/// missing because it may run a step's command too, and a rule cannot tell its calls apart.
const HARMLESS: [&str; 12] = [
    "Bash(plan show *)", "Bash(plan next *)", "Bash(plan log *)", "Bash(plan step add *)", "Bash(plan step start *)",
    "Bash(plan step done *)", "Bash(plan progress *)", "Bash(plan pause *)", "mcp__plan__plan_show",
    "mcp__plan__plan_progress", "mcp__plan__plan_pause", "mcp__plan__plan_log",
];
/// Commands only for a person or for the host: an agent that calls a hook speaks in a person's name. `plan` refuses the first
/// two to an agent as well; the rule says so before anything runs.
const DENIED: [&str; 3] = ["Bash(plan approve*)", "Bash(plan rewind*)", "Bash(plan hook*)"];
const ALL: [&str; 2] = ["Bash(plan *)", "mcp__plan"];

/// The client ignores a whole file (hooks, permissions, servers) if it has a comment or a trailing comma.
const DIALECT: JsonDialect = JsonDialect { comments: false, trailing_commas: false, byte_order_mark: true };

impl Setup for Claude {
    fn adds(&self) -> &'static str {
        "Adds hooks to .claude/settings.json, the MCP server to .mcp.json, and a skill. \
         In user scope it also adds a status line, if you have none."
    }

    fn folder(&self, scope: SetupScope, variable: Variable<'_>) -> Option<PathBuf> {
        match scope {
            SetupScope::Project => Some(".claude".into()),
            SetupScope::User => home(variable, "CLAUDE_CONFIG_DIR", ".claude"),
        }
    }

    fn pieces(&self, request: &SetupRequest<'_>, folder: &Path, _: Variable<'_>) -> Vec<Piece> {
        let mut entries = EVENTS
            .map(|(event, seconds)| SettingsEntry::Hook { event, group: group(request, seconds), call: HOOK })
            .to_vec();
        let allowed = match request.allow {
            Allow::Harmless => HARMLESS.to_vec(),
            Allow::All => ALL.to_vec(),
            Allow::Either => [&HARMLESS[..], &ALL[..]].concat(),
        };
        entries.push(SettingsEntry::Texts { path: &["permissions"], name: "allow", texts: allowed });
        entries.push(SettingsEntry::Texts { path: &["permissions"], name: "deny", texts: DENIED.to_vec() });
        if request.scope == SetupScope::User {
            // Only in user scope: a project's status line would replace the line of every user.
            entries.push(SettingsEntry::Member {
                path: &[],
                name: "statusLine",
                value: format!(
                    "{{\"type\":\"command\",\"command\":{}}}",
                    text(&format!("{} show --line", request.shell))
                ),
                call: &["show", "--line"],
                yields: true,
            });
        }
        let mut pieces = vec![Piece::json(folder.join("settings.json"), DIALECT, entries)];
        if request.scope == SetupScope::Project {
            let entry = SettingsEntry::Member {
                path: &["mcpServers"],
                name: "plan",
                value: server(request.program, "\"type\":\"stdio\",", ""),
                call: &["mcp"],
                yields: false,
            };
            pieces.push(Piece::json(".mcp.json".into(), DIALECT, vec![entry]));
        }
        // Not named `plan`: `/plan` is the client's own command.
        let skill = format!(
            "---\nname: plan-md\ndescription: Work with plan.md through the `plan` command (steps, log, sign-off). Use when the repository has a plan.md or the context has a <plan> block.\n# {}\n---\n\n{}",
            mark("claude"),
            request.guide
        );
        pieces.push(Piece::new(folder.join("skills/plan-md/SKILL.md"), Content::Whole(skill)));
        pieces
    }

    fn follow_ups(&self, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<Todo> {
        let own = home(variable, "CLAUDE_CONFIG_DIR", "").map(|folder| folder.join(".claude.json"));
        let says = |paths: Vec<Vec<String>>, values| match &own {
            Some(file) => Completion::Says { file: file.clone(), paths, values },
            None => Completion::Unknown,
        };
        match request.scope {
            SetupScope::Project => vec![
                Todo {
                    say: "start `claude` at the top of the repository: from a subfolder it does not find the hooks, and the agent gets no \
                          plan. To install them for every folder: plan install claude --scope user"
                        .into(),
                    done: Completion::Standing,
                },
                Todo {
                    say: "trust the folder when Claude Code asks: until then it ignores the project's permissions".into(),
                    done: says(each_folder(&["projects"], top, &["hasTrustDialogAccepted"]), &["true"]),
                },
                Todo {
                    say: "approve the MCP server `plan` when Claude Code asks".into(),
                    done: says(each_folder(&["projects"], top, &["enabledMcpjsonServers"]), &["\"plan\""]),
                },
            ],
            SetupScope::User => vec![Todo {
                say: format!("add the MCP server: claude mcp add --scope user plan -- {} mcp", request.shell),
                done: says(vec![vec!["mcpServers".into(), "plan".into(), "args".into()]], &["\"mcp\""]),
            }],
        }
    }

    /// The client runs a command that is in both scopes only once.
    fn runs_twice(&self) -> bool {
        false
    }
}

/// Returns a group in the exec form, without a shell, which both versions accept.
fn group(request: &SetupRequest<'_>, seconds: u32) -> String {
    format!(
        "{{\"hooks\":[{{\"type\":\"command\",\"command\":{},\"args\":[\"hook\",\"claude\"],\"timeout\":{seconds}}}]}}",
        text(request.program)
    )
}
