//! How to resolve a verify that was green before the work.

use std::path::Path;

use crate::gate::facts::Facts;
use crate::gate::full::candidate::Candidate;
use crate::gate::harness::{Harness, is_code};
use crate::plan::model::GoalKind;

/// [`of_work`] for facts that were measured.
pub(super) fn of_facts(facts: &Facts<'_>) -> String {
    let changed = facts.base.iter().flat_map(|base| &base.changed).map(|file| file.path.as_path());
    said(facts.goal.name(), kind(facts.harness, changed))
}

/// Advises a new test, or the command that sets the kind that fits the changes.
pub(super) fn of_work(candidate: &Candidate<'_>) -> String {
    said(candidate.request.goal, kind(&candidate.harness, candidate.changed()))
}

fn said(goal: &str, kind: GoalKind) -> String {
    let (word, what) = match kind {
        GoalKind::Test => ("test", "the work is only tests"),
        GoalKind::Chore => ("chore", "no behaviour changes"),
        _ => ("refactor", "behaviour stays the same"),
    };
    format!(
        "add a test that fails on the files of the start; if {what}: `plan goal set {goal} --kind {word} --because \"why\"`"
    )
}

fn kind<'p>(harness: &Harness, changed: impl Iterator<Item = &'p Path>) -> GoalKind {
    let (mut code, mut tests) = (false, false);
    for path in changed {
        let is_test = harness.is_harness(path);
        tests |= is_test;
        code |= !is_test && is_code(path);
    }
    match (code, tests) {
        (true, _) => GoalKind::Refactor,
        (false, true) => GoalKind::Test,
        (false, false) => GoalKind::Chore,
    }
}
