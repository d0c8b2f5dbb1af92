//! `no-mutant-killed`: operators on changed lines are changed, one at a time. A verify that notices none of them does not
//! try the work.

use std::path::{Path, PathBuf};

use super::Finding;
use super::full::fence::Fence;
use super::full::found::{Found, no_base, reads_elsewhere, unresolved};
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
        return Ok(unresolved(&[ROW], "verify checks source without running it", "let verify run tests too").into());
    }
    let mutants = mutants(work)?;
    let Some(first) = mutants.first() else {
        return Ok(unresolved(&[ROW], "nothing that can be changed on the changed lines", resolve).into());
    };
    let fence = match yard.fence(work.last())? {
        Ok(fence) => fence,
        Err(why) => {
            let resolve = "let verify write into its own folder and into `$TMPDIR` alone";
            return Ok(unresolved(&[ROW], why, resolve).into());
        }
    };
    for (number, mutant) in mutants.iter().enumerate() {
        let Mutation { what, line, .. } = &mutant.mutation;
        let what = format!("mutant {} of {}: `{}:{line}` {what}", number + 1, mutants.len(), mutant.path.display());
        if notices(work, yard, &fence, mutant, &what)? {
            return Ok(Found::default());
        }
    }
    yard.forget_builds(work.last())?;
    if notices(work, yard, &fence, first, "the first mutant, built from nothing")? {
        return Ok(Found::default());
    }
    if let Some(lead) = reads_elsewhere(ROW, work, yard)? {
        return Ok(lead);
    }
    if mutants.len() < FEW && matches!(without_work(work, yard)?, Told::Red(_)) {
        let why = format!("none of {} noticed, but where the work is missing, that is", mutants.len());
        return Ok(unresolved(&[ROW], why, resolve).into());
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

/// Verify with every changed source file as it was, and all else as it is.
fn without_work(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Told, Stop> {
    let mut layout = work.last().clone();
    if let Some(base) = work.base() {
        for path in work.changed().filter(|path| may_be_source(path) && !work.harness().is_harness(path)) {
            layout.take(path, base);
        }
    }
    yard.run(&layout, "the source of the start with everything else as it is")
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
