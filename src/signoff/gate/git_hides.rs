//! `git-hides`: git was told to show less than there is, so that a reader of `git diff` sees another repository.

use std::path::Path;

use super::facts::Facts;
use super::harness::is_code;
use super::{Finding, Level};
use crate::repo::{Flag, Hide};

/// Folders of what others wrote: their tests are none of this repository.
const DEPENDENCIES: [&str; 12] = [
    "node_modules",
    ".venv",
    "venv",
    "env",
    "vendor",
    ".tox",
    ".nox",
    "Pods",
    "site-packages",
    "target",
    "dist",
    "build",
];

/// More say nothing new; those that block come first.
const MOST: usize = 5;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = facts.hides.iter().filter_map(|hide| of(hide, facts)).collect();
    found.sort_by_key(|finding| finding.level != Level::Block);
    found.truncate(MOST);
    found
}

fn of(hide: &Hide, facts: &Facts<'_>) -> Option<Finding> {
    const EXPECTED: &str = "a repository that git shows as it is";
    let block = |seen: String, resolve: String| Finding::block("git-hides", EXPECTED, seen, &resolve);
    Some(match hide {
        Hide::Flagged(flagged) => {
            let path = flagged.path.display();
            let (word, option) = match flagged.flag {
                Flag::AssumeUnchanged => ("assume-unchanged", "--no-assume-unchanged"),
                Flag::SkipWorktree => ("skip-worktree", "--no-skip-worktree"),
            };
            let seen = format!("`{path}` is marked {word}: git shows no change of it");
            let resolve = format!("`git update-index {option} {path}`");
            // A person's own settings, kept from git before the goal was started, are nothing to the work.
            let level = if deceives(&flagged.path, facts) { Level::Block } else { Level::Lead };
            block(seen, resolve).level(level).at(flagged.path.to_string_lossy())
        }
        Hide::Replaced(name) => {
            let object = name.rsplit('/').next().unwrap_or(name);
            block(
                format!("`{name}` shows another object in place of the one named"),
                format!("`git replace -d {object}`"),
            )
        }
        Hide::Grafts => block(
            "`info/grafts` gives commits other parents".to_owned(),
            "remove that file from the git folder".to_owned(),
        ),
        Hide::Setting(key, value) if matches!(key.as_str(), "core.checkstat" | "core.ignorestat") => {
            let seen = format!("`{key}` is `{value}` here: git overlooks files that changed");
            block(seen, format!("`git config --unset {key}`"))
        }
        // The files that it hides are told one by one.
        Hide::Setting(key, _) if key == "core.excludesfile" => return None,
        Hide::Setting(key, value) => {
            let seen = format!("`{key}` is `{value}` here: git may overlook files that changed");
            Finding::lead("git-hides", EXPECTED, seen, &format!("`git config --unset {key}`, if nobody needs it"))
        }
        Hide::Converted(path) => {
            let why = matters(path, facts)?;
            let seen =
                format!("an attribute that only this clone has shows git other bytes of `{}`, {why}", path.display());
            let resolve = "take the line out of `.git/info/attributes` or `core.attributesFile`".to_owned();
            // Tools take the outputs out of notebooks this way, and shorten large data.
            let runs = is_code(path) || facts.harness.is_named(path);
            let level = if runs { Level::Block } else { Level::Lead };
            block(seen, resolve).level(level).at(path.to_string_lossy())
        }
        Hide::Excluded(path) => {
            let why = matters(path, facts)?;
            let seen = format!("a rule that only this clone has hides `{}`, {why}", path.display());
            let resolve = "take the rule out of `.git/info/exclude` or `core.excludesFile`".to_owned();
            let level = if is_near(path, facts) { Level::Block } else { Level::Lead };
            block(seen, resolve).level(level).at(path.to_string_lossy())
        }
    })
}

/// A file that says something about the work, or is part of it: it differs from the goal's start, or that cannot be told.
fn deceives(path: &Path, facts: &Facts<'_>) -> bool {
    let is_word = |word: &str| facts.root.join(word) == path;
    let mut commands = facts.verify.iter().flat_map(|(line, _)| &line.sequence.commands);
    let differs = facts.base.is_none_or(|base| base.changed.iter().any(|file| file.path == path));
    differs || matters(path, facts).is_some() || commands.any(|command| command.argv().into_iter().any(is_word))
}

/// Verify may come upon the file: it is evidence or loaded or run, or its top folder holds files of the repository or is
/// named by verify. A person's own playground is none of that.
fn is_near(path: &Path, facts: &Facts<'_>) -> bool {
    let evidence = facts.evidence.iter().any(|(file, _)| facts.root.join(&file.path) == path);
    if evidence || facts.harness.is_named(path) || facts.harness.is_autoload(path, None) {
        return true;
    }
    let mut parts = path.iter();
    let (Some(top), Some(_), Some((tree, _))) = (parts.next(), parts.next(), facts.trees) else { return true };
    let names_it =
        |word: &str| facts.root.join(word).starts_with(top) || word.split(['.', '=']).any(|part| part == top);
    let mut commands = facts.verify.iter().flat_map(|(line, _)| &line.sequence.commands);
    tree.entries.iter().any(|entry| entry.path.starts_with(top))
        || commands.any(|command| command.argv().into_iter().any(names_it))
}

/// Why a hidden file matters; none where it does not.
fn matters(path: &Path, facts: &Facts<'_>) -> Option<&'static str> {
    let is_evidence = |evidence: &Path| facts.root.join(evidence) == path;
    if facts.evidence.iter().any(|(file, _)| is_evidence(&file.path)) {
        return Some("which is evidence");
    }
    if path.iter().any(|part| DEPENDENCIES.iter().any(|folder| part == *folder)) {
        return None;
    }
    match facts.harness {
        harness if harness.is_autoload(path, None) => Some("which the runner loads by itself"),
        harness if harness.is_named(path) => Some("which verify runs"),
        harness if harness.is_harness(path) => Some("which is a test file by its name"),
        _ => None,
    }
}
