//! `no-mutant-killed`: operators on changed lines are changed, one at a time. A verify that notices none of them does not
//! try the work.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Finding;
use super::full::fence::Fence;
use super::full::found::{Found, no_base, not_applicable, reads_elsewhere, unresolved};
use super::full::reading::{misses_changes, only_reads};
use super::full::work::Work;
use super::full::yard::{Stop, Told, Yard};
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

pub(super) fn row(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    let resolve = "let verify try what was changed";
    if work.base().is_none() {
        return Ok(no_base(ROW).into());
    }
    if work.only_checks() {
        return Ok(not_applicable(ROW, "verify checks source without running it"));
    }
    let mutants = mutants(work)?;
    let Some(first) = mutants.first() else {
        return Ok(not_applicable(ROW, "nothing that can be changed on the changed lines"));
    };
    let fence = match yard.fence(work.last())? {
        Ok(fence) => fence,
        Err(why) => {
            let resolve = "let verify write into its own folder and into `$TMPDIR` alone";
            return Ok(unresolved(&[ROW], why, resolve).into());
        }
    };
    let mut tried: Vec<&Mutant> = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let Mutation { what, line, .. } = &mutant.mutation;
        let what = format!("mutant {} of {}: `{}:{line}` {what}", number + 1, mutants.len(), mutant.path.display());
        if notices(work, yard, &fence, mutant, &what)? {
            return Ok(Found::default());
        }
        if !is_written(work, yard, mutant)? {
            tried.push(mutant);
        }
    }
    yard.forget_builds(work.last())?;
    if notices(work, yard, &fence, first, "the first mutant, built from nothing")? {
        return Ok(Found::default());
    }
    if let Some(lead) = reads_elsewhere(ROW, work, yard)? {
        return Ok(lead);
    }
    if let Some(why) = excuse(work, yard, first, &tried)? {
        return Ok(not_applicable(ROW, &why));
    }
    let Mutation { what, line, .. } = &first.mutation;
    let seen = format!("{what} and {} in all on changed lines, none noticed", mutants.len());
    let expected = "a verify that is red when the work is changed";
    Ok(Finding::block(ROW, expected, seen, resolve).at(format!("{}:{line}", first.path.display())).into())
}

fn notices(work: &Work<'_>, yard: &mut Yard<'_>, fence: &Fence, mutant: &Mutant, what: &str) -> Result<bool, Stop> {
    let mut layout = work.last().clone();
    layout.put(&mutant.path, mutant.bytes.clone());
    yard.notices_program(&layout, fence, what)
}

/// Verify wrote the file anew in the end, as the work has it.
fn is_written(work: &Work<'_>, yard: &Yard<'_>, mutant: &Mutant) -> Result<bool, Stop> {
    let bytes = work.bytes(work.last(), &mutant.path)?;
    Ok(bytes.is_some_and(|bytes| yard.has_written(&mutant.path, &bytes)))
}

/// Why it says little that none was noticed. Each holds only where verify does notice that the work is missing.
fn excuse(work: &Work<'_>, yard: &mut Yard<'_>, first: &Mutant, tried: &[&Mutant]) -> Result<Option<String>, Stop> {
    if tried.is_empty() {
        // What it is made from may be data.
        let why = format!("verify writes `{}` anew, whatever stands there", first.path.display());
        return Ok(is_missed(work, yard, &|_| true)?.then_some(why));
    }
    if tried.len() < FEW && is_missed(work, yard, &may_be_source)? {
        return Ok(Some(format!("none of {} noticed, but where the work is missing, that is", tried.len())));
    }
    let paths: BTreeSet<&Path> = tried.iter().map(|mutant| mutant.path.as_path()).collect();
    if only_reads(work, yard, paths.iter().copied())? && misses_changes(work, yard)? {
        return Ok(Some("verify reads what was changed, and runs none of it".to_owned()));
    }
    Ok(None)
}

/// Verify is red with these of the changed files as they were, tests aside, and all else as it is.
fn is_missed(work: &Work<'_>, yard: &mut Yard<'_>, is_asked: &dyn Fn(&Path) -> bool) -> Result<bool, Stop> {
    let Some(base) = work.base() else { return Ok(false) };
    let mut layout = work.last().clone();
    for path in work.changed().filter(|path| is_asked(path) && !work.harness().is_harness(path)) {
        layout.take(path, base);
    }
    Ok(matches!(yard.run(&layout, "the source of the start with everything else as it is")?, Told::Red(_)))
}

/// By its extension, or a script without one.
fn may_be_source(path: &Path) -> bool {
    is_code(path) || path.extension().is_none()
}

/// Mutants of source files on the lines that the work changed, one of each file in turn.
fn mutants(work: &Work<'_>) -> Result<Vec<Mutant>, Stop> {
    let mut of_files: Vec<std::vec::IntoIter<Mutant>> = Vec::new();
    let sources: Vec<PathBuf> = work.changed().filter(|path| may_be_source(path)).map(PathBuf::from).collect();
    for path in sources.into_iter().filter(|path| !work.harness().is_harness(path)).take(FILES) {
        let Some(now) = work.bytes(work.last(), &path)? else { continue };
        let then = match work.base() {
            Some(base) => work.bytes(base, &path)?.unwrap_or_default(),
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
