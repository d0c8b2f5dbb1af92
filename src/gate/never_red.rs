//! `never-red`: verify was green before the work, so a green verify does not show that the work was done.

use std::path::Path;

use super::facts::GateFacts;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, no_base, pass_if, unresolved};
use super::full::tests_within;
use super::harness::{Harness, is_code};
use super::{Depth, GateFinding, no_change};
use crate::base::StartRecord;
use crate::mutate;
use crate::plan::history::Seen;
use crate::plan::model::{GoalKind, check_of};
use crate::replay::{Replay, RunOutcome, Stop};
use crate::repo::export::Layout;

const ROW: &str = "never-red";
const EXPECTED: &str = "a verify that was red before the work";
/// How many new files are tried on the source of the start, one at a time.
const MOST: usize = 5;
/// Languages in which a file runs only if something names it.
const SCRIPTS: [&str; 13] = ["py", "sh", "bash", "zsh", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "r"];

/// The row in the fast gate, which uses what the log says about the start. The full gate runs verify on the base itself.
pub(super) fn find(facts: &GateFacts<'_>) -> Option<GateFinding> {
    facts.verify?;
    let green = facts.seen == Seen::Green && !facts.goal.kind().begins_green() && facts.depth == Depth::Fast;
    green.then(|| {
        let changed = facts.base.iter().flat_map(|base| &base.changed).map(|file| file.path.as_path());
        let resolve = told(facts.goal.name(), fitting(facts.harness, changed));
        GateFinding::lead(ROW, EXPECTED, "verify was green when the goal was started", &resolve)
    })
}

/// The row in the full gate. It runs today's tests on the source of the start if verify was not red there. If the start
/// had uncommitted files, it also runs them on the commit under the start: a red verify does not count if only code that
/// was broken before the start caused it.
pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    pass_if(is_green_rightly(candidate)?)?;
    let found = match candidate.seen {
        // If an export is green, an ignored file, or a file outside the repository, made verify red.
        Seen::Red if at_start(candidate, probe.replay)? != Seen::Green => by_tests_alone(probe)?,
        _ => since(probe)?,
    };
    let found = match candidate.under_start() {
        Some(under_start) if found.blocks() => half_done(probe, under_start, found)?,
        Some(under_start) => on_the_commit(probe, under_start, found)?,
        None => found,
    };
    if found.blocks() {
        return Ok(found);
    }
    let own_work = match no_change::is_own_work(probe) {
        // The budget ran out, but the finding of this row is still valid.
        Err(Stop::Budget) => false,
        own_work => own_work?,
    };
    Ok(RowResult { own_work, ..found })
}

/// The case that verify was red at the start, but is green on the source of the start with today's tests, so the tests
/// alone made it green. That can be the work, so a reader decides.
fn by_tests_alone(probe: &mut Probe<'_, '_>) -> Result<RowResult, Stop> {
    let candidate = probe.candidate;
    if !matches!(today_on_base(probe)?, Some(RunOutcome::Green)) || candidate.has_new_examples()? {
        return Ok(RowResult::default());
    }
    if let Some(lead) = probe.reads_elsewhere()? {
        return Ok(lead);
    }
    let why = format!("verify was red, but with today's tests it is green on the source of {}", candidate.start);
    Ok(unresolved(&[ROW], why, &resolve_work(candidate)).into())
}

/// Whether the kind allows a green start because behaviour stays the same. A goal of kind `test` must change tests, which may be inside a
/// source, and no other code.
fn is_green_rightly(candidate: &Candidate<'_>) -> Result<bool, Stop> {
    Ok(match candidate.request.kind {
        GoalKind::Test => {
            let mut is_tested = false;
            for path in candidate.changed() {
                let is_test = candidate.harness.is_harness(path) || changes_tests_within(candidate, path)?;
                if !is_test && is_code(path) {
                    return Ok(false);
                }
                is_tested |= is_test;
            }
            is_tested
        }
        GoalKind::Refactor => candidate.changed().any(is_code),
        kind => kind.begins_green(),
    })
}

/// Whether the work changed only tests and documentation inside a source.
fn changes_tests_within(candidate: &Candidate<'_>, path: &Path) -> Result<bool, Stop> {
    let (then, now) = (candidate.then(path)?, candidate.now(path)?);
    Ok(then.zip(now).is_some_and(|(then, now)| mutate::same_code(&path.to_string_lossy(), &then, &now)))
}

fn since(probe: &mut Probe<'_, '_>) -> Result<RowResult, Stop> {
    Ok(match today_on_base(probe)? {
        Some(RunOutcome::Red(_)) => RowResult::red(),
        Some(RunOutcome::Green) => without_work(probe)?,
        Some(RunOutcome::Unstartable(_)) if was_check_red(probe)? => RowResult::red(),
        Some(RunOutcome::Unstartable(why)) => cannot_start(probe.candidate, &why),
        Some(RunOutcome::Slow(why)) => unresolved(&[ROW], why, "make verify faster").into(),
        None => no_base(ROW),
    })
}

