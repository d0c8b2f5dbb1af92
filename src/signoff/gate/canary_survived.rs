//! `canary-survived`: literals that tests expect are bumped, one at a time. A verify that notices none of them does not
//! hold the work against what its tests say; nor does one that does not notice it where it failed at the goal's start.

mod start;

use std::path::{Path, PathBuf};

use self::start::{BumpOutcome, StartFailures};
use super::Finding;
use super::full::candidate::Candidate;
use super::full::reading::{misses_changes, only_reads};
use super::full::replay::{Replay, Stop};
use super::full::row_result::{RowResult, not_applicable, reads_elsewhere, unresolved};
use super::mutate::{self, Mutation};

/// A test file with its bytes.
type TestFile = (PathBuf, Vec<u8>);

const ROW: &str = "canary-survived";
/// Literals that are bumped one at a time.
const MOST: usize = 5;
/// Test files whose literals are bumped.
const FILES: usize = 60;
/// Test files that are looked into for some.
const LOOKED_INTO: usize = 400;
/// Files in which verify is asked whether it reads them at all.
const PROBES: usize = 8;
/// Literals of one file that are bumped at once in the end.
const ALL: usize = 500;

pub(super) fn row(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<RowResult, Stop> {
    if candidate.only_checks() {
        return Ok(not_applicable(ROW, "verify checks source without running it"));
    }
    let files = files(candidate)?;
    let start = StartFailures::of(candidate, replay)?;
    if let Some(finding) = start.comment(candidate, replay, &files)? {
        return Ok(reads_elsewhere(ROW, candidate, replay)?.unwrap_or_else(|| finding.into()));
    }
    match start.hold(candidate, replay)? {
        BumpOutcome::Survived(finding) => {
            Ok(reads_elsewhere(ROW, candidate, replay)?.unwrap_or_else(|| finding.into()))
        }
        BumpOutcome::Noticed { as_is: true } => Ok(RowResult::default()),
        BumpOutcome::Noticed { as_is: false } | BumpOutcome::Unknown => any(candidate, replay, &files),
    }
}

/// Whether any expectation of any test is noticed.
fn any(candidate: &Candidate<'_>, replay: &mut Replay<'_>, files: &[TestFile]) -> Result<RowResult, Stop> {
    let mut survived: Option<(PathBuf, Mutation)> = None;
    let (mut tried, mut probes) = (0, 0);
    for (path, source) in files {
        let mut is_read = false;
        let literals = mutate::expected_literals(&path.to_string_lossy(), source, MOST);
        // One of each file first would ask more files whether they are read than literals whether they matter.
        for literal in literals {
            if tried >= MOST || probes >= PROBES {
                break;
            }
            let what = format!("`{}` with {} in line {}", path.display(), literal.what, literal.line);
            if notices(candidate, replay, path, literal.apply(source), &what)? {
                return Ok(RowResult::default());
            }
            if !is_read {
                probes += 1;
                is_read = reads(candidate, replay, path, source)?;
                if !is_read {
                    break;
                }
            }
            tried += 1;
            survived.get_or_insert((path.clone(), literal));
        }
    }
    let Some((path, literal)) = survived else {
        let why = format!("verify reads none of the test files with an expected literal ({probes} tried)");
        return Ok(match probes {
            0 => not_applicable(ROW, "no test file with an expected literal"),
            PROBES => unresolved(&[ROW], why, "let verify run tests that say what they expect").into(),
            _ => not_applicable(ROW, &why),
        });
    };
    // Verify may run only some of the tests: all at once is noticed where any of them is run.
    if all_at_once(candidate, replay, files)? {
        return Ok(RowResult::default());
    }
    if let Some(lead) = reads_elsewhere(ROW, candidate, replay)? {
        return Ok(lead);
    }
    if only_reads(candidate, replay, [path.as_path()].into_iter())? && misses_changes(candidate, replay)? {
        let why = format!("verify only reads `{}`, and runs nothing in it", path.display());
        return Ok(not_applicable(ROW, &why));
    }
    let seen = format!("{} and {tried} in all were not noticed, nor all at once", literal.what);
    let resolve = "let verify fail when a result is not the expected one";
    let expected = "a verify that is red when a test expects something else";
    Ok(Finding::block(ROW, expected, seen, resolve).at(format!("{}:{}", path.display(), literal.line)).into())
}

/// Files that hold expected literals, with their bytes: those that verify names, then other tests, then source with tests in
/// it; of each, what the work changed comes first.
fn files(candidate: &Candidate<'_>) -> Result<Vec<TestFile>, Stop> {
    let harness = candidate.harness();
    let is_changed = |path: &Path| candidate.changed().any(|changed| changed == path);
    let tests = candidate.last().paths().filter(|path| harness.is_harness(path) || holds_tests(path));
    let mut tests: Vec<&Path> = tests.collect();
    let rank = |path: &Path| (!harness.is_named(path), !harness.is_harness(path), !is_changed(path));
    tests.sort_by_cached_key(|path| rank(path));
    let mut files = Vec::new();
    for path in tests.into_iter().take(LOOKED_INTO) {
        if files.len() == FILES {
            break;
        }
        let Some(bytes) = candidate.bytes(candidate.last(), path)? else { continue };
        if !mutate::expected_literals(&path.to_string_lossy(), &bytes, 1).is_empty() {
            files.push((path.to_owned(), bytes));
        }
    }
    Ok(files)
}

/// Rust has its tests beside the source.
fn holds_tests(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

fn notices(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    path: &Path,
    bytes: Vec<u8>,
    what: &str,
) -> Result<bool, Stop> {
    let mut layout = candidate.last().clone();
    layout.put(path, bytes);
    replay.notices(&layout, what)
}

/// Whether verify reads the file: it is red when the file makes no sense.
fn reads(candidate: &Candidate<'_>, replay: &mut Replay<'_>, path: &Path, source: &[u8]) -> Result<bool, Stop> {
    let Some(broken) = mutate::break_syntax(&path.to_string_lossy(), source) else { return Ok(false) };
    notices(candidate, replay, path, broken, &format!("`{}` made unreadable", path.display()))
}

fn all_at_once(candidate: &Candidate<'_>, replay: &mut Replay<'_>, files: &[TestFile]) -> Result<bool, Stop> {
    let mut layout = candidate.last().clone();
    for (path, source) in files {
        let mut expected_literals = mutate::expected_literals(&path.to_string_lossy(), source, ALL);
        expected_literals.sort_by_key(|literal| std::cmp::Reverse(literal.range.start));
        let mut bytes = source.clone();
        let mut end = bytes.len();
        for literal in expected_literals.iter().filter(|literal| !literal.range.is_empty()) {
            if literal.range.end <= end {
                end = literal.range.start;
                bytes = literal.apply(&bytes);
            }
        }
        layout.put(path, bytes);
    }
    replay.forget_builds(&layout)?;
    replay.notices(&layout, "every expected literal bumped at once")
}
