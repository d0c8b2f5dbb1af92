//! `no-mutant-killed`: changes operators on the changed lines, one at a time. If verify notices none of these mutants, it
//! does not exercise the work. If it notices one, the row tries a second changed file; an unnoticed mutant there is a note. If the changed
//! lines have no mutants, as in work that only adds tests, the row makes stubs of the functions that the new tests call.

mod called;
mod mutants;
mod stubs;

use std::collections::BTreeSet;
use std::path::Path;

use self::mutants::{FEW, Fate, Mutant, ROW, Unnoticed, finding, is_missed, may_be_source, mutants, run, run_all};
use super::full::reading::{is_words_only, misses_changes, only_reads};
use super::full::row::{EarlyEnd, Probe, RowResult, idle, no_base, not_applicable, pass_if, unresolved};
use crate::replay::{Stop, WriteSandbox};

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
    match called::row(probe, &write_sandbox, &mutants, &unnoticed) {
        // If the budget ends here, the finding is still valid.
        Ok(None) | Err(Stop::Budget) => Ok(finding(first, mutants.len() - unnoticed.uncompiled).into()),
        Ok(Some(result)) => Ok(result),
        Err(stop) => Err(stop.into()),
    }
}

/// Returns the sandbox in which mutants run.
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
        return Ok(Some(format!("verify noticed none of {tried} mutants, but it notices when the work is missing")));
    }
    let paths: BTreeSet<&Path> = tried.iter().map(|mutant| mutant.path.as_path()).collect();
    if only_reads(probe, &Vec::from_iter(paths))? && misses_changes(probe)? {
        return Ok(Some("verify reads the changed files and runs none of them".to_owned()));
    }
    Ok(None)
}
