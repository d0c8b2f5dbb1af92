//! `never-red`: verify was green before the work, so that it cannot show that the work was done.

mod remedy;

use std::path::Path;

use super::facts::Facts;
use super::full::found::{Found, no_base, reads_elsewhere, unresolved};
use super::full::work::Work;
use super::full::yard::{Stop, Told, Yard};
use super::harness::is_code;
use super::{Depth, Finding};
use crate::plan::model::{GoalKind, check_of};
use crate::repo::export::Layout;
use crate::signoff::history::Seen;
use crate::signoff::start::StartRecord;

const ROW: &str = "never-red";
const EXPECTED: &str = "a verify that was red before the work";
/// New files that are tried on the source of the start, one at a time.
const MOST: usize = 5;
/// Languages in which a file that nobody names is not run.
const SCRIPTS: [&str; 13] = ["py", "sh", "bash", "zsh", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "r"];

/// At the fast gate: what the log says of the start. The full one asks the base itself.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    facts.verify?;
    let green = facts.seen == Seen::Green && !facts.goal.kind().begins_green() && facts.depth == Depth::Fast;
    let resolve = || remedy::of_facts(facts);
    green.then(|| Finding::lead(ROW, EXPECTED, "verify was green when the goal was started", &resolve()))
}

/// At the full gate: today's tests on the source of the start, where verify was not red then; and on that of the commit under
/// it, where the start stood on other files: what is broken there before a start is red for nothing.
pub(super) fn row(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    if is_green_rightly(work) {
        return Ok(Found::default());
    }
    let found = match work.seen {
        Seen::Red if holds(work, yard)? => by_tests_alone(work, yard)?,
        _ => since(work, yard)?,
    };
    match work.beneath().filter(|_| !found.blocks()) {
        Some(beneath) => beneath_start(work, beneath, yard, found),
        None => Ok(found),
    }
}

/// Red at the start, and green with today's tests on the source of then: tests alone made it green. That can be the work, so a
/// reader decides.
fn by_tests_alone(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    if !matches!(today_on_base(work, yard)?, Some(Told::Green)) || work.has_new_examples()? {
        return Ok(Found::default());
    }
    if let Some(lead) = reads_elsewhere(ROW, work, yard)? {
        return Ok(lead);
    }
    let why = format!("verify was red, and today's tests make it green on the source of {}", work.start());
    Ok(unresolved(&[ROW], why, &remedy::of_work(work)).into())
}

