//! `outside-goal`: changed files that affect other people's builds or reviews, in a goal that does not mention them.

use std::collections::BTreeSet;
use std::path::Path;

use super::changed;
use crate::gate::facts::{ChangedFile, GateFacts};
use crate::gate::{GateFinding, goal_text};
use crate::repo::{PathChange, attributes, audit_job, merge_driver};

/// Folders and files of continuous integration and review. Whether other files belong to the goal, only a reader can judge.
const FOLDERS: [&str; 6] = [".github", ".gitlab", ".circleci", ".buildkite", ".husky", ".ci"];
const FILES: [&str; 8] = [
    ".gitlab-ci.yml", "Jenkinsfile", ".travis.yml", "azure-pipelines.yml", ".pre-commit-config.yaml", "CODEOWNERS",
    ".gitattributes", ".gitmodules",
];

/// A goal with one of these words counts as mentioning all these files.
const SUBJECTS: [&str; 5] = ["ci", "workflow", "workflows", "pipeline", "pipelines"];

/// The most files that the suggested command names one by one.
const SPELLED_OUT: usize = 5;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let goal = facts.goal;
    let contract = crate::plan::contract::goal_contract(goal).json;
    let steps = goal.steps().iter().map(|step| goal.plan().text(step.text));
    let said: String = std::iter::once(contract.as_str()).chain(steps).collect::<Vec<_>>().join("\n").to_lowercase();
    // JSON writes the end of a line as `\n`, whose letter would join the next word.
    let said = said.replace("\\n", " ");
    let watched = |path: &Path| {
        let first = path.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        FOLDERS.contains(&first) || FILES.contains(&name)
    };
    let is_outside = |file: &&ChangedFile| {
        watched(&file.path) && !speaks_of(&said, &file.path) && !is_installed(file, facts.plan_file)
    };
    let outside: Vec<String> =
        changed(facts).filter(is_outside).map(|file| file.path.to_string_lossy().into_owned()).collect();
    // One command covers all of them; many files are named by their few folders.
    let folder = |path: &String| path.split('/').next().unwrap_or_default().to_owned();
    let named: BTreeSet<String> = match outside.len() > SPELLED_OUT {
        true => outside.iter().map(folder).collect(),
        false => outside.iter().cloned().collect(),
    };
    let verb = if named.len() == 1 { "is" } else { "are" };
    let criterion = format!("{} {verb} changed for this", named.into_iter().collect::<Vec<_>>().join(", "));
    let resolve = format!("undo the change; if the goal requires it: {}", goal_text::command(goal.name(), &criterion));
    let finding = |path: &String| {
        let seen = format!("`{path}` was changed, but the goal does not mention it");
        GateFinding::lead("outside-goal", "changes that the goal mentions", seen, &resolve).at(path.clone())
    };
    outside.iter().map(finding).take(super::MOST).collect()
}

/// Whether this change is exactly what `plan install git` or `plan install ci` writes, byte for byte. Users run these in
/// the middle of a goal about something else. A job file that existed before does not count: they do not replace it.
fn is_installed(file: &ChangedFile, plan_file: &Path) -> bool {
    // Bytes that are not UTF-8 are replaced here, so the real bytes are unknown.
    let Some(now) = file.now.as_ref().filter(|now| !now.contains(char::REPLACEMENT_CHARACTER)) else { return false };
    if file.path == Path::new(attributes::NAME) {
        let then = file.then.as_deref().map(str::as_bytes);
        return (then.is_some() || file.change == PathChange::Added)
            && attributes::with(then, &merge_driver::line(plan_file)).is_some_and(|text| text == now.as_bytes());
    }
    let job: std::path::PathBuf = audit_job::FOLDERS.iter().chain([&audit_job::NAME]).collect();
    file.path == job && file.change == PathChange::Added && audit_job::text(plan_file).is_some_and(|text| text == *now)
}

/// Whether a lower-case text mentions a path, a folder in it, or the purpose of all these files. A file without an
/// extension (`.ci/run`) is mentioned only by its path, because its name is a common word.
fn speaks_of(said: &str, path: &Path) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let words: BTreeSet<&str> = said.split(|c| !is_part(c)).map(|word| word.trim_matches('.')).collect();
    let whole = path.to_string_lossy().to_lowercase();
    let is_known = |part: &str| FILES.iter().any(|name| name.trim_start_matches('.').eq_ignore_ascii_case(part));
    let is_telling = |part: &&str| part.contains('.') || is_known(part) || !whole.ends_with(*part);
    whole.contains('/') && said.contains(&whole)
        || whole.split('/').map(|part| part.trim_start_matches('.')).filter(is_telling).any(|part| words.contains(part))
        || SUBJECTS.iter().any(|word| words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_speaks_of_what_it_names() {
        for (said, path) in [
            ("run the tests on every push, see .ci/run", ".ci/run"),
            ("mend ci.", ".ci/run"),
            ("a workflow for releases", ".github/workflows/release.yml"),
            ("mend `release.yml`", ".github/workflows/release.yml"),
            ("let the jenkinsfile build it", "Jenkinsfile"),
            ("the code in .github is old", ".github/CODEOWNERS"),
            ("new codeowners", ".github/CODEOWNERS"),
            (".gitattributes is changed for this", ".gitattributes"),
        ] {
            assert!(speaks_of(said, Path::new(path)), "{said}: {path}");
        }
        for (said, path) in [
            ("run what is special", ".ci/run"),
            ("decide which circle is circled", ".ci/check.sh"),
            ("release it", ".github/workflows/release.yml"),
            ("capitalise names", "Jenkinsfile"),
        ] {
            assert!(!speaks_of(said, Path::new(path)), "{said}: {path}");
        }
    }
}
