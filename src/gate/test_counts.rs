//! Compares the numbers of tests now and at the goal's start.

use std::path::Path;

use super::facts::{ChangedFile, GateFacts};
use super::full::FullReport;
use super::full::candidate::Candidate;
use super::harness::{Harness, is_code};
use super::{Depth, GateFinding, GateLevel, verify_run};
use crate::lang::closing_lines::TestTally;
use crate::mutate;
use crate::plan::text::counted;
use crate::replay::{Replay, RunOutcome, Stop};
use crate::repo::PathChange;

/// How many changed files the command names if none of them is a test.
const NAMED: usize = 3;

/// Compares the test counts at the start with those of now. The flag is true if the goal may change tests and did.
pub(super) type Compares = fn([TestTally; 2], Depth, bool, &str) -> Option<GateFinding>;

/// A row that compares these counts.
pub(super) fn compared(facts: &GateFacts<'_>, compares: Compares) -> Option<GateFinding> {
    let (then, now) = facts.start.tests_then.zip(facts.start.tests_now)?;
    let changed = facts.base.iter().flat_map(|base| &base.changed);
    let changed: Vec<&ChangedFile> = changed.filter(|file| file.change != PathChange::Added).collect();
    let holds_tests = |path: &Path| {
        let file = changed.iter().find(|file| file.path == path);
        file.and_then(|file| file.then.as_deref()).is_some_and(|text| holds_tests(path, text.as_bytes()))
    };
    let reasons = Reasons::of(facts.harness, changed.iter().map(|file| file.path.as_path()), holds_tests);
    compares([then, now], facts.depth, reasons.excused, &reasons.resolve(facts.goal.name(), facts.harness))
}

/// The rows for a rerun. Takes the counts from the last run, which was on the tree itself, and from one more run on the start, if
/// the runner counts its tests. Returns the finding that blocks.
pub(super) fn of_rerun(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut FullReport,
) -> Result<Option<GateFinding>, Stop> {
    let line = candidate.request.replay.line;
    if let Some(finding) = replay.last_run().and_then(|run| verify_run::ran_none(line, run)) {
        return Ok(Some(finding));
    }
    let (Some(now), Some(base)) = (replay.tally(), candidate.base().cloned()) else { return Ok(None) };
    // A red run counts as well as a green one, because only the number of tests matters.
    let what = format!("{}, to count its tests", candidate.goals_start);
    if !matches!(replay.run(&base, &what)?, RunOutcome::Green | RunOutcome::Red(_)) {
        return Ok(None);
    }
    let Some(then) = replay.tally() else { return Ok(None) };
    let was_there = candidate.changed().filter(|path| base.get(path).is_some());
    let text = |path: &Path| candidate.bytes(&base, path).ok().flatten();
    let holds_tests = |path: &Path| text(path).is_some_and(|text| holds_tests(path, &text));
    let reasons = Reasons::of(&candidate.harness, was_there, holds_tests);
    let resolve = reasons.resolve(candidate.request.goal, &candidate.harness);
    let found = [fewer, skipped].into_iter().filter_map(|row| row([then, now], Depth::Full, reasons.excused, &resolve));
    let (blocks, leads): (Vec<GateFinding>, Vec<GateFinding>) =
        found.partition(|finding| finding.level == GateLevel::Block);
    report.findings.extend(leads);
    Ok(blocks.into_iter().next())
}

/// The changed or removed files that may explain why tests are missing, including sources that hold tests.
struct Reasons<'p> {
    /// Files outside `may_change`: tests, or if no test changed, the first other files.
    open: Vec<&'p Path>,
    /// True if `may_change` allows all tests that changed, or if no test changed, some of the code.
    excused: bool,
}

impl<'p> Reasons<'p> {
    fn of(harness: &Harness, changed: impl Iterator<Item = &'p Path>, holds_tests: impl Fn(&Path) -> bool) -> Self {
        let (tests, others): (Vec<&Path>, Vec<&Path>) =
            changed.partition(|path| harness.is_harness(path) || holds_tests(path));
        let is_allowed = |path: &&Path| harness.may_change(path);
        if tests.is_empty() {
            // The reason may be a feature that is off by default, a product list that tests iterate, or unrecognized tests.
            let excused = others.iter().any(|path| is_allowed(path) && is_code(path));
            return Reasons {
                open: others.into_iter().filter(|path| !is_allowed(path)).take(NAMED).collect(),
                excused,
            };
        }
        let (allowed, open): (Vec<&Path>, Vec<&Path>) = tests.into_iter().partition(is_allowed);
        Reasons { excused: !allowed.is_empty() && open.is_empty(), open }
    }

    fn resolve(&self, goal: &str, harness: &Harness) -> String {
        match self.open.is_empty() {
            true => "restore the tests".to_owned(),
            false => {
                let declare = harness.declare(goal, self.open.iter().copied());
                format!("restore the tests; if the goal requires this: {declare}")
            }
        }
    }
}

pub(super) fn holds_tests(path: &Path, text: &[u8]) -> bool {
    path.extension().is_some_and(|extension| extension == "rs") && !mutate::inline_tests(text).is_empty()
}

/// `fewer-tests`: the same verify had more tests when the goal was started. An excused finding is only a note: a count does
/// not show which tests are missing, so nothing could resolve it.
pub(super) fn fewer([then, now]: [TestTally; 2], depth: Depth, excused: bool, resolve: &str) -> Option<GateFinding> {
    let (had, has) = (then.all(), now.all());
    if has >= had {
        return None;
    }
    let expected = format!("{had} tests, as at the goal's start");
    let has = counted(usize::try_from(has).unwrap_or(usize::MAX), "test");
    let seen = format!("verify has {has}; at the goal's start it had {had}{}", excuse(excused));
    let finding = GateFinding::of(depth, "fewer-tests", &expected, seen, resolve);
    Some(if excused { finding.level(GateLevel::Note) } else { finding })
}

/// `more-skips`: tests that ran when the goal was started are now skipped or expected to fail.
pub(super) fn skipped([then, now]: [TestTally; 2], depth: Depth, excused: bool, resolve: &str) -> Option<GateFinding> {
    let (idle_then, idle_now) = (then.skipped + then.excused, now.skipped + now.excused);
    if idle_now <= idle_then {
        return None;
    }
    // A new test that is skipped does not reduce the tests that count.
    let fewer_count = now.ran - now.excused.min(now.ran) < then.ran - then.excused.min(then.ran);
    let depth = if fewer_count { depth } else { Depth::Fast };
    let expected = format!("{idle_then} tests skipped or expected to fail, as at the goal's start");
    let excuse = excuse(excused);
    let tests = counted(usize::try_from(idle_now).unwrap_or(usize::MAX), "test");
    let seen = format!("{tests} skipped or expected to fail; at the goal's start it was {idle_then}{excuse}");
    let finding = GateFinding::of(depth, "more-skips", &expected, seen, resolve);
    // Beside more tests that run, new ones may be skipped for a reason, such as another system.
    let are_new = now.ran > then.ran && now.all() >= then.all() + idle_now - idle_then;
    Some(if excused || are_new { finding.level(GateLevel::Note) } else { finding })
}

fn excuse(excused: bool) -> &'static str {
    if excused { "; files under `may_change` were changed" } else { "" }
}
