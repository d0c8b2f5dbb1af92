//! What to do where verify was green before the work.

use std::path::Path;

use crate::plan::model::GoalKind;
use crate::signoff::gate::facts::Facts;
use crate::signoff::gate::full::candidate::Candidate;
use crate::signoff::gate::harness::{Harness, is_code};

/// The same as [`of_work`], from what was measured.
pub(super) fn of_facts(facts: &Facts<'_>) -> String {
    let changed = facts.base.iter().flat_map(|base| &base.changed).map(|file| file.path.as_path());
    said(facts.goal.name(), kind(facts.harness, changed))
}

/// Another verify, or the kind that fits what was changed, as a command.
pub(super) fn of_work(candidate: &Candidate<'_>) -> String {
    said(candidate.request.goal, kind(candidate.harness(), candidate.changed()))
}

fn said(goal: &str, kind: GoalKind) -> String {
    let (word, what) = match kind {
        GoalKind::Test => ("test", "all of the work is tests"),
        GoalKind::Chore => ("chore", "nothing is to behave in another way"),
        _ => ("refactor", "behaviour stays"),
    };
    format!("a test that fails without the work; where {what}: `plan goal set {goal} --kind {word} --because \"why\"`")
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
