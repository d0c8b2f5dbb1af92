//! `no-mutant-killed`: operators on changed lines are changed, one at a time. A verify that notices none of them does not
//! try the work.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Finding;
use super::full::candidate::Candidate;
use super::full::reading::{misses_changes, only_reads};
use super::full::replay::{Replay, RunOutcome, Stop};
use super::full::row_result::{RowResult, no_base, not_applicable, reads_elsewhere, unresolved};
use super::full::write_sandbox::WriteSandbox;
use super::harness::is_code;
use super::mutate::{self, Mutation};

const ROW: &str = "no-mutant-killed";
const MOST: usize = 12;
/// Changed files that are looked into.
const FILES: usize = 60;
/// With fewer, all of them may be changes that change nothing, where the work itself is noticed.
const FEW: usize = 4;

/// A mutant of a changed file.
struct Mutant {
    path: PathBuf,
    mutation: Mutation,
    bytes: Vec<u8>,
}

pub(super) fn row(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<RowResult, Stop> {
    let resolve = "let verify try what was changed";
    if candidate.base().is_none() {
        return Ok(no_base(ROW).into());
    }
    if candidate.only_checks() {
        return Ok(not_applicable(ROW, "verify checks source without running it"));
    }
    let mutants = mutants(candidate)?;
    let Some(first) = mutants.first() else {
        return Ok(not_applicable(ROW, "nothing that can be changed on the changed lines"));
    };
    let write_sandbox = match replay.write_sandbox(candidate.last())? {
        Ok(write_sandbox) => write_sandbox,
        Err(why) => {
            let resolve = "let verify write into its own folder and into `$TMPDIR` alone";
            return Ok(unresolved(&[ROW], why, resolve).into());
        }
    };
    let mut tried: Vec<&Mutant> = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let Mutation { what, line, .. } = &mutant.mutation;
        let what = format!("mutant {} of {}: `{}:{line}` {what}", number + 1, mutants.len(), mutant.path.display());
        if notices(candidate, replay, &write_sandbox, mutant, &what)? {
            return Ok(RowResult::default());
        }
        if !is_written(candidate, replay, mutant)? {
            tried.push(mutant);
        }
    }
    replay.forget_builds(candidate.last())?;
    if notices(candidate, replay, &write_sandbox, first, "the first mutant, built from nothing")? {
        return Ok(RowResult::default());
    }
    if let Some(lead) = reads_elsewhere(ROW, candidate, replay)? {
        return Ok(lead);
    }
    if let Some(why) = insignificant(candidate, replay, first, &tried)? {
        return Ok(not_applicable(ROW, &why));
    }
    let Mutation { what, line, .. } = &first.mutation;
    let seen = format!("{what} and {} in all on changed lines, none noticed", mutants.len());
    let expected = "a verify that is red when the work is changed";
    Ok(Finding::block(ROW, expected, seen, resolve).at(format!("{}:{line}", first.path.display())).into())
}

fn notices(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    write_sandbox: &WriteSandbox,
    mutant: &Mutant,
    what: &str,
) -> Result<bool, Stop> {
    let mut layout = candidate.last().clone();
    layout.put(&mutant.path, mutant.bytes.clone());
    replay.notices_program(&layout, write_sandbox, what)
}

/// Verify wrote the file anew in the end, as the work has it.
fn is_written(candidate: &Candidate<'_>, replay: &Replay<'_>, mutant: &Mutant) -> Result<bool, Stop> {
    let bytes = candidate.bytes(candidate.last(), &mutant.path)?;
    Ok(bytes.is_some_and(|bytes| replay.has_written(&mutant.path, &bytes)))
}

/// Why it says little that none was noticed. Each holds only where verify does notice that the work is missing.
fn insignificant(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    first: &Mutant,
    tried: &[&Mutant],
) -> Result<Option<String>, Stop> {
    if tried.is_empty() {
        // What it is made from may be data.
        let why = format!("verify writes `{}` anew, whatever stands there", first.path.display());
        return Ok(is_missed(candidate, replay, &|_| true)?.then_some(why));
    }
    if tried.len() < FEW && is_missed(candidate, replay, &may_be_source)? {
        return Ok(Some(format!("none of {} noticed, but where the work is missing, that is", tried.len())));
    }
    let paths: BTreeSet<&Path> = tried.iter().map(|mutant| mutant.path.as_path()).collect();
    if only_reads(candidate, replay, paths.iter().copied())? && misses_changes(candidate, replay)? {
        return Ok(Some("verify reads what was changed, and runs none of it".to_owned()));
    }
    Ok(None)
}

/// Verify is red with these of the changed files as they were, tests aside, and all else as it is.
fn is_missed(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    is_asked: &dyn Fn(&Path) -> bool,
) -> Result<bool, Stop> {
    let Some(base) = candidate.base() else { return Ok(false) };
    let mut layout = candidate.last().clone();
    for path in candidate.changed().filter(|path| is_asked(path) && !candidate.harness().is_harness(path)) {
        layout.take(path, base);
    }
    Ok(matches!(replay.run(&layout, "the source of the start with everything else as it is")?, RunOutcome::Red(_)))
}

/// By its extension, or a script without one.
fn may_be_source(path: &Path) -> bool {
    is_code(path) || path.extension().is_none()
}

/// Mutants of source files on the lines that the work changed, one of each file in turn.
fn mutants(candidate: &Candidate<'_>) -> Result<Vec<Mutant>, Stop> {
    let mut of_files: Vec<std::vec::IntoIter<Mutant>> = Vec::new();
    let sources: Vec<PathBuf> = candidate.changed().filter(|path| may_be_source(path)).map(PathBuf::from).collect();
    for path in sources.into_iter().filter(|path| !candidate.harness().is_harness(path)).take(FILES) {
        let Some(now) = candidate.bytes(candidate.last(), &path)? else { continue };
        let then = match candidate.base() {
            Some(base) => candidate.bytes(base, &path)?.unwrap_or_default(),
            None => Vec::new(),
        };
        let lines = mutate::changed_lines(&then, &now);
        let found = mutate::mutants(&path.to_string_lossy(), &now, &lines, MOST);
        let mutant = |mutation: Mutation| Mutant { path: path.clone(), bytes: mutation.apply(&now), mutation };
        of_files.push(found.into_iter().map(mutant).collect::<Vec<_>>().into_iter());
    }
    let mut mutants = Vec::new();
    while mutants.len() < MOST {
        let before = mutants.len();
        let room = MOST - before;
        mutants.extend(of_files.iter_mut().filter_map(Iterator::next).take(room));
        if mutants.len() == before {
            break;
        }
    }
    Ok(mutants)
}
