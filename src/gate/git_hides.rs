//! `git-hides`: git is set up to hide files or changes. Then `git diff` does not show the real repository.

use std::path::Path;

use super::facts::GateFacts;
use super::harness::is_code;
use super::{GateFinding, GateLevel};
use crate::lang::is_made;
use crate::repo::{Flag, Hide};
use crate::shell::quote;

/// How many findings are shown, blocking ones first; more would say nothing new.
const MOST: usize = 5;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let mut found: Vec<GateFinding> = facts.hides.iter().filter_map(|hide| of(hide, facts)).collect();
    found.sort_by_key(|finding| finding.level != GateLevel::Block);
    found.truncate(MOST);
    found
}

fn of(hide: &Hide, facts: &GateFacts<'_>) -> Option<GateFinding> {
    const EXPECTED: &str = "git to show every change in the repository";
    let block = |seen: String, resolve: &str| GateFinding::block("git-hides", EXPECTED, seen, resolve);
    Some(match hide {
        Hide::Flagged(flagged) => {
            let path = flagged.path.display();
            let (word, option) = match flagged.flag {
                Flag::AssumeUnchanged => ("assume-unchanged", "--no-assume-unchanged"),
                Flag::SkipWorktree => ("skip-worktree", "--no-skip-worktree"),
            };
            let seen = format!("`{path}` is marked {word}, so git does not show its changes");
            let resolve = format!("`git update-index {option} {}`", quote(&flagged.path.to_string_lossy()));
            // Personal settings that were hidden before the start and have not changed do not concern the work.
            let level = if deceives(&flagged.path, facts) { GateLevel::Block } else { GateLevel::Lead };
            block(seen, &resolve).level(level).at(flagged.path.to_string_lossy())
        }
        Hide::Replaced(name) => {
            let object = name.rsplit('/').next().unwrap_or(name);
            block(format!("`{name}` makes git show a different object"), &format!("`git replace -d {object}`"))
        }
        Hide::Grafts => {
            block("`info/grafts` changes the parents of commits".to_owned(), "delete `info/grafts` in the git folder")
        }
        Hide::Setting(key, value) if matches!(key.as_str(), "core.checkstat" | "core.ignorestat") => {
            let seen = format!("`{key}` is set to `{value}`, so git overlooks changed files");
            block(seen, &format!("`git config --unset {key}`"))
        }
        // The files that this setting hides are reported one by one.
        Hide::Setting(key, _) if key == "core.excludesfile" => return None,
        Hide::Setting(key, value) => {
            let seen = format!("`{key}` is set to `{value}`, so git may overlook changed files");
            GateFinding::lead("git-hides", EXPECTED, seen, &format!("if nobody needs it: `git config --unset {key}`"))
        }
        Hide::Converted(path) => {
            let why = matters(path, facts)?;
            let seen = format!(
                "an attribute that only this clone has makes git see other bytes in `{}`, {why}",
                path.display()
            );
            let resolve =
                "remove the line from `.git/info/attributes` or from the file that `core.attributesFile` names";
            // Tools use such attributes to remove notebook outputs and to shorten large data.
            let runs = is_code(path) || facts.harness.is_named(path);
            let level = if runs { GateLevel::Block } else { GateLevel::Lead };
            block(seen, resolve).level(level).at(path.to_string_lossy())
        }
        Hide::Excluded(path) => {
            let why = matters(path, facts)?;
            let seen = format!("an ignore rule that only this clone has hides `{}`, {why}", path.display());
            let resolve = "remove the rule from `.git/info/exclude` or from the file that `core.excludesFile` names";
            let level = if is_near(path, facts) { GateLevel::Block } else { GateLevel::Lead };
            block(seen, resolve).level(level).at(path.to_string_lossy())
        }
    })
}

/// Whether a hidden file matters to the work: it differs from the goal's start, or that is unknown, or verify uses it.
fn deceives(path: &Path, facts: &GateFacts<'_>) -> bool {
    let is_word = |word: &str| facts.root.join(word) == path;
    let mut commands = facts.verify.iter().flat_map(|(line, _)| &line.sequence.commands);
    let differs = facts.base.is_none_or(|base| base.changed.iter().any(|file| file.path == path));
    differs || matters(path, facts).is_some() || commands.any(|command| command.argv().into_iter().any(is_word))
}

/// Whether verify may read the file: it is evidence, loaded or run; or its top folder holds files of the repository or
/// is named by verify. None of this is true for a user's private scratch folder.
fn is_near(path: &Path, facts: &GateFacts<'_>) -> bool {
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

/// Returns the reason why a hidden file matters, or `None` if it does not.
fn matters(path: &Path, facts: &GateFacts<'_>) -> Option<&'static str> {
    let is_evidence = |evidence: &Path| facts.root.join(evidence) == path;
    if facts.evidence.iter().any(|(file, _)| is_evidence(&file.path)) {
        return Some("which is evidence");
    }
    // The tests of third-party code do not belong to this repository.
    if is_made(path) {
        return None;
    }
    match facts.harness {
        harness if harness.is_autoload(path, None) => Some("which the test runner loads automatically"),
        harness if harness.is_named(path) => Some("which verify runs"),
        harness if harness.is_harness(path) => Some("which has the name of a test file"),
        _ => None,
    }
}
