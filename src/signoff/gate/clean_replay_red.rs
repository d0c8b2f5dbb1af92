//! `clean-replay-red`: verify is red in a clean export of the tree, or not the same in three runs.

use super::Finding;
use super::full::candidate::Candidate;
use super::full::replay::{Replay, RunOutcome, Stop};
use super::full::row_result::{RowResult, unresolved};

const ROW: &str = "clean-replay-red";
const EXPECTED: &str = "a verify that is green, each time, on the files of the tree alone";
const RESOLVE_EXPORT: &str = "let it run from what git has: add the file, or name its folder in `gate_keep`";
/// The first one stands below every row.
const RUNS: usize = 3;

/// What the first run came to.
pub(super) enum FirstRun {
    Green,
    Block(Finding),
    /// Why nothing can be told, and what would resolve it.
    Unresolved(String, &'static str),
    /// The same; but it is green with what git ignores, on which the tests of the start can be tried too.
    Ignored(String, &'static str),
}

/// The tree itself, once. What is excused was green in place; in a rerun nobody has seen that, so nothing is.
pub(super) fn first(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<FirstRun, Stop> {
    let outcome = replay.run(candidate.last(), "a clean export of the tree")?;
    let lacks = lacks(candidate, replay);
    if candidate.request.alone {
        return Ok(match outcome {
            RunOutcome::Green => FirstRun::Green,
            RunOutcome::Unstartable(why) => FirstRun::Block(unproved(&format!("it cannot start: {why}{lacks}"))),
            RunOutcome::Red(why) | RunOutcome::Slow(why) => FirstRun::Block(unproved(&format!("{why}{lacks}"))),
        });
    }
    let why = match outcome {
        RunOutcome::Green => return Ok(FirstRun::Green),
        RunOutcome::Slow(why) => {
            return Ok(FirstRun::Unresolved(format!("in a clean export: {why}"), "a faster verify"));
        }
        RunOutcome::Unstartable(why) => format!("green in place, but it cannot start in a clean export: {why}{lacks}"),
        RunOutcome::Red(why) if lacks.is_empty() => {
            let is_chance =
                replay.again(candidate.last(), "the same export again, which was red")? == RunOutcome::Green;
            return Ok(FirstRun::Block(match is_chance {
                true => not_the_same(&[(1, why)]),
                false => red(format!("green in place, red in a clean export: {why}, twice")),
            }));
        }
        RunOutcome::Red(why) => format!("green in place, red in a clean export: {why}{lacks}"),
    };
    // What a filter makes differently is no file that is missing.
    if replay.missing(candidate.last()).is_none() && replay.filtered(candidate.harness()).is_some() {
        return Ok(FirstRun::Unresolved(why, RESOLVE_EXPORT));
    }
    let started = started_at_start(candidate, replay)?;
    Ok(match replay.run_with_ignored(candidate.last(), "the export with what git ignores")? {
        Some(RunOutcome::Green) => FirstRun::Ignored(why, RESOLVE_EXPORT),
        Some(_) if started => FirstRun::Block(red(format!("{why}; the files of the goal's start can be run there"))),
        _ => FirstRun::Unresolved(why, RESOLVE_EXPORT),
    })
}

fn red(seen: String) -> Finding {
    Finding::block(ROW, EXPECTED, seen, "let verify pass on what git has, without files that it ignores")
}

/// Verify could be run in an export of the goal's start, green or red: it lacked nothing there.
fn started_at_start(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<bool, Stop> {
    let Some(base) = candidate.base() else { return Ok(false) };
    Ok(match replay.run(base, "the files of the goal's start")? {
        RunOutcome::Green => true,
        // What the work has made since is nothing that git ignores.
        RunOutcome::Red(_) => replay.missing(base).is_none_or(|path| candidate.last().get(&path).is_some()),
        RunOutcome::Unstartable(_) | RunOutcome::Slow(_) => false,
    })
}

/// Nobody has seen verify green, and here it was not.
pub(super) fn unproved(why: &str) -> Finding {
    let resolve = "mend it, or have there what it needs: files that git has, dependencies, programs";
    Finding::block(ROW, EXPECTED, format!("not green in a clean export: {why}"), resolve)
}

/// What the last run may have missed in the export: `; …`, empty where nothing.
fn lacks(candidate: &Candidate<'_>, replay: &Replay<'_>) -> String {
    match replay.missing(candidate.last()) {
        Some(path) => format!("; the export has no `{}`, which is not in the tree", path.display()),
        None => match replay.filtered(candidate.harness()) {
            Some(path) => format!("; `{}` is on the disk not what git has: a filter made it", path.display()),
            None => String::new(),
        },
    }
}

/// The same files in the runs that are left, all of them: which ones fail tells chance from what a run leaves behind.
pub(super) fn row(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<RowResult, Stop> {
    let mut failed = Vec::new();
    for number in replay.greens() + 1..=RUNS {
        let what = format!("the same export again ({number} of {RUNS})");
        match replay.again(candidate.last(), &what) {
            Err(Stop::Budget) if !failed.is_empty() => break,
            outcome => match outcome? {
                RunOutcome::Green => {}
                RunOutcome::Slow(why) => return Ok(unresolved(&[ROW], why, "a faster verify").into()),
                RunOutcome::Red(why) | RunOutcome::Unstartable(why) => failed.push((number, why)),
            },
        }
    }
    Ok(if failed.is_empty() { RowResult::default() } else { not_the_same(&failed).into() })
}

/// Some of the runs failed, each with what: no file is missing, for another run was green.
fn not_the_same(failed: &[(usize, String)]) -> Finding {
    let runs: Vec<String> = failed.iter().map(|(number, why)| format!("run {number} failed with {why}")).collect();
    let seen = format!("not the same in {RUNS} runs on the same files: {}, the others were green", runs.join("; "));
    let resolve = match failed {
        [(2, _), (3, _)] => "find what the first run leaves behind and the next ones trip over",
        _ => "find what it depends on besides the files: time, order, chance, another program",
    };
    Finding::block(ROW, EXPECTED, seen, resolve)
}
