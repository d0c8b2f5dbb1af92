//! What a session's tools tell: whether files changed, whether it works on the plan, what plan the host keeps itself.

use super::event::{Tool, ToolKind};
use crate::store::Place;

/// Commands of ours that write.
const WRITING: [&str; 16] = [
    "approve", "archive", "clear", "complete", "draft", "goal", "import", "init", "log", "loop", "pause", "progress",
    "review", "rewind", "step", "undo",
];
/// Programs that only look; a call of another one may write.
const LOOKING: [&str; 22] = [
    "awk", "cat", "cd", "cut", "date", "diff", "du", "echo", "env", "find", "grep", "head", "ls", "nl", "pwd", "rg",
    "sort", "stat", "tail", "tree", "wc", "which",
];
/// Commands of git that only look.
const LOOKING_GIT: [&str; 8] = ["blame", "branch", "diff", "grep", "log", "ls-files", "show", "status"];

/// Whether a turn with these tools may have changed files.
pub(super) fn modify(tools: &[Tool]) -> bool {
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => true,
        ToolKind::Runs => !looks_only(&command(&tool.input)),
        ToolKind::Other => false,
    })
}

/// Whether one of these tools writes to the plan: an edit of the file, a command of ours, a tool of our server.
pub(super) fn write_plan(tools: &[Tool], place: &Place) -> bool {
    let file = place.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    tools.iter().any(|tool| match tool.kind {
        ToolKind::Edits => names(&tool.input, &file),
        ToolKind::Runs => calls_plan(&tool.input) || (names(&tool.input, &file) && !looks_only(&command(&tool.input))),
        ToolKind::Other => {
            let ours = tool.name.rsplit_once("plan_").is_some_and(|(_, verb)| WRITING.contains(&verb));
            ours && (tool.name.starts_with("mcp_") || tool.name.starts_with("plan_"))
        }
    })
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

/// Whether the host began, or ended, to drive the session by a goal of its own.
pub(super) fn goal_of_host(tools: &[Tool]) -> Option<bool> {
    tools.iter().rev().find_map(|tool| match tool.name.as_str() {
        "create_goal" => Some(true),
        "update_goal" => Some(false),
        _ => None,
    })
}

/// Whether the tool says that a goal of the host's own is complete.
pub(super) fn completes_goal(tool: &Tool) -> bool {
    #[derive(serde::Deserialize)]
    struct Input {
        status: String,
    }
    tool.name == "update_goal"
        && serde_json::from_str::<Input>(&tool.input).is_ok_and(|input| input.status == "complete")
}

/// `name` as a word of its own: not `my-plan.md`, not `plan.md.bak`.
fn names(input: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    input.match_indices(name).any(|(at, _)| {
        let mut after = input[at + name.len()..].chars();
        let follows = after.next().filter(|c| *c != '.').or_else(|| after.next());
        !input[..at].ends_with(|c: char| is_part(c) || c == '.') && !follows.is_some_and(is_part)
    })
}

/// A command of ours that writes, anywhere in a command line.
fn calls_plan(input: &str) -> bool {
    input.match_indices("plan ").any(|(at, _)| {
        let is_word = !input[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let verb = input[at + 5..].split(|c: char| !c.is_alphanumeric() && c != '-').find(|word| !word.is_empty());
        is_word && verb.is_some_and(|verb| WRITING.contains(&verb))
    })
}

/// The command line of a shell tool, by the name that the hosts give it.
fn command(input: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Input {
        #[serde(alias = "cmd")]
        command: String,
    }
    serde_json::from_str::<Input>(input).map(|input| input.command).unwrap_or_default()
}

/// True for a line of which every command is known to only look, and that redirects nothing.
fn looks_only(line: &str) -> bool {
    let commands = line.split(['|', ';', '&', '\n']).map(str::trim).filter(|command| !command.is_empty());
    !line.contains(['>', '`'])
        && !line.contains("$(")
        && !line.is_empty()
        && commands.into_iter().all(|command| {
            let mut words = command.split_whitespace();
            match words.next() {
                Some("git") => words.next().is_some_and(|word| LOOKING_GIT.contains(&word)),
                Some("plan") => !words.any(|word| WRITING.contains(&word)),
                Some("sed") => !words.any(|word| word.starts_with("-i") || word.starts_with("--in-place")),
                Some("find") => !words.any(|word| word.starts_with("-exec") || word == "-delete"),
                Some(word) => LOOKING.contains(&word),
                None => true,
            }
        })
}
