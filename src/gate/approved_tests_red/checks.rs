//! Runs the checks of the failure modes with the original files that they name. A check that passes only because
//! its files were changed rules nothing out.

use std::path::{Path, PathBuf};

use super::named;
use super::wording::ROW;
use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::{Probe, RowResult, unresolved};
use crate::gate::harness::Harness;
use crate::gate::{GateFinding, GateLevel, verify_run};
use crate::replay::{Replay, RunOutcome, Stop};
use crate::repo::export::Layout;
use crate::verify::stage1::CommandLine;

/// Messages of unittest and pytest about a test that does not exist.
const UNKNOWN_TEST: [&[&str]; 2] = [&["loader._FailedTest", "has no attribute '"], &["ERROR: not found: "]];
const RESOLVE: &str = "make the work pass the original check";

/// Returns the finding about verify. If that does not block, a blocking finding about a check replaces it.
pub(super) fn row(probe: &mut Probe<'_, '_>, found: RowResult) -> Result<RowResult, Stop> {
    let Some(base) = probe.candidate.base().filter(|_| !found.blocks()) else { return Ok(found) };
    let mut open = None;
    for (number, check) in probe.candidate.request.checks {
        match look(probe, base, *number, check)? {
            Some(finding) if finding.level == GateLevel::Block => return Ok(finding.into()),
            finding => open = open.or(finding),
        }
    }
    Ok(RowResult { finding: found.finding.or(open), ..found })
}

/// Runs the check of the failure mode with this number.
fn look(
    probe: &mut Probe<'_, '_>,
    base: &Layout,
    number: usize,
    check: &CommandLine,
) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    let (files, old) = restored(candidate, base, check)?;
    let Some(first) = files.first() else { return Ok(None) };
    let name = format!("F{number}, `{}`", check.text);
    let cannot_tell = |why: String| Some(unresolved(&[ROW], format!("the check of {name}: {why}"), RESOLVE));
    let start = &candidate.start;
    let outcome = probe.replay.check(check, &old, &format!("the tree with the files of this check as at {start}"))?;
    let why = match outcome {
        RunOutcome::Green => return Ok(None),
        RunOutcome::Red(_) if selects_nothing(probe, base, check)? => return Ok(None),
        RunOutcome::Red(why) => why,
        RunOutcome::Unstartable(why) | RunOutcome::Slow(why) => return Ok(cannot_tell(why)),
    };
    if probe.replay.check(check, &candidate.last, "the tree")? != RunOutcome::Green {
        return Ok(cannot_tell("it does not pass in a clean export".to_owned()));
    }
    // If verify needs today's version of these files, they are the work.
    if probe.replay.run(&old, &format!("the tree with the files of a check as at {start}"))? != RunOutcome::Green {
        let why = format!("`{}` has changed since {start}: it may be the work or its check", first.display());
        return Ok(if keeps(candidate, base, &files)? { None } else { cannot_tell(why) });
    }
    let names: Vec<String> = files.iter().map(|file| format!("`{}`", file.display())).collect();
    let seen = format!("the check of {name}, fails with {} as at {start}: {why}", names.join(", "));
    let declare = candidate.harness.declare(candidate.request.goal, files.iter().map(PathBuf::as_path));
    let resolve = format!("{RESOLVE}; if the goal requires a changed check: {declare}");
    let expected = format!("checks that pass as they stood at {}", candidate.goals_start);
    Ok(Some(GateFinding::block(ROW, &expected, seen, &resolve).at(first.to_string_lossy())))
}

/// Whether the check names a test that did not exist at the start, because the check was written with the goal, before its
/// test. The last run must show it, and so must a run on the files of the start, which the work cannot influence.
fn selects_nothing(probe: &mut Probe<'_, '_>, base: &Layout, check: &CommandLine) -> Result<bool, Stop> {
    // A program that is no test runner may print these words for another reason.
    let is_runner = check.sequence.argvs().iter().flatten().any(|word| *word == "unittest" || word.ends_with("pytest"));
    let finds_none = |replay: &Replay<'_>| {
        let output = replay.said_all();
        let says_so = || UNKNOWN_TEST.iter().any(|words| words.iter().all(|word| output.contains(word)));
        replay.last_run().is_some_and(|run| verify_run::ran_none(check, run).is_some()) || is_runner && says_so()
    };
    if !finds_none(probe.replay) {
        return Ok(false);
    }
    Ok(match probe.replay.check(check, base, "the check on the files of the start")? {
        RunOutcome::Red(_) => finds_none(probe.replay),
        // A test that imports new code cannot be loaded on the files of the start.
        RunOutcome::Unstartable(_) => is_runner,
        RunOutcome::Green | RunOutcome::Slow(_) => false,
    })
}

/// Returns the tree with the original files that steer the check, and the paths of these files.
fn restored(candidate: &Candidate<'_>, base: &Layout, check: &CommandLine) -> Result<(Vec<PathBuf>, Layout), Stop> {
    let request = candidate.request;
    let root = request.replay.inner_root();
    let read = |path: &Path| request.replay.repo.content(base, path).ok().flatten();
    let harness = Harness::of(Some(&check.sequence), root, request.may_change, &read);
    let (mut files, mut old) = (Vec::new(), candidate.last.clone());
    for path in candidate.changed().filter(|path| base.get(path).is_some() && !harness.may_change(path)) {
        if harness.is_named(path) && !harness.is_aside(path) {
            old.take(path, base);
            files.push(path.to_owned());
        } else if harness.is_mixed(path)
            && let (Some(then), Some(now)) = (candidate.bytes(base, path)?, candidate.now(path)?)
            && let Some(blend) = harness.blended(path, &then, &now, &|path| base.get(path).is_some())
        {
            old.put(path, blend);
            files.push(path.to_owned());
        }
    }
    Ok((files, old))
}

/// Whether these files still expect everything that they expected at the start.
fn keeps(candidate: &Candidate<'_>, base: &Layout, files: &[PathBuf]) -> Result<bool, Stop> {
    for path in files {
        let (Some(then), Some(now)) = (candidate.bytes(base, path)?, candidate.now(path)?) else {
            return Ok(false);
        };
        if !named::keeps(base, path, &then, &now) {
            return Ok(false);
        }
    }
    Ok(true)
}
