//! The rows of `SIGNOFF.md` §3 that run verify again, each in a clean export, in the order of the table and within a
//! budget.

mod bring;
pub(super) mod checker;
mod counted;
mod excuse;
mod fence;
mod place;
mod scene;
mod spy;
mod yard;

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Finding, Level, approved_tests_red, canary_survived, clean_replay_red, never_red, no_mutant_killed};
use crate::error::{Error, Kind, Result};
use crate::plan::model::GoalKind;
use crate::repo::{Entry, ObjectId, Repo};
use crate::signoff::history::Seen;
use crate::signoff::stage1::Line;
use crate::signoff::watch::Watch;

pub(super) use scene::Scene;
pub(super) use yard::{Stop, Told, Yard};

/// The rows, in their order.
pub const ROWS: [&str; 5] =
    ["approved-tests-red", "never-red", "canary-survived", "clean-replay-red", "no-mutant-killed"];

/// What the full gate is asked about. Any tree will do: the work tree at the end of a goal, or a commit's.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// The repository.
    pub repo: &'j Repo,
    /// The plan's root, absolute, links resolved, in the work tree: verify runs in the same folder of an export.
    pub root: &'j Path,
    /// The goal's verify.
    pub line: &'j Line,
    /// The goal's kind.
    pub kind: GoalKind,
    /// The goal's `may_change`.
    pub may_change: &'j [String],
    /// The files of the tree, as [`Repo::tree`] or [`Repo::entries`] has them.
    pub entries: &'j [Entry],
    /// The plan file, where it lies in the work tree and not in the tree: exported as it stands, for git and for those who
    /// look at every file.
    pub plan_file: Option<&'j Path>,
    /// Submodules that are checked out and clean: linked in.
    pub submodules: &'j [PathBuf],
    /// The tree at the goal's start, where it is at hand.
    pub base: Option<ObjectId>,
    /// What the log says about verify at the start.
    pub seen: Seen,
    /// The limit of one run of verify.
    pub limit: Duration,
    /// The limit of all.
    pub budget: Duration,
    /// More folders to link in, by name or by path (`gate_keep`).
    pub keep: &'j [String],
    /// Nobody ran verify in place: its tests are counted here, at the start and now.
    pub alone: bool,
    /// Who watches.
    pub watch: &'j dyn Watch,
}

/// What the full gate came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// At most one that blocks; leads `unresolved` and `not-reached`, which name their rows.
    pub findings: Vec<Finding>,
    /// Rows that were looked at to their end.
    pub reached: usize,
    /// Today's tests on the base source were red.
    pub seen_red: bool,
}

impl Report {
    /// `full`, or `3 of 5` where the budget ended it.
    pub fn extent(&self) -> String {
        match self.reached >= ROWS.len() || self.findings.iter().any(|finding| finding.level == Level::Block) {
            true => "full".to_owned(),
            false => format!("{} of {}", self.reached, ROWS.len()),
        }
    }

    /// The rows that the budget did not reach; none behind one that blocks.
    pub fn not_reached(&self) -> &'static [&'static str] {
        match self.findings.iter().any(|finding| finding.level == Level::Block) {
            true => &[],
            false => ROWS.get(self.reached..).unwrap_or_default(),
        }
    }
}

/// Runs the rows on a tree. Nothing is written into the repository; the export is removed whatever happens.
///
/// # Errors
/// [`Kind::Interrupted`] and [`Kind::Refused`] (inside itself). What else goes wrong (no room, git fails) is an
/// `unresolved` lead: what cannot be measured speaks against nobody.
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
        Err(Stop::Error(error)) => {
            report.findings.push(cannot(report.not_reached(), &error));
            report.reached = ROWS.len();
        }
    }
    Ok(report)
}

fn ends_all(error: &Error) -> bool {
    matches!(error.kind, Kind::Interrupted | Kind::Refused)
}

/// The first row that blocks.
fn rows(job: &Job<'_>, report: &mut Report) -> std::result::Result<Option<Finding>, Stop> {
    let scene = Scene::of(job)?;
    let mut yard = Yard::open(job, scene.last(), scene.watched())?;
    // Every row stands on this: the tree itself, green in a clean export.
    match clean_replay_red::first(&scene, &mut yard)? {
        clean_replay_red::First::Green => {}
        clean_replay_red::First::Block(finding) => return Ok(Some(finding)),
        clean_replay_red::First::Unresolved(why, resolve) => {
            report.findings.push(unresolved(&ROWS, why, resolve));
            report.reached = ROWS.len();
            return Ok(None);
        }
    }
    if let Some(block) = if job.alone { counted::look(&scene, &mut yard, report)? } else { None } {
        return Ok(Some(block));
    }
    let looks =
        [approved_tests_red::row, never_red::row, canary_survived::row, clean_replay_red::row, no_mutant_killed::row];
    for (name, look) in ROWS.iter().zip(looks) {
        let found = match look(&scene, &mut yard) {
            // A damaged base is no reason to leave out the rows that need none.
            Err(Stop::Error(error)) if !ends_all(&error) => cannot(&[name], &error).into(),
            found => found?,
        };
        report.seen_red |= found.seen_red;
        match found.finding {
            Some(finding) if finding.level == Level::Block => return Ok(Some(finding)),
            finding => report.findings.extend(finding),
        }
        report.reached += 1;
    }
    Ok(None)
}

/// What a row found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) finding: Option<Finding>,
    /// Today's tests were red on the base source.
    pub(super) seen_red: bool,
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        Found { finding: Some(finding), ..Found::default() }
    }
}

/// A row that could not be decided: a lead.
pub(super) fn unresolved(rows: &[&str], why: impl std::fmt::Display, resolve: &str) -> Finding {
    Finding::lead("unresolved", "every row of the gate decided", format!("{}: {why}", rows.join(", ")), resolve)
}

/// A row that says nothing, because verify does not run on the export.
pub(super) fn reads_elsewhere(row: &str, yard: &Yard<'_>) -> Finding {
    let read = yard.reads().unwrap_or(Path::new("")).display();
    let why = format!("verify reads `{read}` of the work tree, not of the export");
    unresolved(&[row], why, "let it load what stands beside it, without an absolute path")
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
    Report { findings: vec![unresolved(&ROWS, why, resolve)], reached: ROWS.len(), seen_red: false }
}
