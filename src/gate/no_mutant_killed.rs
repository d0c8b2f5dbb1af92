//! `no-mutant-killed`: changes operators on the changed lines, one at a time. If verify notices none of these mutants, it
//! does not exercise the work. If it notices one, the row tries a second changed file; an unnoticed mutant there is a note. If the changed
//! lines have no mutants, as in work that only adds tests, the row makes stubs of the functions that the new tests call.

mod mutants;
mod stubs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use self::mutants::{
    FEW, Fate, Mutant, ROW, Unnoticed, finding, is_missed, may_be_source, mutants, run, run_all, sources,
};
use super::full::reading::{is_words_only, misses_changes, only_reads};
use super::full::row::{EarlyEnd, Probe, RowResult, idle, no_base, not_applicable, pass_if, unresolved};
use crate::mutate;
use crate::replay::{Stop, WriteSandbox};

/// The message of a function that was made to fail. It is short because linters check the length of lines.
const MARK: &str = "failed by plan";

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    if candidate.base().is_none() {
        return Ok(no_base(ROW));
    }
    if candidate.only_checks() {
        return Ok(not_applicable(ROW, "verify checks source without running it"));
    }
    let mutants = mutants(candidate, &|_| true)?;
    if mutants.is_empty() {
        let result = if stubs::applies(candidate) { stubs::row(probe)? } else { None };
        let why = "the changed lines contain nothing to mutate";
        return Ok(match result {
            Some(result) => result,
            None if is_words_only(candidate) => idle(why),
            None => not_applicable(ROW, why),
        });
    }
    let write_sandbox = sandbox(probe)?;
    let mut unnoticed = Unnoticed::default();
    if let Some(passed) = run_all(probe, &write_sandbox, &mutants, &mut unnoticed)? {
        return Ok(passed);
    }
    let first = unnoticed.first.ok_or_else(|| not_applicable(ROW, "no mutant of the changed lines compiles"))?;
    probe.replay.forget_builds(&candidate.last)?;
    let what = "the first mutant, built from scratch";
    pass_if(run(probe, &write_sandbox, first, what)? != Fate::Unnoticed)?;
    probe.confirm_export()?;
    if let Some(why) = insignificant(probe, first, &unnoticed.tried)? {
        return Ok(not_applicable(ROW, &why));
    }
    match of_called(probe, &write_sandbox, &mutants, &unnoticed) {
        // If the budget ends here, the finding is still valid.
        Ok(None) | Err(Stop::Budget) => Ok(finding(first, mutants.len() - unnoticed.uncompiled).into()),
        Ok(Some(result)) => Ok(result),
        Err(stop) => Err(stop.into()),
    }
}

fn sandbox(probe: &mut Probe<'_, '_>) -> Result<WriteSandbox, EarlyEnd> {
    let resolve = "make verify write only into its own folder and `$TMPDIR`";
    let found = probe.replay.write_sandbox(&probe.candidate.last)?;
    found.map_err(|why| RowResult::from(unresolved(&[ROW], why, resolve)).into())
}

/// Returns the reason why unnoticed mutants prove little. A reason counts only if verify notices that the work is missing.
fn insignificant(probe: &mut Probe<'_, '_>, first: &Mutant, tried: &[&Mutant]) -> Result<Option<String>, Stop> {
    if tried.is_empty() {
        // The file may be generated from data.
        let why = format!("verify regenerates `{}`, no matter what it contains", first.path.display());
        return Ok(is_missed(probe, &|_| true)?.then_some(why));
    }
    if tried.len() < FEW && is_missed(probe, &may_be_source)? {
        let tried = tried.len();
        let none = if tried == 1 {
            "did not notice the only mutant".to_owned()
        } else {
            format!("noticed none of {tried} mutants")
        };
        return Ok(Some(format!("verify {none}, but it notices when the work is missing")));
    }
    let paths: BTreeSet<&Path> = tried.iter().map(|mutant| mutant.path.as_path()).collect();
    if only_reads(probe, &Vec::from_iter(paths))? && misses_changes(probe)? {
        return Ok(Some("verify reads the changed files and runs none of them".to_owned()));
    }
    Ok(None)
}

/// Repeats the row for the files whose changed functions verify calls, if the work also changed other files, such as those of
/// another module. Mutants of the other files say nothing about the tests, so they do not count here.
fn of_called(
    probe: &mut Probe<'_, '_>,
    write_sandbox: &WriteSandbox,
    known: &[Mutant],
    unnoticed: &Unnoticed<'_>,
) -> Result<Option<RowResult>, Stop> {
    let sources = sources(probe.candidate);
    let mut called: Vec<PathBuf> = Vec::new();
    for path in &sources {
        if is_called(probe, path)? {
            called.push(path.clone());
        }
    }
    if called.is_empty() || called.len() == sources.len() {
        return Ok(None);
    }
    let is_called = |path: &Path| called.iter().any(|called| called == path);
    let mut others = mutants(probe.candidate, &is_called)?;
    others.retain(|mutant| !known.contains(mutant));
    let mut again = Unnoticed {
        tried: unnoticed.tried.clone(),
        first: unnoticed.tried.iter().copied().find(|mutant| is_called(&mutant.path)),
        uncompiled: 0,
    };
    if let Some(passed) = run_all(probe, write_sandbox, &others, &mut again)? {
        return Ok(Some(passed));
    }
    again.tried.retain(|mutant| is_called(&mutant.path));
    let names: Vec<String> = called.iter().map(|path| format!("`{}`", path.display())).collect();
    if again.tried.len() < FEW && is_missed(probe, &is_called)? {
        let why = format!(
            "of the changed files, verify calls only {}; it noticed none of {} mutants there, but it notices when that work is missing",
            names.join(", "),
            again.tried.len()
        );
        return Ok(Some(not_applicable(ROW, &why)));
    }
    Ok(again.first.map(|first| finding(first, again.tried.len()).into()))
}

/// Whether verify notices if the functions with changed lines fail as soon as they are called. Only these count, because a
/// file may be loaded for its old code. False if there are none, or if the language makes this uncertain.
fn is_called(probe: &mut Probe<'_, '_>, path: &Path) -> Result<bool, Stop> {
    let Some(now) = probe.candidate.now(path)? else { return Ok(false) };
    let lines = mutate::changed_lines(&probe.candidate.then(path)?.unwrap_or_default(), &now);
    let Some(failing) = mutate::hollow(&path.to_string_lossy(), &now, &lines, MARK) else { return Ok(false) };
    let what = format!("`{}` with its changed functions failing", path.display());
    probe.replay.notices(&probe.candidate.last.with(path, failing), &what)
}
