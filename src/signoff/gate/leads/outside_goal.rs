//! `outside-goal`: files that decide what others run or review, changed by a goal that does not speak of them.

use std::path::Path;

use super::changed;
use crate::signoff::gate::Finding;
use crate::signoff::gate::facts::Facts;

/// Folders and files of continuous integration and review. What else is outside a goal, only a reader can tell.
const FOLDERS: [&str; 6] = [".github", ".gitlab", ".circleci", ".buildkite", ".husky", ".ci"];
const FILES: [&str; 8] = [
    ".gitlab-ci.yml",
    "Jenkinsfile",
    ".travis.yml",
    "azure-pipelines.yml",
    ".pre-commit-config.yaml",
    "CODEOWNERS",
    ".gitattributes",
    ".gitmodules",
];

/// What this scan found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let goal = facts.goal;
    let contract = crate::plan::contract::goal_contract(goal).json;
    let steps = goal.steps().iter().map(|step| goal.plan().text(step.text));
    let said: String = std::iter::once(contract.as_str()).chain(steps).collect::<Vec<_>>().join("\n").to_lowercase();
    let speaks_of = |path: &Path| {
        let named = |part: &str| said.contains(part.trim_start_matches('.').to_lowercase().as_str());
        path.iter().filter_map(|part| part.to_str()).any(named)
            || [" ci ", "workflow", "pipeline"].iter().any(|word| said.contains(word))
    };
    let watched = |path: &Path| {
        let first = path.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        FOLDERS.contains(&first) || FILES.contains(&name)
    };
    changed(facts)
        .filter(|file| watched(&file.path) && !speaks_of(&file.path))
        .map(|file| {
            let seen = format!("`{}` was changed, of which the goal says nothing", file.path.display());
            let resolve = "undo it, or say in the goal what it is for";
            Finding::lead("outside-goal", "changes that the goal speaks of", seen, resolve)
                .at(file.path.to_string_lossy())
        })
        .take(super::MOST)
        .collect()
}