/// What was red at the start is not green on its files alone: nothing that git ignores, and nothing beside the repository, had
/// made it so.
fn holds(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<bool, Stop> {
    let Some(base) = work.base() else { return Ok(true) };
    Ok(yard.run(base, &format!("the files of {}", work.goals_start()))? != Told::Green)
}

/// The kind says that behaviour stays. A goal that is about tests has nothing else in it.
fn is_green_rightly(work: &Work<'_>) -> bool {
    let is_test = |path: &Path| work.harness().is_harness(path);
    match work.job.kind {
        GoalKind::Test => work.changed().any(is_test) && work.changed().all(|path| is_test(path) || !is_code(path)),
        GoalKind::Refactor => work.changed().any(is_code),
        kind => kind.begins_green(),
    }
}

fn since(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    Ok(match today_on_base(work, yard)? {
        Some(Told::Red(_)) => Found { seen_red: true, ..Found::default() },
        Some(Told::Green) => without_work(work, yard)?,
        Some(Told::Unstartable(_)) if was_check_red(work, yard)? => Found { seen_red: true, ..Found::default() },
        Some(Told::Unstartable(why)) => cannot_start(work, &why),
        Some(Told::Slow(why)) => unresolved(&[ROW], why, "a faster verify").into(),
        None => no_base(ROW).into(),
    })
}

/// The same on the commit under the start. Where today's tests cannot start there, files that were new at the start and are
/// still there stand beside its own, as they were then; and where that does not help either, the tests of then do.
fn beneath_start(work: &Work<'_>, beneath: &Work<'_>, yard: &mut Yard<'_>, found: Found) -> Result<Found, Stop> {
    let (Some(then), Some(committed)) = (work.base(), beneath.base()) else { return Ok(found) };
    let mut told = today_on_base(beneath, yard)?;
    if matches!(told, Some(Told::Unstartable(_))) {
        let mut with_new = todays_tests(beneath, committed)?;
        let tests = with_new.clone();
        let is_new = |path: &&Path| committed.get(path).is_none() && tests.get(path).is_none();
        for path in then.paths().filter(is_new).filter(|path| work.last().get(path).is_some()) {
            with_new.take(path, then);
        }
        told = Some(yard.run(&with_new, "the same with the files that were new at the start")?);
        if matches!(told, Some(Told::Unstartable(_))) {
            let mut old = with_new;
            for path in then.paths() {
                if work.decides(then, path)? {
                    old.take(path, then);
                }
            }
            told = Some(yard.run(&old, "the same with the tests of the start")?);
        }
    }
    Ok(match told {
        Some(Told::Red(_)) => Found { seen_red: true, ..found },
        Some(Told::Green) => without_work(beneath, yard)?,
        // Nothing speaks against what was seen at the start.
        _ => Found { seen_red: found.seen_red || work.seen == Seen::Red, ..found },
    })
}

/// Today's tests are green without the work: what excuses that, else the finding.
fn without_work(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    if was_check_red(work, yard)? {
        return Ok(Found { seen_red: true, ..Found::default() });
    }
    if work.has_new_examples()? {
        let start = work.start();
        let why = format!("the tests live in the comments of the source, and cannot be tried on the source of {start}");
        return Ok(unresolved(&[ROW], why, &remedy::of_work(work)).into());
    }
    if let Some(lead) = reads_elsewhere(ROW, work, yard)? {
        return Ok(lead);
    }
    if writes_tests(work) {
        let why = format!("all of the work is new tests, and the source of {} passes them", work.start());
        return Ok(unresolved(&[ROW], why, &remedy::of_work(work)).into());
    }
    Ok(match new_check(work, yard)? {
        Some(Told::Red(_)) => Found { seen_red: true, ..Found::default() },
        Some(Told::Unstartable(why)) => cannot_start(work, &why),
        _ => Finding::block(ROW, EXPECTED, green(work), &remedy::of_work(work)).into(),
    })
}

/// A check of a failure mode that the goal was started with was red on the files of the start: it shows that the work was
/// done. One that came later may be about anything that is there by now.
fn was_check_red(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<bool, Stop> {
    let Some(base) = work.base() else { return Ok(false) };
    let started_with = work.job.start.and_then(StartRecord::goal_contract).map(|contract| contract.failure_modes);
    let modes = started_with.unwrap_or_default();
    for (_, check) in work.job.checks {
        let is_of_start = |mode: &String| {
            check_of(mode).is_some_and(|at| mode[at].split_whitespace().eq(check.text.split_whitespace()))
        };
        if !modes.iter().any(is_of_start) {
            continue;
        }
        let told = yard.check(check, base, &format!("`{}` on the files of {}", check.text, work.start()))?;
        if matches!(told, Told::Red(_)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How verify was at the start, tried and not read: what the log says of it anyone can have typed.
pub(super) fn at_start(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Seen, Stop> {
    let Some(base) = work.base() else { return Ok(Seen::Unknown) };
    Ok(match yard.run(base, &format!("the files of {}", work.goals_start()))? {
        Told::Red(_) => Seen::Red,
        Told::Green => Seen::Green,
        Told::Unstartable(_) | Told::Slow(_) => Seen::Unknown,
    })
}

fn cannot_start(work: &Work<'_>, why: &str) -> Found {
    let start = work.start();
    let why = format!("today's tests cannot start on the source of {start}: {why}");
    unresolved(&[ROW], why, &remedy::of_work(work)).into()
}

fn green(work: &Work<'_>) -> String {
    let start = match work.seen {
        Seen::Red => format!("verify was red at {}, and is green on its files alone", work.start()),
        Seen::Green if work.start() == "the start" => "verify was green when the goal was started".to_owned(),
        Seen::Green => format!("verify is green at {}", work.start()),
        _ => "verify was not seen red".to_owned(),
    };
    match work.start() {
        "the start" => format!("{start}, and today's tests are green without the work"),
        other => format!("{start}, and today's tests are green on the source of {other}"),
    }
}

/// A goal that asks for tests of what is there: verify could not start before them, and nothing else came. A bug is not
/// mended that way.
fn writes_tests(work: &Work<'_>) -> bool {
    let is_new_test = |path: &Path| is_new(work, path) && work.harness().is_harness(path);
    work.seen == Seen::Unknown && work.job.kind != GoalKind::Bugfix && work.changed().all(is_new_test)
}

/// A script that verify finds by a pattern is a test by no name: what verify says where one that is new stands alone on the
/// source of the start, and is noticed. Where sources are compiled together, any of them would be.
fn new_check(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Option<Told>, Stop> {
    let Some(base) = work.base() else { return Ok(None) };
    let is_script = |path: &Path| path.extension().is_some_and(|end| SCRIPTS.iter().any(|script| end == *script));
    let may_check = |path: &&Path| is_new(work, path) && is_script(path) && !work.harness().is_harness(path);
    let new: Vec<&Path> = work.changed().filter(may_check).take(MOST).collect();
    for path in new {
        let mut layout = base.clone();
        layout.take(path, work.last());
        let told = yard.run(&layout, &format!("`{}` on the source of {}", path.display(), work.start()))?;
        if matches!(told, Told::Red(_) | Told::Unstartable(_)) {
            return Ok(Some(told));
        }
    }
    Ok(None)
}

fn is_new(work: &Work<'_>, path: &Path) -> bool {
    work.base().is_some_and(|base| base.get(path).is_none()) && work.last().get(path).is_some()
}

/// Verify with the test and harness files as they are, on the source as it was; none where no base is at hand.
pub(super) fn today_on_base(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Option<Told>, Stop> {
    let Some(base) = work.base() else { return Ok(None) };
    let layout = todays_tests(work, base)?;
    yard.run(&layout, &format!("today's tests on the source of {}", work.start())).map(Some)
}

/// The base with the test and harness files as they are.
fn todays_tests(work: &Work<'_>, base: &Layout) -> Result<Layout, Stop> {
    let mut layout = base.clone();
    for path in work.changed() {
        // What the goal lets the work change is part of its tests: a snapshot, a list of cases.
        if work.harness().may_change(path) || work.decides(work.last(), path)? {
            layout.take(path, work.last());
        }
    }
    work.with_tests_within(base, work.last(), false, &mut layout)?;
    Ok(layout)
}
