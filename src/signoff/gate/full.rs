//! The rows of `SIGNOFF.md` §3 that run verify again, each in a clean export, in the order of their table and within a
//! budget.

mod bring;
mod caches;
pub(super) mod checker;
mod counted;
mod excuse;
pub(super) mod fence;
pub(super) mod found;
mod job;
pub(super) mod reading;
mod report;
mod spy;
mod told;
pub(super) mod work;
pub(super) mod yard;

use std::path::Path;

use self::found::{Found, unresolved};
use self::work::Work;
use self::yard::{Stop, Yard};

use super::{Depth, Finding, Level, approved_tests_red, clean_replay_red, never_red, rows};
use crate::error::{Error, Kind, Result};

pub use job::Job;
pub use report::{Came, Looked, Report, Spent};

/// Runs the rows on a tree. Nothing is written into the repository; the export is removed whatever happens.
///
/// # Errors
/// [`Kind::Interrupted`] and [`Kind::Refused`] (inside itself). What else goes wrong (no room, git fails) is an
/// `unresolved` lead: what cannot be measured speaks against nobody. Only where nobody saw verify green ([`Job::alone`])
/// nothing speaks for it either, until it was green here.
pub fn run(job: &Job<'_>) -> Result<Report> {
    let mut report = Report::default();
    match look(job, &mut report) {
        Ok(Some(block)) => report.findings.insert(0, block),
        Ok(None) if report.rows.iter().all(|row| row.came != Came::NotReached) => {}
        Ok(None) | Err(Stop::Budget) => {
            let left = report.not_reached();
            report.findings.push(not_reached(job, &left));
        }
        Err(Stop::Error(error)) if ends_all(&error) => return Err(error),
        Err(Stop::Error(error)) if job.alone && !report.green => {
            report.findings.push(clean_replay_red::unproved(&error.message));
        }
        Err(Stop::Error(error)) => report.findings.push(cannot(&report.not_reached(), &error)),
    }
    Ok(report)
}

/// Below a folder in which dependencies are installed or builds leave what they have made.
pub(super) fn is_made(path: &Path) -> bool {
    let is_output = |above: &Path| ["build", "dist", "out"].iter().any(|name| above.ends_with(name));
    path.ancestors().any(|above| bring::is_installed(above) || caches::is_cache(above) || is_output(above))
}

fn ends_all(error: &Error) -> bool {
    matches!(error.kind, Kind::Interrupted | Kind::Refused)
}

/// A damaged base is no reason to leave out what needs none.
fn or_untold<T: Default>(told: std::result::Result<T, Stop>) -> std::result::Result<T, Stop> {
    match told {
        Err(Stop::Error(error)) if !ends_all(&error) => Ok(T::default()),
        told => told,
    }
}

/// The first row that blocks.
fn look(job: &Job<'_>, report: &mut Report) -> std::result::Result<Option<Finding>, Stop> {
    let work = Work::of(job)?;
    let mut yard = Yard::open(job, work.last(), work.watched())?;
    let block = look_at(job, work, &mut yard, report);
    report.spent = yard.spent().since(Spent::default());
    block
}

fn look_at(
    job: &Job<'_>,
    mut work: Work<'_>,
    yard: &mut Yard<'_>,
    report: &mut Report,
) -> std::result::Result<Option<Finding>, Stop> {
    // Every row stands on this: the tree itself, green in a clean export.
    match clean_replay_red::first(&work, yard)? {
        clean_replay_red::First::Green => report.green = true,
        clean_replay_red::First::Block(finding) => return Ok(Some(finding)),
        clean_replay_red::First::Unresolved(why, resolve) => {
            report.findings.push(unresolved(&report.not_reached(), why, resolve));
            return Ok(None);
        }
        clean_replay_red::First::Ignored(why, resolve) => {
            // Builds that git ignores may be of other files than those of a row; the tests are what they are.
            let found = or_untold(approved_tests_red::row(&work, yard))?.finding;
            report.findings.push(unresolved(&report.not_reached(), why, resolve));
            return Ok(found.filter(|finding| finding.level == Level::Block));
        }
    }
    if job.alone {
        if let Some(block) = or_untold(counted::look(&work, yard, report))? {
            return Ok(Some(block));
        }
        work.seen = or_untold(never_red::at_start(&work, yard))?;
    }
    for (code, look) in rows::that_run() {
        if let Some(block) = row(code, look, &work, yard, report)? {
            return Ok(Some(block));
        }
    }
    report.believe_mutants();
    Ok(None)
}

/// One row: the finding that blocks. A row that the budget does not reach does not keep those from being looked at that
/// need no run any more.
fn row(
    code: &'static str,
    look: rows::Runs,
    work: &Work<'_>,
    yard: &mut Yard<'_>,
    report: &mut Report,
) -> std::result::Result<Option<Finding>, Stop> {
    let before = yard.spent();
    let found = match look(work, yard) {
        Err(Stop::Budget) => None,
        // As in `or_untold`.
        Err(Stop::Error(error)) if !ends_all(&error) => Some(Found::from(cannot(&[code], &error))),
        found => Some(found?),
    };
    let came = found.as_ref().map_or(Came::NotReached, Found::came);
    report.rows.push(Looked { row: code, came, spent: yard.spent().since(before) });
    let Some(found) = found else { return Ok(None) };
    report.seen_red |= found.seen_red;
    if came == Came::Blocked {
        return Ok(found.finding);
    }
    report.findings.extend(found.finding);
    Ok(None)
}

fn not_reached(job: &Job<'_>, rows: &[&str]) -> Finding {
    let seen = format!("{}: the budget of {} s was over", rows.join(", "), job.budget.as_secs());
    let resolve = match job.depth {
        Depth::Full => "a faster verify, or a larger `gate_budget` in your configuration".to_owned(),
        Depth::Auto | Depth::Fast => format!("`plan complete {} --gate full`", job.goal),
    };
    Finding::lead("not-reached", "every row of the gate within its budget", seen, &resolve)
}

fn cannot(rows: &[&str], error: &Error) -> Finding {
    unresolved(rows, &error.message, "clear what hinders the export, then run it again")
}

/// Where there is no repository, or the goal has no verify: nothing can be run again.
pub fn nothing_to_run(why: &str) -> Report {
    let resolve = "give the goal a verify, in a git repository";
    let nothing = Report::default();
    Report { findings: vec![unresolved(&nothing.not_reached(), why, resolve)], ..nothing }
}
