//! Counts tests if verify did not run in place (`audit --rerun`), in the export and at the goal's start.

use std::path::Path;

use super::candidate::Candidate;
use super::report::FullReport;
use crate::gate::{Depth, Finding, Level, fewer_tests, more_skips, verify_run};
use crate::replay::{Replay, RunOutcome, Stop};

/// Compares the tests of the last run, which ran the tree itself, with those of one more run on the start, if the
/// runner counts its tests. Returns the finding that blocks.
pub(super) fn look(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut FullReport,
) -> Result<Option<Finding>, Stop> {
    let line = candidate.request.replay.line;
    if let Some(finding) = replay.last_run().and_then(|run| verify_run::logged_nothing(line, run)) {
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
    let holds_tests = |path: &Path| text(path).is_some_and(|text| fewer_tests::holds_tests(path, &text));
    let resolve = fewer_tests::resolve_in(candidate.request.goal, &candidate.harness, was_there, holds_tests);
    let excused = is_excused(candidate);
    let rows = [fewer_tests::between, more_skips::between];
    let found = rows.into_iter().filter_map(|row| row(then, now, Depth::Full, excused, &resolve));
    let (blocks, leads): (Vec<Finding>, Vec<Finding>) = found.partition(|finding| finding.level == Level::Block);
    report.findings.extend(leads);
    Ok(blocks.into_iter().next())
}

/// Whether the goal may change tests and did. A count does not tell which tests are missing then.
fn is_excused(candidate: &Candidate<'_>) -> bool {
    let was_there = |path: &Path| candidate.base().is_some_and(|base| base.get(path).is_some());
    candidate.changed().any(|path| candidate.harness.may_change(path) && was_there(path))
}