/// The case that verify was green at the start, on files that were in no commit. They may have held some of the work: then
/// today's tests fail on the commit under the start.
fn half_done(probe: &mut Probe<'_, '_>, under_start: &Candidate<'_>, found: RowResult) -> Result<RowResult, Stop> {
    let is_late = probe.candidate.seen == Seen::Green && !under_start.signed;
    let is_red = is_late && matches!(today_on_base(&mut probe.on(under_start))?, Some(RunOutcome::Red(_)));
    Ok(if is_red { RowResult::red() } else { found })
}

/// Runs today's tests on the commit under the start. If they cannot start there, it adds the files that were new at the
/// start and still exist. If the tests still cannot start, it uses the tests of the start.
fn on_the_commit(probe: &mut Probe<'_, '_>, under_start: &Candidate<'_>, found: RowResult) -> Result<RowResult, Stop> {
    let candidate = probe.candidate;
    let (Some(then), Some(committed)) = (candidate.base(), under_start.base()) else { return Ok(found) };
    let mut probe = probe.on(under_start);
    let mut outcome = today_on_base(&mut probe)?;
    let mut are_todays = true;
    if matches!(outcome, Some(RunOutcome::Unstartable(_))) {
        let mut with_new = todays_tests(under_start, committed)?;
        let tests = with_new.clone();
        let is_new = |path: &&Path| committed.get(path).is_none() && tests.get(path).is_none();
        for path in then.paths().filter(is_new).filter(|path| candidate.last.get(path).is_some()) {
            with_new.take(path, then);
        }
        outcome = Some(probe.replay.run(&with_new, "the same with the files that were new at the start")?);
        if matches!(outcome, Some(RunOutcome::Unstartable(_))) {
            let mut old = with_new;
            for path in then.paths() {
                if candidate.decides(then, path)? {
                    old.take(path, then);
                }
            }
            outcome = Some(probe.replay.run(&old, "the same with the tests of the start")?);
            are_todays = false;
        }
    }
    Ok(match outcome {
        Some(RunOutcome::Red(_)) => RowResult { seen_red: true, ..found },
        // If the tests of the start are green here, that contradicts only a start at which they were red.
        Some(RunOutcome::Green) if are_todays || candidate.seen == Seen::Red => without_work(&mut probe)?,
        // The outcome does not contradict what was seen at the start.
        _ => RowResult { seen_red: found.seen_red || candidate.seen == Seen::Red, ..found },
    })
}

/// The case that today's tests are green without the work. Returns the excuse for that, or the finding.
fn without_work(probe: &mut Probe<'_, '_>) -> Result<RowResult, Stop> {
    let candidate = probe.candidate;
    if was_check_red(probe)? {
        return Ok(RowResult::red());
    }
    if candidate.has_new_examples()? {
        let start = &candidate.start;
        let why = format!("the tests are comments in the source, so they cannot be run on the source of {start}");
        return Ok(unresolved(&[ROW], why, &resolve_work(candidate)).into());
    }
    if let Some(lead) = probe.reads_elsewhere()? {
        return Ok(lead);
    }
    if writes_tests(candidate) {
        let why = format!("the work is only new tests, and the source of {} passes them", candidate.start);
        return Ok(unresolved(&[ROW], why, &resolve_work(candidate)).into());
    }
    Ok(match new_check(probe)? {
        Some(RunOutcome::Red(_)) => RowResult::red(),
        Some(RunOutcome::Unstartable(why)) => cannot_start(candidate, &why),
        _ => GateFinding::block(ROW, EXPECTED, green(candidate), &resolve_work(candidate)).into(),
    })
}

