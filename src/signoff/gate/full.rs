//! The rows of `SIGNOFF.md` §3 that run verify again, each in a clean export, in the order of the table and within a
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
pub(super) mod work;
pub(super) mod yard;

use std::path::Path;
use std::time::Duration;

use self::found::unresolved;
use self::work::Work;
use self::yard::{Stop, Yard};

use super::{Finding, Level, approved_tests_red, canary_survived, clean_replay_red, never_red, no_mutant_killed};
use crate::error::{Error, Kind, Result};

pub use job::Job;
pub use report::{ROWS, Report};

/// Runs the rows on a tree. Nothing is written into the repository; the export is removed whatever happens.
///
/// # Errors
/// [`Kind::Interrupted`] and [`Kind::Refused`] (inside itself). What else goes wrong (no room, git fails) is an
/// `unresolved` lead: what cannot be measured speaks against nobody. Only where nobody saw verify green ([`Job::alone`])
/// nothing speaks for it either, until it was green here.
pub fn run(job: &Job<'_>) -> Result<Report> {
    let mut report = Report::default();
    match rows(job, &mut report) {
        Ok(Some(block)) => report.findings.insert(0, block),
        Ok(None) => {}
        Err(Stop::Budget) => {
            let finding = not_reached(job.budget, report.not_reached());
            report.findings.push(finding);
        }
        Err(Stop::Error(error)) if ends_all(&error) => return Err(error),
        Err(Stop::Error(error)) if job.alone && !report.green => {
            report.findings.push(clean_replay_red::unproved(&error.message));
        }
        Err(Stop::Error(error)) => report.findings.push(cannot(report.not_reached(), &error)),
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
fn rows(job: &Job<'_>, report: &mut Report) -> std::result::Result<Option<Finding>, Stop> {
    let mut work = Work::of(job)?;
    let mut yard = Yard::open(job, work.last(), work.watched())?;
    // Every row stands on this: the tree itself, green in a clean export.
    match clean_replay_red::first(&work, &mut yard)? {
        clean_replay_red::First::Green => report.green = true,
        clean_replay_red::First::Block(finding) => return Ok(Some(finding)),
        clean_replay_red::First::Unresolved(why, resolve) => {
            report.findings.push(unresolved(&ROWS, why, resolve));
            return Ok(None);
        }
        clean_replay_red::First::Ignored(why, resolve) => {
            // Builds that git ignores may be of other files than those of a row; the tests are what they are.
            let found = or_untold(approved_tests_red::row(&work, &mut yard))?.finding;
            report.findings.push(unresolved(&ROWS, why, resolve));
            return Ok(found.filter(|finding| finding.level == Level::Block));
        }
    }
    if job.alone {
        if let Some(block) = or_untold(counted::look(&work, &mut yard, report))? {
            return Ok(Some(block));
        }
        work.seen = or_untold(never_red::at_start(&work, &mut yard))?;
    }
    let looks =
        [approved_tests_red::row, never_red::row, canary_survived::row, clean_replay_red::row, no_mutant_killed::row];
    for (name, look) in ROWS.iter().zip(looks) {
        let found = match look(&work, &mut yard) {
            // As in `or_untold`.
            Err(Stop::Error(error)) if !ends_all(&error) => cannot(&[name], &error).into(),
            found => found?,
        };
        report.seen_red |= found.seen_red;
        match found.finding {
            Some(finding) if finding.level == Level::Block => return Ok(Some(finding)),
            finding => {
                report.open.extend(finding.as_ref().filter(|finding| finding.code == found::UNRESOLVED).map(|_| *name));
                report.findings.extend(finding);
            }
        }
        report.reached += 1;
    }
    Ok(None)
}

fn not_reached(budget: Duration, rows: &[&str]) -> Finding {
    let seen = format!("{}: the budget of {} s was over", rows.join(", "), budget.as_secs());
    let resolve = "a faster verify, or a larger `gate_budget` in your configuration";
    Finding::lead("not-reached", "every row of the gate within its budget", seen, resolve)
}

fn cannot(rows: &[&str], error: &Error) -> Finding {
    unresolved(rows, &error.message, "clear what hinders the export, then run it again")
}

/// Where there is no repository, or the goal has no verify: nothing can be run again.
pub fn nothing_to_run(why: &str) -> Report {
    let resolve = "give the goal a verify, in a git repository";
    Report { findings: vec![unresolved(&ROWS, why, resolve)], ..Report::default() }
}
