//! Rows about other tools: whose plan.md is it, and who else keeps the agent at work?

use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use super::{Context, Fault, Look};
use crate::process::words::quote;
use crate::store;

/// The most bytes of another tool's file that are read.
const LARGEST: u64 = 64 << 10;

pub(super) fn plan_of_another_tool(context: &Context<'_>) -> Look {
    let (Some(place), Some(plan)) = (context.place(), context.plan) else { return Look::Absent };
    let Some(tool) = tool_of(&place.file).filter(|_| context.file.is_none() && plan.goals.is_empty()) else {
        return Look::FINE;
    };
    let what = format!("{} is a file of {tool}", context.shown());
    // The next one upward, if there is one, is the person's own.
    let mut folder = context.cwd.to_owned();
    let mut name = PathBuf::new();
    while Some(&*folder) != place.top.as_deref() && folder.pop() {
        name.push("..");
        let found = store::look(&folder, None).ok().flatten();
        if let Some(own) = found.filter(|own| own.file != place.file) {
            let above = name.join(&own.shown);
            return Look::one(Fault::new(what, format!("plan --file {}", quote(&above.to_string_lossy()))));
        }
    }
    let top = place.top.as_deref().unwrap_or(&place.root);
    Look::one(Fault::new(what, format!("plan -C {} init", quote(&top.to_string_lossy()))))
}

/// The tool whose layout puts a plan.md there.
fn tool_of(file: &Path) -> Option<&'static str> {
    let folders: Vec<&str> = file
        .parent()?
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let numbered = |name: &str| name.split_once('-').is_some_and(|(number, _)| is_number(number));
    match &folders[..] {
        folders if folders.contains(&".wreckit") => Some("wreckit"),
        [.., "specs", feature] if numbered(feature) => Some("spec-kit"),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn driver(context: &Context<'_>) -> Look {
    let Some(place) = context.any_place() else { return Look::Absent };
    let top = place.top.as_deref().unwrap_or(&place.root);
    Look::Seen([ralph(top), planning_with_files(top)].into_iter().flatten().collect())
}

/// The loop of the plugin `ralph-wiggum` of Claude Code keeps its state in a file while it runs.
fn ralph(top: &Path) -> Option<Fault> {
    const STATE: &str = ".claude/ralph-loop.local.md";
    let text = read(&top.join(STATE))?;
    let is_active = text.lines().take(20).any(|line| line.trim() == "active: true");
    is_active.then(|| Fault::new(format!("a Ralph loop runs here (`{STATE}`)"), format!("rm {STATE}")))
}

/// The gate of planning-with-files holds an agent at each stop until its own plan is complete.
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

/// A small regular file; a repository may hold anything.
fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    let file = store::look_state(path).ok()?;
    fs::File::take(file, LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_other_tools_are_known() {
        for (file, tool) in [
            ("/r/specs/001-photo-albums/plan.md", Some("spec-kit")),
            ("/r/.wreckit/items/a/plan.md", Some("wreckit")),
            ("/r/specs/plan.md", None),
            ("/r/specs/api-v2/plan.md", None),
            ("/r/plan.md", None),
        ] {
            assert_eq!(tool_of(Path::new(file)), tool, "{file}");
        }
    }
}
