//! The rows of `SIGNOFF.md` §3 that run verify again. They run in clean exports, in the order of the table, within a
//! budget.

pub(super) mod candidate;
pub(super) mod checker;
mod examples;
mod import_map;
mod named_like_tests;
pub(super) mod reading;
pub(super) mod recurring;
mod report;
mod request;
pub(super) mod row;
pub(super) mod tests_within;

use self::candidate::Candidate;
use self::row::{Probe, RowResult, unresolved};
use super::{
    Depth, GateFinding, GateLevel, approved_tests_red, clean_replay_red, is_left_out, items, never_red, rows,
    test_counts,
};
use crate::error::{Error, Kind, Result};
use crate::replay::{Replay, Spent, Stop};

pub use report::{FullReport, RowRun};
pub use request::FullRequest;
pub use row::RowStatus;

/// Runs the rows on a tree. Writes nothing into the repository, and always removes the export.
///
/// # Errors
/// [`Kind::Interrupted`], and [`Kind::Refused`] for a run inside itself. Any other error (no space, git fails) becomes
/// the lead `unresolved`, because a row that cannot be measured never blocks. If nobody saw verify green
/// ([`FullRequest::alone`]), such an error blocks, unless verify was already green here.
pub fn run(request: &FullRequest<'_>) -> Result<FullReport> {
    let mut report = nothing_reached();
    match look(request, &mut report) {
        Ok(Some(block)) => report.findings.insert(0, block),
        Ok(None) if report.rows.iter().all(|row| row.status != RowStatus::NotReached) => {}
        Ok(None) | Err(Stop::Budget) => {
            let left = report.not_reached();
            report.findings.push(not_reached(request, &left));
        }
        Err(Stop::Error(error)) if ends_all(&error) => return Err(error),
        Err(Stop::Error(error)) if request.alone && !report.green => {
            report.findings.push(clean_replay_red::not_run(&error.message, how_to_mend(&error)));
        }
        Err(Stop::Error(error)) => report.findings.push(cannot(&report.not_reached(), &error)),
    }
    Ok(report)
}

fn nothing_reached() -> FullReport {
    FullReport { all: rows::rows_running_verify().map(|(code, _)| code).collect(), ..FullReport::default() }
}

fn ends_all(error: &Error) -> bool {
    matches!(error.kind, Kind::Interrupted | Kind::Refused)
}

/// Turns an error into the default value, so that an error in the base skips only the parts that need the base.
fn or_default_on_error<T: Default>(outcome: std::result::Result<T, Stop>) -> std::result::Result<T, Stop> {
    match outcome {
        Err(Stop::Error(error)) if !ends_all(&error) => Ok(T::default()),
        outcome => outcome,
    }
}

/// Opens the export and runs the rows. Returns the first finding that blocks.
fn look(request: &FullRequest<'_>, report: &mut FullReport) -> std::result::Result<Option<GateFinding>, Stop> {
    let candidate = Candidate::of(request)?;
    let mut replay = Replay::open(&request.replay, &candidate.last, candidate.watched())?;
    let block = look_at(request, candidate, &mut replay, report);
    report.spent = replay.spent().since(Spent::default());
    block
}

fn look_at(
    request: &FullRequest<'_>,
    mut candidate: Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut FullReport,
) -> std::result::Result<Option<GateFinding>, Stop> {
    // Every row depends on this: the tree itself is green in a clean export.
    match clean_replay_red::first(&candidate, replay)? {
        clean_replay_red::FirstRun::Green => {
            report.green = true;
            replay.import_from_export(&candidate.last)?;
        }
        clean_replay_red::FirstRun::Block(finding) => return Ok(Some(finding)),
        clean_replay_red::FirstRun::Unresolved(why, resolve) => {
            report.findings.push(unresolved(&report.not_reached(), why, &resolve));
            return Ok(None);
        }
        clean_replay_red::FirstRun::Ignored(why, resolve) => {
            // Ignored build results may not belong to the files that a row runs on, but the tests are not affected.
            let found = Probe::run("approved-tests-red", approved_tests_red::row, &candidate, replay);
            let found = or_default_on_error(found)?.finding;
            report.findings.push(unresolved(&report.not_reached(), why, &resolve));
            return Ok(found.filter(|finding| finding.level == GateLevel::Block));
        }
    }
    if request.alone {
        if let Some(block) = or_default_on_error(test_counts::of_rerun(&candidate, replay, report))? {
            return Ok(Some(block));
        }
        if let Some(block) = or_default_on_error(items::red_checks_of_rerun(&candidate, replay, report))? {
            return Ok(Some(block));
        }
        candidate.seen = or_default_on_error(never_red::at_start(&candidate, replay))?;
    }
    for (index, (code, look)) in rows::rows_running_verify().enumerate() {
        replay.announce(format!("gate {} of {}, {code}", index + 1, report.all.len()));
        if let Some(block) = row(code, look, &candidate, replay, report)? {
            return Ok(Some(block));
        }
    }
    report.believe_mutants();
    Ok(None)
}

/// Runs one row and returns its finding if it blocks. If the budget is too small for a row, later rows that need no
/// further run are still tried.
fn row(
    code: &'static str,
    look: rows::RunsVerify,
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut FullReport,
) -> std::result::Result<Option<GateFinding>, Stop> {
    let before = replay.spent();
    let found = match Probe::run(code, look, candidate, replay) {
        Err(Stop::Budget) => None,
        // As in `or_default_on_error`.
        Err(Stop::Error(error)) if !ends_all(&error) => Some(RowResult::from(cannot(&[code], &error))),
        found => Some(found?),
    };
    let found = found.map(|found| match found.finding.as_ref().is_some_and(|finding| is_left_out(finding.code)) {
        true => RowResult::default(),
        false => found,
    });
    let status = found.as_ref().map_or(RowStatus::NotReached, RowResult::status);
    let why = found.as_ref().and_then(|found| found.idle.clone());
    report.rows.push(RowRun { row: code, status, why, spent: replay.spent().since(before) });
    let Some(found) = found else { return Ok(None) };
    report.seen_red |= found.seen_red;
    report.own_work |= found.own_work;
    if status == RowStatus::Blocked {
        return Ok(found.finding);
    }
    report.findings.extend(found.finding);
    Ok(None)
}

fn not_reached(request: &FullRequest<'_>, rows: &[&str]) -> GateFinding {
    let why = format!("the budget of {} s ran out", request.replay.budget.as_secs());
    let resolve = match request.depth {
        Depth::Full => "make verify faster, or raise `gate_budget` in your configuration".to_owned(),
        Depth::Auto | Depth::Fast => format!("`plan complete {} --gate full`", request.goal),
    };
    GateFinding::about("not-reached", rows, "every gate row to decide within the budget", why, &resolve)
}

fn cannot(rows: &[&str], error: &Error) -> GateFinding {
    unresolved(rows, &error.message, how_to_mend(error))
}

fn how_to_mend(error: &Error) -> &str {
    error.hints.first().map_or("fix this error, then run the command again", String::as_str)
}

/// Returns the report for a goal whose verify cannot run again, because there is no repository or no verify.
pub fn nothing_to_run(why: &str, resolve: &str) -> FullReport {
    let nothing = nothing_reached();
    FullReport { findings: vec![unresolved(&nothing.not_reached(), why, resolve)], ..nothing }
}
