//! What tool calls reveal about a session: did files change, does it work on the plan, does the host keep a plan of its own?

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{Tool, ToolKind};
use super::shell;
use crate::store::Place;

/// True if a turn with these tools may have changed files.
pub(super) fn modify(tools: &[Tool]) -> bool {
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => true,
        ToolKind::Runs => !shell::looks_only(&command(&tool.input)),
        ToolKind::Other => false,
    })
}

/// A tool's effect on files of the repository, as far as its call tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    /// None: it only read.
    #[default]
    None,
    /// Unknown: only the files can tell.
    Possible,
    /// It changed files or the plan.
    Sure,
}

/// Words in the names of tools that only read.
const LOOKING: [&str; 14] =
    ["ask", "fetch", "find", "get", "glob", "grep", "list", "ls", "query", "read", "search", "show", "todo", "view"];

/// The tool's effect.
pub(super) fn effect(tool: &Tool, place: &Place, folders: &[&Path]) -> Effect {
    let looks = |name: &str| {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.flat_map(humps).any(|word| LOOKING.contains(&&*word.to_ascii_lowercase()))
    };
    if write_plan(std::slice::from_ref(tool), place, folders) {
        return Effect::Sure;
    }
    match tool.kind {
        ToolKind::Edits if is_elsewhere(tool, place, folders) => Effect::None,
        ToolKind::Edits => Effect::Sure,
        ToolKind::Runs if shell::looks_only(&command(&tool.input)) => Effect::None,
        ToolKind::Other if looks(&tool.name) || verb_of_ours(&tool.name).is_some() => Effect::None,
        // It may have started an agent that wrote files; a tool of another server may have written too.
        ToolKind::Runs | ToolKind::Other => Effect::Possible,
    }
}

/// Splits `TodoWrite` into `Todo` and `Write`.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let starts = word.char_indices().filter(|(at, c)| *at > 0 && c.is_ascii_uppercase()).map(|(at, _)| at);
    let mut from = 0;
    starts.chain([word.len()]).map(move |to| &word[std::mem::replace(&mut from, to)..to])
}

/// True if an editing tool wrote only outside the repository.
fn is_elsewhere(tool: &Tool, place: &Place, folders: &[&Path]) -> bool {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let files = edited(&tool.input);
    let is_there = |path: &String| folders.first().is_some_and(|folder| !real(&folder.join(path)).starts_with(top));
    !files.is_empty() && files.iter().all(is_there)
}

/// The path with links resolved as far as it exists.
fn real(path: &Path) -> PathBuf {
    let resolved = |above: &Path| Some(above.canonicalize().ok()?.join(path.strip_prefix(above).ok()?));
    path.ancestors().find_map(resolved).unwrap_or_else(|| path.to_owned())
}

/// True if the tool showed the plan: through the file, a `plan` command, or a tool of our server.
pub(super) fn reads_plan(tool: &Tool, place: &Place, folders: &[&Path]) -> bool {
    match tool.kind {
        ToolKind::Edits => false,
        ToolKind::Runs => shell::reads_plan(&command(&tool.input), &names(place)),
        ToolKind::Other => {
            verb_of_ours(&tool.name).is_some_and(|verb| !shell::WRITING.contains(&verb))
                || edited(&tool.input).iter().any(|path| is_plan(path, place, folders))
        }
    }
}

/// True if one of these tools writes to the plan: an edit of the file, a `plan` command, or a tool of our server. `folders`: the
/// folders that a path may be relative to, the likeliest first.
pub(super) fn write_plan(tools: &[Tool], place: &Place, folders: &[&Path]) -> bool {
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => edits(tool, place, folders),
        ToolKind::Runs => shell::writes_plan(&command(&tool.input), &names(place)),
        ToolKind::Other => verb_of_ours(&tool.name).is_some_and(|verb| shell::WRITING.contains(&verb)),
    })
}

