//! Rows about other tools: which tool owns plan.md, which tools rewrite it, and which tools keep the agent at work?

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::{Context, DoctorResult, Fault};
use crate::shell::quote;
use crate::store::{self, Place};

/// The maximum number of bytes that are read from another tool's file.
const LARGEST: u64 = 64 << 10;

pub(super) fn plan_of_another_tool(context: &Context<'_>) -> DoctorResult {
    if context.plan.is_none() {
        return DoctorResult::Absent;
    }
    let other = context.other_plan();
    DoctorResult::of(other.map(|other| Fault::new(other.describe(), other.command)))
}

pub(super) fn driver(context: &Context<'_>) -> DoctorResult {
    let Some(place) = context.any_place() else { return DoctorResult::Absent };
    let top = place.top.as_deref().unwrap_or(&place.root);
    DoctorResult::Seen([ralph(top), planning_with_files(top)].into_iter().flatten().collect())
}

pub(super) fn formatter(context: &Context<'_>) -> DoctorResult {
    let Some(place) = context.place() else { return DoctorResult::Absent };
    DoctorResult::of(
        unformatted(place, context.cwd).map(|command| Fault::new("prettier would rewrite plan.md", command)),
    )
}

/// Returns the command that keeps prettier away from plan.md, if the repository uses prettier and nothing keeps it away yet.
pub fn unformatted(place: &Place, cwd: &Path) -> Option<String> {
    const SETTINGS: [&str; 11] = [
        ".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.js", ".prettierrc.cjs",
        ".prettierrc.mjs", ".prettierrc.toml", "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs",
    ];
    let top = place.top.as_deref().unwrap_or(&place.root);
    let is_used = SETTINGS.iter().any(|name| top.join(name).is_file())
        || read(&top.join("package.json")).is_some_and(|text| text.contains("\"prettier\""));
    let path = place.file.strip_prefix(top).ok()?.to_str()?;
    let ignored = read(&top.join(".prettierignore")).unwrap_or_default();
    let name = place.file.file_name()?.to_str()?;
    let keeps = |line: &str| {
        let line = line.trim();
        [path, name, "*.md", "**/*.md", "*"].contains(&line.strip_prefix('/').unwrap_or(line))
    };
    if !is_used || ignored.lines().any(keeps) {
        return None;
    }
    let file = top.join(".prettierignore");
    let shown = quote(&file.strip_prefix(cwd).unwrap_or(&file).to_string_lossy());
    let is_whole = ignored.is_empty() || ignored.ends_with('\n');
    let line = if is_whole { format!("echo {}", quote(path)) } else { format!("printf '\\n%s\\n' {}", quote(path)) };
    Some(format!("{line} >> {shown}"))
}

/// Looks for the loop of Claude Code's plugin `ralph-wiggum`: its stop hook drives the agent while this file is there
/// and counts its turns, whatever its line `active:` says (`hooks/stop-hook.sh` of the plugin).
fn ralph(top: &Path) -> Option<Fault> {
    const STATE: &str = ".claude/ralph-loop.local.md";
    let text = read(&top.join(STATE))?;
    let turn = |line: &str| Some(line.strip_prefix("iteration:")?.trim().parse::<u64>().is_ok());
    let is_driving = text.lines().take(20).find_map(turn).unwrap_or(false);
    is_driving.then(|| Fault::new(format!("a Ralph loop runs here (`{STATE}`)"), format!("rm {STATE}")))
}

/// Looks for the gate of planning-with-files, which holds an agent at each stop until its own plan is complete.
fn planning_with_files(top: &Path) -> Option<Fault> {
    let planning = top.join(".planning");
    let plan = read(&planning.join(".active_plan"))?;
    let plan = plan.trim();
    if plan.is_empty() || plan.contains('/') || plan.starts_with('.') {
        return None;
    }
    let mode = read(&planning.join(plan).join(".mode"))?;
    let has_gate = mode.split_whitespace().any(|word| word == "gate");
    let what = format!("the gate of planning-with-files is on (`.planning/{plan}/.mode`)");
    has_gate.then(|| Fault::new(what, "rm .planning/.active_plan"))
}

/// Reads a small regular file; a repository may hold anything.
fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    let file = store::look_state(path).ok()?;
    fs::File::take(file, LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}
