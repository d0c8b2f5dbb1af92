//! Translates a client's tool call into our terms: what the tool does, which files it names, which command line it runs.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::session::review::run_shown;
use crate::session::{ToolCall, ToolKind};

/// The purpose of a tool; each client's file derives it from the tool's name.
#[derive(Clone, Copy)]
pub(super) enum ToolRole {
    /// It writes files.
    Editor,
    /// It runs a command line.
    Shell,
    /// It keeps the client's own plan; the text is how messages name that plan.
    Plan(&'static str),
    /// It creates the client's own goal, which then drives the session; the text is how messages name that goal.
    Goal(&'static str),
    /// It sets the status of that goal.
    GoalStatus,
    /// Anything else.
    Other,
}

/// Words in the names of tools that only read.
const LOOKING: [&str; 14] =
    ["ask", "fetch", "find", "get", "glob", "grep", "list", "ls", "query", "read", "search", "show", "todo", "view"];

/// Translates one call of a tool.
pub(super) fn tool_call(name: &str, role: ToolRole, input: Option<&RawValue>, output: Option<&RawValue>) -> ToolCall {
    let input: Value = input.and_then(|input| serde_json::from_str(input.get()).ok()).unwrap_or_default();
    let files = Files::of(&input);
    let kind = match role {
        ToolRole::Editor => ToolKind::Edits { whole: files.whole },
        ToolRole::Shell => ToolKind::Runs(command(&input)),
        ToolRole::Plan(what) => ToolKind::KeepsPlan(what),
        ToolRole::Goal(what) => ToolKind::BeginsGoal(what),
        ToolRole::GoalStatus if input.get("status").is_some_and(|status| status == "complete") => ToolKind::EndsGoal,
        ToolRole::GoalStatus | ToolRole::Other => match verb_of_ours(name) {
            Some(verb) => ToolKind::Ours(verb.to_owned()),
            None if looks(name) => ToolKind::Reads,
            None => ToolKind::Other,
        },
    };
    let review = output.and_then(|output| run_shown(output.get())).map(str::to_owned);
    ToolCall { kind, paths: files.paths, review }
}

fn looks(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.flat_map(humps).any(|word| LOOKING.contains(&&*word.to_ascii_lowercase()))
}

/// Splits `FindFiles` into `Find` and `Files`.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let starts = word.char_indices().filter(|(at, c)| *at > 0 && c.is_ascii_uppercase()).map(|(at, _)| at);
    let mut from = 0;
    starts.chain([word.len()]).map(move |to| &word[std::mem::replace(&mut from, to)..to])
}

/// Returns the verb of a tool of our MCP server, under any of the names that clients give it.
fn verb_of_ours(name: &str) -> Option<&str> {
    const SERVER: [&str; 4] = ["", "plan_", "mcp_plan_", "mcp__plan__"];
    name.rsplit_once("plan_").filter(|(server, _)| SERVER.contains(server)).map(|(_, verb)| verb)
}

/// The files that a call names.
#[derive(Default)]
struct Files {
    paths: Vec<String>,
    /// True if the call holds the whole text of a file.
    whole: bool,
}

impl Files {
    /// Returns the path in the input, under the names that clients give it; else the files in the headers of a patch.
    fn of(input: &Value) -> Files {
        const PATHS: [&str; 5] = ["file_path", "path", "filePath", "notebook_path", "absolute_path"];
        const TEXTS: [&str; 2] = ["content", "file_text"];
        let mut files = Files::default();
        match input {
            Value::Object(input) => {
                files.whole = TEXTS.iter().any(|key| input.contains_key(*key));
                match PATHS.iter().find_map(|key| input.get(*key)?.as_str()) {
                    Some(path) => files.paths.push(path.to_owned()),
                    None => input.values().filter_map(Value::as_str).for_each(|text| files.add_patch(text)),
                }
            }
            Value::String(patch) => files.add_patch(patch),
            _ => {}
        }
        files
    }

    fn add_patch(&mut self, text: &str) {
        const ADDED: &str = "*** Add File: ";
        const HEADS: [&str; 4] = [ADDED, "*** Update File: ", "*** Delete File: ", "*** Move to: "];
        for line in text.lines().filter(|line| line.starts_with("*** ")) {
            self.whole |= line.starts_with(ADDED);
            let path = HEADS.iter().find_map(|head| line.strip_prefix(head));
            self.paths.extend(path.map(|path| path.trim().to_owned()));
        }
    }
}

/// Returns the command line of a shell tool, under the names that clients give it. For other input: all texts in it.
fn command(input: &Value) -> String {
    fn texts(value: &Value, into: &mut String) {
        match value {
            Value::String(text) => into.extend([text, "\n"]),
            Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
            Value::Object(values) => values.values().for_each(|value| texts(value, into)),
            _ => {}
        }
    }
    match input.get("command").or_else(|| input.get("cmd")) {
        Some(Value::String(line)) => line.clone(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).map(crate::shell::quote).collect::<Vec<_>>().join(" ")
        }
        _ => {
            let mut line = String::new();
            texts(input, &mut line);
            line
        }
    }
}