/// True if one of these tools may have created the plan: it wrote the whole file, or called a `plan` command that creates one.
pub(super) fn make_plan(tools: &[Tool], place: &Place, folders: &[&Path]) -> bool {
    const WHOLE: [&str; 3] = ["\"content\"", "\"file_text\"", "*** Add File: "];
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => WHOLE.iter().any(|mark| tool.input.contains(mark)) && edits(tool, place, folders),
        ToolKind::Runs => shell::makes_plan(&command(&tool.input), &names(place)),
        ToolKind::Other => false,
    })
}

/// The names that a line may use for the plan's file: its own, and that of a link to it.
fn names(place: &Place) -> Vec<String> {
    let names = [&place.file, &place.shown].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    names.map(String::from).to_vec()
}

/// The verb of a tool of our server, under any of the names that hosts give it.
fn verb_of_ours(name: &str) -> Option<&str> {
    const SERVER: [&str; 4] = ["", "plan_", "mcp_plan_", "mcp__plan__"];
    name.rsplit_once("plan_").filter(|(server, _)| SERVER.contains(server)).map(|(_, verb)| verb)
}

fn edits(tool: &Tool, place: &Place, folders: &[&Path]) -> bool {
    edited(&tool.input).iter().any(|path| is_plan(path, place, folders))
}

/// The files that a tool works on: the path in its input, else the files in the headers of a patch.
fn edited(input: &str) -> Vec<String> {
    const PATHS: [&str; 5] = ["file_path", "path", "filePath", "notebook_path", "absolute_path"];
    const HEADS: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    let named = |text: &str| -> Vec<String> {
        let heads = text.lines().filter_map(|line| HEADS.iter().find_map(|head| line.strip_prefix(head)));
        heads.map(|path| path.trim().to_owned()).collect()
    };
    match serde_json::from_str(input) {
        Ok(Value::Object(input)) => match PATHS.iter().find_map(|key| input.get(*key)?.as_str()) {
            Some(path) => vec![path.to_owned()],
            None => input.values().filter_map(Value::as_str).flat_map(named).collect(),
        },
        Ok(Value::String(patch)) => named(&patch),
        _ => Vec::new(),
    }
}

fn is_plan(path: &str, place: &Place, folders: &[&Path]) -> bool {
    folders.iter().find_map(|folder| folder.join(path).canonicalize().ok()).is_some_and(|path| path == place.file)
}

/// The name of the host's own plan, if one of these tools made it.
pub(super) fn plan_of_host(tools: &[Tool]) -> Option<&'static str> {
    tools.iter().find_map(|tool| match tool.name.as_str() {
        "ExitPlanMode" => Some("the plan that was just approved"),
        "update_plan" => Some("the list that `update_plan` keeps"),
        "create_goal" => Some("the goal that `create_goal` made"),
        _ => None,
    })
}

/// Whether the host began (true) or ended (false) to drive the session with a goal of its own. A paused or blocked goal still
/// counts.
pub(super) fn goal_of_host(tools: &[Tool]) -> Option<bool> {
    tools.iter().rev().find_map(|tool| match tool.name.as_str() {
        "create_goal" => Some(true),
        _ => completes_goal(tool).then_some(false),
    })
}

/// True if the tool says that the host's own goal is complete.
pub(super) fn completes_goal(tool: &Tool) -> bool {
    #[derive(Deserialize)]
    struct Input {
        status: String,
    }
    tool.name == "update_goal"
        && serde_json::from_str::<Input>(&tool.input).is_ok_and(|input| input.status == "complete")
}

/// The command line of a shell tool, under the names that hosts give it. For a tool with other input: all texts in it.
fn command(input: &str) -> String {
    fn texts(value: &Value, into: &mut String) {
        match value {
            Value::String(text) => into.extend([text, "\n"]),
            Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
            Value::Object(values) => values.values().for_each(|value| texts(value, into)),
            _ => {}
        }
    }
    let Ok(input) = serde_json::from_str::<Value>(input) else { return String::new() };
    match input.get("command").or_else(|| input.get("cmd")) {
        Some(Value::String(line)) => line.clone(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).map(crate::shell::quote).collect::<Vec<_>>().join(" ")
        }
        _ => {
            let mut line = String::new();
            texts(&input, &mut line);
            line
        }
    }
}
