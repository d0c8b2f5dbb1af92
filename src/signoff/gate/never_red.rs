//! `never-red`: verify was green before the work, so that it cannot show that the work was done.

use super::facts::Facts;
use super::full::{Found, Scene, Stop, Told, Yard, reads_elsewhere, unresolved};
use super::{Depth, Finding};
use crate::plan::model::GoalKind;
use crate::signoff::history::Seen;

const ROW: &str = "never-red";
const EXPECTED: &str = "a verify that was red before the work";
const RESOLVE: &str = "name a verify that fails without the work, or `kind: refactor`";

/// At the fast gate: what the log says of the start. The full one asks the base itself.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    facts.verify?;
    let green = facts.seen == Seen::Green && facts.goal.kind() != GoalKind::Refactor && facts.depth == Depth::Fast;
    green.then(|| Finding::lead(ROW, EXPECTED, "verify was green when the goal was started", RESOLVE))
}

/// At the full gate: today's tests on the source of the start, where the log does not say that verify was red.
pub(super) fn row(scene: &Scene<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    if scene.job.seen == Seen::Red || scene.job.kind == GoalKind::Refactor {
        return Ok(Found::default());
    }
    Ok(match today_on_base(scene, yard)? {
        Some(Told::Red(_)) => Found { seen_red: true, ..Found::default() },
        Some(Told::Green) if scene.has_new_examples()? => {
            let why = "the tests live in the comments of the source, and cannot be tried on the source of the start";
            unresolved(&[ROW], why, RESOLVE).into()
        }
        Some(Told::Green) if yard.reads().is_some() => reads_elsewhere(ROW, yard).into(),
        Some(Told::Green) => {
            let start = match scene.job.seen {
                Seen::Green => "verify was green when the goal was started",
                _ => "verify was not seen red",
            };
            Finding::block(ROW, EXPECTED, format!("{start}, and today's tests are green without the work"), RESOLVE)
                .into()
        }
        Some(Told::Unstartable(why)) => {
            unresolved(&[ROW], format!("today's tests cannot start on the source of the start: {why}"), RESOLVE).into()
        }
        Some(Told::Slow(why)) => unresolved(&[ROW], why, "a faster verify").into(),
        None => unresolved(&[ROW], "no base of this goal is pinned", "fetch `refs/plan/*`, or start the goal").into(),
    })
}

/// Verify with the test and harness files as they are, on the source as it was; none where no base is at hand.
pub(super) fn today_on_base(scene: &Scene<'_>, yard: &mut Yard<'_>) -> Result<Option<Told>, Stop> {
    let Some(base) = scene.base() else { return Ok(None) };
    let mut layout = base.clone();
    let changed: Vec<_> = scene.changed().collect();
    for path in changed {
        // What the goal lets the work change is part of its tests: a snapshot, a list of cases.
        if scene.harness().may_change(path) || scene.decides(scene.last(), path)? {
            layout.take(path, scene.last());
        }
    }
    scene.with_tests_within(base, scene.last(), &mut layout)?;
    yard.run(&layout, "today's tests on the source of the start").map(Some)
}
