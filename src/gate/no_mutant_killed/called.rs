//! Repeats the row for the files whose changed functions verify calls, if the work also changed other files, such as those of
//! another module. Mutants of the other files say nothing about the tests, so they do not count here.

use std::path::{Path, PathBuf};

use super::mutants::{FEW, Mutant, ROW, Unnoticed, finding, is_missed, mutants, run_all, sources};
use crate::gate::full::row::{Probe, RowResult, not_applicable};
use crate::mutate;
use crate::replay::{Stop, WriteSandbox};

/// The message of a function that was made to fail. It is short because linters check the length of lines.
const MARK: &str = "failed by plan";

/// Returns a result if verify calls changed functions of some changed files, but not of all.
pub(super) fn row(
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
