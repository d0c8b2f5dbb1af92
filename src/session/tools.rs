//! What a session's tools tell: whether files changed, whether it works on the plan, what plan the host keeps itself.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{Tool, ToolKind};
use super::shell;
use crate::store::Place;

/// Whether a turn with these tools may have changed files.
pub(super) fn modify(tools: &[Tool]) -> bool {
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => true,
        ToolKind::Runs => !shell::looks_only(&command(&tool.input)),
        ToolKind::Other => false,
    })
}

/// What a tool did to files of the repository, as far as its call tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    /// Nothing: it only looked.
    #[default]
    None,
    /// Only the files tell.
    Possible,
    /// It changed some, or the plan.
    Sure,
}

/// Words in the names of tools that only look.
const LOOKING: [&str; 14] =
    ["ask", "fetch", "find", "get", "glob", "grep", "list", "ls", "query", "read", "search", "show", "todo", "view"];

/// What the tool did.
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
        // An agent that it started may have worked, a tool of another server too.
        ToolKind::Runs | ToolKind::Other => Effect::Possible,
    }
}

/// `TodoWrite` as `Todo`, `Write`.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let starts = word.char_indices().filter(|(at, c)| *at > 0 && c.is_ascii_uppercase()).map(|(at, _)| at);
    let mut from = 0;
    starts.chain([word.len()]).map(move |to| &word[std::mem::replace(&mut from, to)..to])
}

/// Whether an editing tool wrote outside the repository alone.
fn is_elsewhere(tool: &Tool, place: &Place, folders: &[&Path]) -> bool {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let files = edited(&tool.input);
    let is_there = |path: &String| folders.first().is_some_and(|folder| !real(&folder.join(path)).starts_with(top));
    !files.is_empty() && files.iter().all(is_there)
}

/// The path with the links resolved of as much of it as is there.
fn real(path: &Path) -> PathBuf {
    let resolved = |above: &Path| Some(above.canonicalize().ok()?.join(path.strip_prefix(above).ok()?));
    path.ancestors().find_map(resolved).unwrap_or_else(|| path.to_owned())
}

/// Whether the tool showed the plan: by the file, a command of ours, a tool of our server.
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

/// Whether one of these tools writes to the plan: an edit of the file, a command of ours, a tool of our server. `folders`: what
/// a path may be relative to, the likeliest first.
pub(super) fn write_plan(tools: &[Tool], place: &Place, folders: &[&Path]) -> bool {
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => edits(tool, place, folders),
        ToolKind::Runs => shell::writes_plan(&command(&tool.input), &names(place)),
        ToolKind::Other => verb_of_ours(&tool.name).is_some_and(|verb| shell::WRITING.contains(&verb)),
    })
}

/// Whether one of these tools may have made the plan: it wrote the whole of the file, or called a command of ours that makes one.
pub(super) fn make_plan(tools: &[Tool], place: &Place, folders: &[&Path]) -> bool {
    const WHOLE: [&str; 3] = ["\"content\"", "\"file_text\"", "*** Add File: "];
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => WHOLE.iter().any(|mark| tool.input.contains(mark)) && edits(tool, place, folders),
        ToolKind::Runs => shell::makes_plan(&command(&tool.input), &names(place)),
        ToolKind::Other => false,
    })
}

/// The plan's file by the names that a line may call it: where it is a link, the link's too.
fn names(place: &Place) -> Vec<String> {
    let names = [&place.file, &place.shown].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    names.map(String::from).to_vec()
}

/// The verb of a tool of our server, by the names that the hosts give it.
fn verb_of_ours(name: &str) -> Option<&str> {
    const SERVER: [&str; 4] = ["", "plan_", "mcp_plan_", "mcp__plan__"];
    name.rsplit_once("plan_").filter(|(server, _)| SERVER.contains(server)).map(|(_, verb)| verb)
}

fn edits(tool: &Tool, place: &Place, folders: &[&Path]) -> bool {
    edited(&tool.input).iter().any(|path| is_plan(path, place, folders))
}

/// The files that a tool is about: what its input calls a path, else what the heads of a patch name.
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

/// A plan that the host keeps itself was made: what it is called.
pub(super) fn plan_of_host(tools: &[Tool]) -> Option<&'static str> {
    tools.iter().find_map(|tool| match tool.name.as_str() {
        "ExitPlanMode" => Some("the plan that was just approved"),
        "update_plan" => Some("the list that `update_plan` keeps"),
        "create_goal" => Some("the goal that `create_goal` made"),
        _ => None,
    })
}

/// Whether the host began, or ended, to drive the session by a goal of its own. One that is paused or blocked is still the host's.
pub(super) fn goal_of_host(tools: &[Tool]) -> Option<bool> {
    tools.iter().rev().find_map(|tool| match tool.name.as_str() {
        "create_goal" => Some(true),
        _ => completes_goal(tool).then_some(false),
    })
}

/// Whether the tool says that a goal of the host's own is complete.
pub(super) fn completes_goal(tool: &Tool) -> bool {
    #[derive(Deserialize)]
    struct Input {
        status: String,
    }
    tool.name == "update_goal"
        && serde_json::from_str::<Input>(&tool.input).is_ok_and(|input| input.status == "complete")
}

/// The command line of a shell tool, by the name that the hosts give it; for a tool that takes something else, all that it says.
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
            words.iter().filter_map(Value::as_str).map(shell::quoted).collect::<Vec<_>>().join(" ")
        }
        _ => {
            let mut line = String::new();
            texts(&input, &mut line);
            line
        }
    }
}
