//! `clean-replay-red`: verify is red in a clean export of the tree, or three runs on the same files disagree.

use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, unresolved};
use super::{GateFinding, remedy};
use crate::replay::{Replay, RunOutcome, Stop};

const ROW: &str = "clean-replay-red";
const EXPECTED: &str = "a verify that is green every time on the files that git has";
const RESOLVE_EXPORT: &str = "make verify run on the files that git has: add the missing file, or let a person name it in `gate_keep` of `~/.config/plan/config.yaml`";
/// How many runs must agree. The first one is the base of every row.
const RUNS: usize = 3;

pub(super) enum FirstRun {
    Green,
    Block(GateFinding),
    /// Nothing can be decided. Holds the reason and how to resolve it.
    Unresolved(String, String),
    /// As `Unresolved`, but verify is green with the ignored files, so the tests of the start can be tried with them too.
    Ignored(String, String),
}

/// Runs verify once on the tree itself. A red run may be excused only because verify was green in place. In a rerun nobody
/// saw that, so nothing is excused.
pub(super) fn first(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<FirstRun, Stop> {
    let outcome = replay.run(&candidate.last, "a clean export of the tree")?;
    let lacks = lacks(candidate, replay);
    if candidate.request.alone {
        return Ok(match outcome {
            RunOutcome::Green => FirstRun::Green,
            RunOutcome::Unstartable(why) => FirstRun::Block(unproved(&format!("it cannot start: {why}{lacks}"))),
            RunOutcome::Red(why) => FirstRun::Block(unproved(&format!("{}{lacks}", ended(&why)))),
            RunOutcome::Slow(why) => FirstRun::Block(unproved(&format!("{why}{lacks}"))),
        });
    }
    let why = match outcome {
        RunOutcome::Green => return Ok(FirstRun::Green),
        RunOutcome::Slow(why) => {
            return Ok(FirstRun::Unresolved(format!("in a clean export: {why}"), "make verify faster".to_owned()));
        }
        RunOutcome::Unstartable(why) => {
            format!("verify is green in place, but it cannot start in a clean export: {why}{lacks}")
        }
        RunOutcome::Red(why) if lacks.is_empty() => {
            let is_chance =
                replay.again(&candidate.last, "the same export again, after a red run")? == RunOutcome::Green;
            return Ok(FirstRun::Block(match is_chance {
                true => not_the_same(&[(1, why)]),
                false => red_twice(candidate, replay, &why)?,
            }));
        }
        RunOutcome::Red(why) => format!("verify is green in place, but red in a clean export: {why}{lacks}"),
    };
    // If the reason is a file that a git filter changed, no file is missing.
    if replay.missing(&candidate.last).is_none() && replay.filtered(|path| candidate.harness.is_harness(path)).is_some()
    {
        return Ok(FirstRun::Unresolved(why, resolve_export(candidate)));
    }
    let started = started_at_start(candidate, replay)?;
    Ok(match replay.run_with_ignored(&candidate.last, "the export with ignored files")? {
        Some(RunOutcome::Green) if lacks.is_empty() => {
            let names = replay.copied().join("`, `");
            FirstRun::Ignored(format!("{why}; it is green with what git ignores: `{names}`"), resolve_export(candidate))
        }
        Some(RunOutcome::Green) => FirstRun::Ignored(why, resolve_export(candidate)),
        Some(_) if started => FirstRun::Block(red(format!("{why}; the files of the goal's start do run there"))),
        _ => FirstRun::Unresolved(why, resolve_export(candidate)),
    })
}

/// An export has no files of a submodule that is not clean at its commit, so `gate_keep` would not help there.
fn resolve_export(candidate: &Candidate<'_>) -> String {
    let changed = candidate.request.replay.submodules.iter().find(|one| one.dirty);
    changed.map_or_else(|| RESOLVE_EXPORT.to_owned(), |changed| remedy::of_submodule(&changed.path))
}

/// Returns the finding for a second red run. It names the ignored files, if verify is green with them.
fn red_twice(candidate: &Candidate<'_>, replay: &mut Replay<'_>, why: &str) -> Result<GateFinding, Stop> {
    let seen = format!("verify is green in place, but red twice in a clean export: {why}");
    let what = "the export with ignored files";
    if replay.run_with_ignored(&candidate.last, what)? != Some(RunOutcome::Green) || replay.copied().is_empty() {
        return Ok(red(seen));
    }
    let seen = format!("{seen}; it is green with what git ignores: `{}`", replay.copied().join("`, `"));
    let resolve = format!(
        "make verify pass without them, or put them into git; if everyone has files of their own there, a person writes \
         `gate_keep: {:?}` into `~/.config/plan/config.yaml`",
        replay.copied()
    );
    Ok(GateFinding::block(ROW, EXPECTED, seen, &resolve))
}

fn red(seen: String) -> GateFinding {
    GateFinding::block(ROW, EXPECTED, seen, "make verify pass on the files that git has, without ignored files")
}

/// Whether verify could run in an export of the goal's start, green or red. Then it lacked no file there.
fn started_at_start(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<bool, Stop> {
    let Some(base) = candidate.base() else { return Ok(false) };
    Ok(match replay.run(base, "the files of the goal's start")? {
        RunOutcome::Green => true,
        // A missing file that the work has added since is not an ignored file.
        RunOutcome::Red(_) => replay.missing(base).is_none_or(|path| candidate.last.get(&path).is_some()),
        RunOutcome::Unstartable(_) | RunOutcome::Slow(_) => false,
    })
}

/// The finding if nobody has seen verify green, and it is red here.
pub(super) fn unproved(why: &str) -> GateFinding {
    let resolve = "make verify pass on the files as they are, also after later goals; or provide what it needs: files in \
                   git, dependencies, programs";
    GateFinding::block(ROW, EXPECTED, format!("verify is red in a clean export: {why}"), resolve)
}

/// The finding if nobody has seen verify green, and it cannot be run here.
pub(super) fn not_run(why: &str, resolve: &str) -> GateFinding {
    GateFinding::block(ROW, EXPECTED, format!("verify could not be run in a clean export: {why}"), resolve)
}

/// Rewords `exit 1: OK` for a reader, because a run that fails may still print a success message at its end.
fn ended(why: &str) -> String {
    match why.split_once(": ") {
        Some((reason, line)) if line != "no output" => format!("{reason}; its last line: `{line}`"),
        _ => why.to_owned(),
    }
}

/// Describes a file that the last run may have lacked in the export, as `; …`; empty if there is none.
fn lacks(candidate: &Candidate<'_>, replay: &Replay<'_>) -> String {
    match replay.missing(&candidate.last) {
        Some(path) => format!("; the export lacks `{}`, which git does not have", path.display()),
        None => match replay.filtered(|path| candidate.harness.is_harness(path)) {
            Some(path) => format!("; `{}` on disk differs from the file in git: a filter made it", path.display()),
            None => String::new(),
        },
    }
}

/// Repeats the run on the same files until there are [`RUNS`] runs. The pattern of failures distinguishes randomness from
/// files that a run leaves behind.
pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let mut failed = Vec::new();
    for number in probe.replay.greens() + 1..=RUNS {
        let what = format!("the same export again ({number} of {RUNS})");
        match probe.replay.again(&probe.candidate.last, &what) {
            Err(Stop::Budget) if !failed.is_empty() => break,
            outcome => match outcome? {
                RunOutcome::Green => {}
                RunOutcome::Slow(why) => return Ok(unresolved(&[ROW], why, "make verify faster").into()),
                RunOutcome::Red(why) | RunOutcome::Unstartable(why) => failed.push((number, why)),
            },
        }
    }
    Ok(if failed.is_empty() { RowResult::default() } else { not_the_same(&failed).into() })
}

/// The finding if some runs failed, each with a reason. No file is missing, because another run was green.
fn not_the_same(failed: &[(usize, String)]) -> GateFinding {
    let runs: Vec<String> = failed.iter().map(|(number, why)| format!("run {number} failed with {why}")).collect();
    let seen = format!("{RUNS} runs on the same files did not agree: {}; the others were green", runs.join("; "));
    let resolve = match failed {
        [(2, _), (3, _)] => "find what the first run leaves behind that breaks the next ones",
        _ => "find what else verify depends on: time, order, randomness, another program",
    };
    GateFinding::block(ROW, EXPECTED, seen, resolve)
}
