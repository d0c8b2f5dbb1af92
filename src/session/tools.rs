//! Facts about a session from its tool calls: whether files changed, whether it works on the plan, whether the host has its own plan.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::event::{ToolCall, ToolKind};
use super::shell::{self, LineEffects};
use crate::store::Place;

/// A tool call, with the effects of its command line.
pub(super) struct CallEffects<'t> {
    tool: &'t ToolCall,
    /// No effects, if the call runs no command line.
    line: LineEffects,
}

impl<'t> CallEffects<'t> {
    /// Parses the command line of each call, once.
    pub(super) fn all(tools: &'t [ToolCall], place: &Place) -> Vec<Self> {
        let names = names(place);
        let line = |tool: &ToolCall| match &tool.kind {
            ToolKind::Runs(line) => shell::effects(line, &names),
            _ => LineEffects::default(),
        };
        tools.iter().map(|tool| CallEffects { tool, line: line(tool) }).collect()
    }
}

/// True if a turn with these tools may have changed files.
pub(super) fn modify(tools: &[CallEffects<'_>]) -> bool {
    tools.iter().any(|call| match &call.tool.kind {
        ToolKind::Edits { .. } => true,
        ToolKind::Runs(_) => !call.line.looks_only,
        _ => false,
    })
}

/// A tool's effect on files of the repository, as far as the call shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    /// The tool changed no files of the repository.
    #[default]
    None,
    /// Unknown from the call: the files' times decide.
    Possible,
    /// The tool changed files or the plan.
    Sure,
}

/// Returns the tool's effect.
pub(super) fn effect(call: &CallEffects<'_>, place: &Place, folders: &[&Path]) -> Effect {
    if write_plan(std::slice::from_ref(call), place, folders) {
        return Effect::Sure;
    }
    let tool = call.tool;
    match &tool.kind {
        ToolKind::Edits { .. } if is_elsewhere(tool, place, folders) => Effect::None,
        ToolKind::Edits { .. } => Effect::Sure,
        ToolKind::Runs(_) if call.line.looks_only => Effect::None,
        ToolKind::Reads | ToolKind::Ours(_) => Effect::None,
        // The tool may have started an agent that wrote files, or be a tool of another server that wrote files.
        _ => Effect::Possible,
    }
}

/// True if an editing tool wrote only outside the repository.
fn is_elsewhere(tool: &ToolCall, place: &Place, folders: &[&Path]) -> bool {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let is_there = |path: &String| folders.first().is_some_and(|folder| !real(&folder.join(path)).starts_with(top));
    !tool.paths.is_empty() && tool.paths.iter().all(is_there)
}

/// Resolves the links in the part of the path that exists.
fn real(path: &Path) -> PathBuf {
    let resolved = |above: &Path| Some(above.canonicalize().ok()?.join(path.strip_prefix(above).ok()?));
    path.ancestors().find_map(resolved).unwrap_or_else(|| path.to_owned())
}

/// True if the tool showed the plan: through the file, a `plan` command, or a tool of our server.
pub(super) fn reads_plan(call: &CallEffects<'_>, place: &Place, folders: &[&Path]) -> bool {
    match &call.tool.kind {
        ToolKind::Edits { .. } => false,
        ToolKind::Runs(_) => call.line.reads_plan,
        ToolKind::Ours(verb) if !shell::WRITING.contains(&verb.as_str()) => true,
        _ => names_plan(call.tool, place, folders),
    }
}

/// True if one of these tools writes to the plan: an edit of the file, a `plan` command, or a tool of our server. `folders` are the
/// folders that a path may be relative to, the likeliest first.
pub(super) fn write_plan(tools: &[CallEffects<'_>], place: &Place, folders: &[&Path]) -> bool {
    tools.iter().any(|call| match &call.tool.kind {
        ToolKind::Edits { .. } => names_plan(call.tool, place, folders),
        ToolKind::Runs(_) => call.line.writes_plan,
        ToolKind::Ours(verb) => shell::WRITING.contains(&verb.as_str()),
        _ => false,
    })
}

/// True if one of these tools may have created the plan: it wrote the whole file, or called a `plan` command that creates one.
pub(super) fn make_plan(tools: &[CallEffects<'_>], place: &Place, folders: &[&Path]) -> bool {
    tools.iter().any(|call| match &call.tool.kind {
        ToolKind::Edits { whole } => *whole && names_plan(call.tool, place, folders),
        ToolKind::Runs(_) => call.line.makes_plan,
        _ => false,
    })
}

/// Returns the names that a line may use for the plan's file: the file's own name, and the name of a link to it.
fn names(place: &Place) -> Vec<String> {
    let names = [&place.file, &place.shown].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    names.map(String::from).to_vec()
}

/// True if one of the files that the call names is the plan.
fn names_plan(tool: &ToolCall, place: &Place, folders: &[&Path]) -> bool {
    let file = |path: &String| folders.iter().find_map(|folder| folder.join(path).canonicalize().ok());
    tool.paths.iter().filter_map(file).any(|path| path == place.file)
}

/// Returns the name of the host's own plan or goal, if one of these tools keeps or creates one.
pub(super) fn plan_of_host(tools: &[ToolCall]) -> Option<&'static str> {
    tools.iter().find_map(|tool| match tool.kind {
        ToolKind::KeepsPlan(what) | ToolKind::BeginsGoal(what) => Some(what),
        _ => None,
    })
}

/// Returns true if the host began to drive the session with its own goal, false if it ended that, `None` if neither. A paused or
/// blocked goal still drives the session.
pub(super) fn goal_of_host(tools: &[ToolCall]) -> Option<bool> {
    tools.iter().rev().find_map(|tool| match tool.kind {
        ToolKind::BeginsGoal(_) => Some(true),
        ToolKind::EndsGoal => Some(false),
        _ => None,
    })
}
