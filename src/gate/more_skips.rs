//! `more-skips`: tests that ran when the goal was started are now skipped or expected to fail.

use super::facts::Facts;
use super::fewer_tests::{allowed, excuse, is_excused, resolve};
use super::{Depth, Finding};
use crate::lang::closing_lines::Tally;

/// Returns the finding, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    between(then, now, facts.depth, is_excused(facts), &resolve(facts))
}

/// Compares the tests at the start with those of now. `excused` means that the goal may change tests and did.
pub(super) fn between(then: Tally, now: Tally, depth: Depth, excused: bool, resolve: &str) -> Option<Finding> {
    let (idle_then, idle_now) = (then.skipped + then.excused, now.skipped + now.excused);
    if idle_now <= idle_then {
        return None;
    }
    // A new test that is skipped does not reduce the tests that count.
    let fewer_count = now.ran - now.excused.min(now.ran) < then.ran - then.excused.min(then.ran);
    let depth = if fewer_count { allowed(depth, excused) } else { Depth::Fast };
    let expected = format!("{idle_then} tests skipped or expected to fail, as at the goal's start");
    let excuse = excuse(excused);
    let seen =
        format!("{idle_now} tests are skipped or expected to fail; at the goal's start it was {idle_then}{excuse}");
    Some(Finding::of(depth, "more-skips", &expected, seen, resolve))
}
