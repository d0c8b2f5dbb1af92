//! `fewer-tests`: the same verify had more tests when the goal was started.

use std::path::Path;

use super::facts::{ChangedFile, Facts};
use super::harness::Harness;
use super::{Depth, Finding, Level};
use crate::lang::closing_lines::Tally;
use crate::mutate;
use crate::plan::text::counted;
use crate::repo::Change;

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    between(then, now, facts.depth, is_excused(facts), &resolve(facts))
}

/// How to resolve missing tests, given the changed files.
pub(super) fn resolve(facts: &Facts<'_>) -> String {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    let changed: Vec<&ChangedFile> = changed.filter(|file| file.change != Change::Added).collect();
    let holds_tests = |path: &Path| {
        let file = changed.iter().find(|file| file.path == path);
        file.and_then(|file| file.then.as_deref()).is_some_and(|text| holds_tests(path, text.as_bytes()))
    };
    resolve_in(facts.goal.name(), facts.harness, changed.iter().map(|file| file.path.as_path()), holds_tests)
}

/// Whether a source of this text has tests inside.
pub(super) fn holds_tests(path: &Path, text: &[u8]) -> bool {
    path.extension().is_some_and(|extension| extension == "rs") && !mutate::inline_tests(text).is_empty()
}

/// The same for these changed or removed files. Some sources hold tests.
pub(super) fn resolve_in<'p>(
    goal: &str,
    harness: &Harness,
    changed: impl Iterator<Item = &'p Path>,
    holds_tests: impl Fn(&Path) -> bool,
) -> String {
    let is_test = |path: &&Path| (harness.is_harness(path) || holds_tests(path)) && !harness.may_change(path);
    let tests: Vec<&Path> = changed.filter(is_test).collect();
    match tests.is_empty() {
        true => "restore the tests".to_owned(),
        false => format!("restore the tests; if the goal requires this: {}", harness.declare(goal, tests.into_iter())),
    }
}

/// Compares the tests at the start with those of now. `excused` means that the goal may change tests and did. A count
/// does not tell which tests are missing, so nothing could resolve the finding.
pub(super) fn between(then: Tally, now: Tally, depth: Depth, excused: bool, resolve: &str) -> Option<Finding> {
    let (had, has) = (then.ran + then.skipped + then.left_out, now.ran + now.skipped + now.left_out);
    (has < had).then(|| {
        let (expected, seen) = (
            format!("{had} tests, as at the goal's start"),
            format!(
                "verify has {}; at the goal's start it had {had}{}",
                counted(usize::try_from(has).unwrap_or(usize::MAX), "test"),
                excuse(excused)
            ),
        );
        let finding = Finding::of(depth, "fewer-tests", &expected, seen, resolve);
        if excused { finding.level(Level::Note) } else { finding }
    })
}

/// An excused change gives at most a lead, because a count does not tell which tests are missing.
pub(super) fn allowed(depth: Depth, excused: bool) -> Depth {
    if excused { Depth::Fast } else { depth }
}

/// The part of a sentence that names the excuse.
pub(super) fn excuse(excused: bool) -> &'static str {
    if excused { "; files under `may_change` were changed" } else { "" }
}

/// Whether files under `may_change` were changed.
pub(super) fn is_excused(facts: &Facts<'_>) -> bool {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    changed.filter(|file| file.change != Change::Added).any(|file| facts.harness.may_change(&file.path))
}
