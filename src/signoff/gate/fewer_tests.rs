//! `fewer-tests`: the same verify had more tests when the goal was started.

use std::path::Path;

use super::facts::Facts;
use super::harness::Harness;
use super::nothing_ran::Tally;
use super::{Depth, Finding, Level};
use crate::repo::Change;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    between(then, now, facts.depth, is_excused(facts), &resolve(facts))
}

/// What to do about the tests that are gone, in the files that were changed.
pub(super) fn resolve(facts: &Facts<'_>) -> String {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    let changed = changed.filter(|file| file.change != Change::Added).map(|file| file.path.as_path());
    resolve_in(facts.goal.name(), facts.harness, changed)
}

/// The same for these files that were changed or removed.
pub(super) fn resolve_in<'p>(goal: &str, harness: &Harness, changed: impl Iterator<Item = &'p Path>) -> String {
    let tests: Vec<&Path> = changed.filter(|path| harness.is_harness(path) && !harness.may_change(path)).collect();
    match tests.is_empty() {
        true => "put them back".to_owned(),
        false => format!("put them back; if the goal asks for it: {}", harness.declare(goal, tests.into_iter())),
    }
}

/// The tests at the start against those of now. `excused`: the goal may change tests and did; which of them are gone cannot be
/// told from a number, and nothing would resolve it.
pub(super) fn between(then: Tally, now: Tally, depth: Depth, excused: bool, resolve: &str) -> Option<Finding> {
    let (had, has) = (then.ran + then.skipped + then.left_out, now.ran + now.skipped + now.left_out);
    (has < had).then(|| {
        let (expected, seen) = (
            format!("{had} tests, as at the goal's start"),
            format!("verify has {has} tests, {had} at the goal's start{}", excuse(excused)),
        );
        let finding = Finding::of(depth, "fewer-tests", &expected, seen, resolve);
        if excused { finding.level(Level::Note) } else { finding }
    })
}

/// Where the goal may change tests and did, which of them are gone cannot be told from a number: never more than a lead.
pub(super) fn allowed(depth: Depth, excused: bool) -> Depth {
    if excused { Depth::Fast } else { depth }
}

/// What is said of an excuse.
pub(super) fn excuse(excused: bool) -> &'static str {
    if excused { "; files under `may_change` were changed" } else { "" }
}

/// Files that the goal may change were changed.
pub(super) fn is_excused(facts: &Facts<'_>) -> bool {
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    changed.filter(|file| file.change != Change::Added).any(|file| facts.harness.may_change(&file.path))
}