/// Whether a check of a failure mode fails on the files of the start and so shows that the work was done. Only checks
/// that the goal already had at its start count, because a later check may test anything that exists by now.
fn was_check_red(probe: &mut Probe<'_, '_>) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(false) };
    let started_with =
        candidate.request.start.and_then(StartRecord::goal_contract).map(|contract| contract.failure_modes);
    let modes = started_with.unwrap_or_default();
    for (_, check) in candidate.request.checks {
        let is_of_start = |mode: &String| {
            check_of(mode).is_some_and(|at| mode[at].split_whitespace().eq(check.text.split_whitespace()))
        };
        if !modes.iter().any(is_of_start) {
            continue;
        }
        let outcome =
            probe.replay.check(check, base, &format!("`{}` on the files of {}", check.text, candidate.start))?;
        if outcome.is_red() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs verify on the files of the start. The log does not count here, because anyone may have typed it.
pub(super) fn at_start(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<Seen, Stop> {
    let Some(base) = candidate.base() else { return Ok(Seen::Unknown) };
    Ok(match replay.run(base, &format!("the files of {}", candidate.goals_start))? {
        RunOutcome::Red(_) => Seen::Red,
        RunOutcome::Green => Seen::Green,
        RunOutcome::Unstartable(_) | RunOutcome::Slow(_) => Seen::Unknown,
    })
}

fn cannot_start(candidate: &Candidate<'_>, why: &str) -> RowResult {
    let start = &candidate.start;
    let why = format!("today's tests cannot start on the source of {start}: {why}");
    unresolved(&[ROW], why, &resolve_work(candidate)).into()
}

fn green(candidate: &Candidate<'_>) -> String {
    let start = match candidate.seen {
        Seen::Red => format!("verify was red at {}, but is green on a clean export of its files", candidate.start),
        Seen::Green if candidate.start == "the start" => "verify was green when the goal was started".to_owned(),
        Seen::Green => format!("verify is green at {}", candidate.start),
        _ => "verify was never seen red".to_owned(),
    };
    match candidate.start.as_str() {
        "the start" => format!("{start}, and today's tests are green on its files too"),
        other => format!("{start}, and today's tests are green on the source of {other}"),
    }
}

/// Whether the goal only adds tests for existing code: verify could not start before, and only tests are new. A bug fix
/// does not count.
fn writes_tests(candidate: &Candidate<'_>) -> bool {
    let is_new_test = |path: &Path| is_new(candidate, path) && candidate.harness.is_harness(path);
    candidate.seen == Seen::Unknown
        && candidate.request.kind != GoalKind::Bugfix
        && candidate.changed().all(is_new_test)
}

/// Runs verify on the source of the start with one new script added. Returns the first outcome that is red or cannot
/// start: a script that verify finds by a pattern is a test without a test name. Compiled sources would always be noticed.
fn new_check(probe: &mut Probe<'_, '_>) -> Result<Option<RunOutcome>, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(None) };
    let is_script = |path: &Path| path.extension().is_some_and(|end| SCRIPTS.iter().any(|script| end == *script));
    let may_check = |path: &&Path| is_new(candidate, path) && is_script(path) && !candidate.harness.is_harness(path);
    for path in candidate.changed().filter(may_check).take(MOST) {
        let layout = base.taking([path], &candidate.last);
        let outcome =
            probe.replay.run(&layout, &format!("`{}` on the source of {}", path.display(), candidate.start))?;
        if matches!(outcome, RunOutcome::Red(_) | RunOutcome::Unstartable(_)) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

fn is_new(candidate: &Candidate<'_>, path: &Path) -> bool {
    candidate.base().is_some_and(|base| base.get(path).is_none()) && candidate.last.get(path).is_some()
}

/// Runs verify with today's test and harness files on the source of the base. Returns `None` without a base.
pub(super) fn today_on_base(probe: &mut Probe<'_, '_>) -> Result<Option<RunOutcome>, Stop> {
    let Some(base) = probe.candidate.base() else { return Ok(None) };
    let layout = todays_tests(probe.candidate, base)?;
    probe.replay.run(&layout, &format!("today's tests on the source of {}", probe.candidate.start)).map(Some)
}

/// Returns the base with today's test and harness files.
pub(super) fn todays_tests(candidate: &Candidate<'_>, base: &Layout) -> Result<Layout, Stop> {
    let mut layout = base.clone();
    for path in candidate.changed() {
        // Files under `may_change` belong to the tests, such as a snapshot or a list of cases.
        if candidate.harness.may_change(path) || candidate.decides(&candidate.last, path)? {
            layout.take(path, &candidate.last);
        }
    }
    tests_within::put(candidate, base, &candidate.last, false, &mut layout)?;
    Ok(layout)
}

/// Returns files without the work on which verify is red: the start, or its source with today's tests.
pub(super) fn red_without_work(probe: &mut Probe<'_, '_>, base: &Layout) -> Result<Option<Layout>, Stop> {
    if probe.candidate.seen == Seen::Red && probe.replay.run(base, "the files of the start")?.is_red() {
        return Ok(Some(base.clone()));
    }
    let Some(outcome) = today_on_base(probe)? else { return Ok(None) };
    Ok(outcome.is_red().then_some(todays_tests(probe.candidate, base)?))
}

/// Advises to add a test, or to set the kind that fits the changes.
fn resolve_work(candidate: &Candidate<'_>) -> String {
    told(candidate.request.goal, fitting(&candidate.harness, candidate.changed()))
}

fn told(goal: &str, kind: GoalKind) -> String {
    let (word, what) = match kind {
        GoalKind::Test => ("test", "the work is only tests"),
        GoalKind::Chore => ("chore", "no behaviour changes"),
        _ => ("refactor", "behaviour stays the same"),
    };
    format!(
        "add a test that fails on the files of the start; if {what}: `plan goal set {goal} --kind {word} --because \"why\"`"
    )
}

fn fitting<'p>(harness: &Harness, changed: impl Iterator<Item = &'p Path>) -> GoalKind {
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
