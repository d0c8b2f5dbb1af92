//! Where no verify was run in place (`audit --rerun`): what its runner says of the tests that ran, in the export and at the
//! goal's start.

use super::candidate::Candidate;
use super::replay::{Replay, RunOutcome, Stop};
use super::report::ReplayReport;
use crate::signoff::gate::nothing_ran::Tally;
use crate::signoff::gate::{Depth, Finding, fast, fewer_tests, more_skips};

/// What the last run, one of the tree itself, says of its tests; after that one more of the tree at the start, where the
/// runner counts its tests. The finding that blocks.
pub(super) fn look(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut ReplayReport,
) -> Result<Option<Finding>, Stop> {
    if let Some(finding) = replay.last_run().and_then(|run| fast::empty_run(candidate.request.line, run)) {
        return Ok(Some(finding));
    }
    let (Some(now), Some(base)) = (replay.tally(), candidate.base().cloned()) else { return Ok(None) };
    // Red is as good as green: its tests are counted, not judged.
    let what = format!("{}, whose tests are counted", candidate.goals_start());
    if !matches!(replay.run(&base, &what)?, RunOutcome::Green | RunOutcome::Red(_)) {
        return Ok(None);
    }
    let Some(then) = replay.tally() else { return Ok(None) };
    let was_there = candidate.changed().filter(|path| base.get(path).is_some());
    let resolve = fewer_tests::resolve_in(candidate.request.goal, candidate.harness(), was_there);
    let found = held_against(then, now, is_excused(candidate), &resolve);
    let (blocks, leads): (Vec<Finding>, Vec<Finding>) =
        found.into_iter().partition(|finding| finding.level == crate::signoff::gate::Level::Block);
    report.findings.extend(leads);
    Ok(blocks.into_iter().next())
}

fn held_against(then: Tally, now: Tally, excused: bool, resolve: &str) -> Vec<Finding> {
    let rows = [fewer_tests::between, more_skips::between];
    rows.into_iter().filter_map(|row| row(then, now, Depth::Full, excused, resolve)).collect()
}

/// Which tests are gone cannot be told from a number, where the goal may change some and did.
fn is_excused(candidate: &Candidate<'_>) -> bool {
    let was_there = |path: &std::path::Path| candidate.base().is_some_and(|base| base.get(path).is_some());
    candidate.changed().any(|path| candidate.harness().may_change(path) && was_there(path))
}
