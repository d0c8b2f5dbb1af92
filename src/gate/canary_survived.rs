//! `canary-survived`: changes expected values in the tests, one at a time. If verify notices none of these changes, it does
//! not compare the work with its tests. The same holds if verify does not notice a changed value in an assertion that failed
//! at the start.

pub(super) mod start;
mod swallowed;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use self::start::{BumpOutcome, FILES, ROW, StartFailures, TestFile};
use super::GateFinding;
use super::full::candidate::Candidate;
use super::full::reading::{is_words_only, misses_changes, only_reads};
use super::full::row::{EarlyEnd, Probe, RowResult, idle, not_applicable, pass_if, unresolved};
use crate::lang::wrapper;
use crate::mutate::{self, FailurePlace, Language, Mutation};
use crate::replay::Stop;

/// How many literals are changed one at a time.
const MOST: usize = 5;
/// How many test files are searched for literals.
const LOOKED_INTO: usize = 400;
/// How many files are tried to find out whether verify reads them at all.
const PROBES: usize = 8;
/// The message of a program that was made to end at once.
const RUNS: &str = "plan ended this program at once";
/// How many literals of one file are changed at once at the end.
const ALL: usize = 500;

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    if probe.candidate.only_checks() {
        return Ok(not_applicable(ROW, "verify checks source without running it"));
    }
    let files = files(probe.candidate)?;
    let start = StartFailures::of(probe)?;
    if let Some(finding) = start.comment(probe, &files)? {
        probe.confirm_export()?;
        return Ok(finding.into());
    }
    match start.hold(probe)? {
        BumpOutcome::Survived(finding) => {
            probe.confirm_export()?;
            Ok(finding.into())
        }
        BumpOutcome::Noticed { as_is: true } => Ok(RowResult::default()),
        BumpOutcome::Noticed { as_is: false } | BumpOutcome::Unknown => any(probe, &files),
    }
}

/// Passes if verify notices any changed expectation of any test.
fn any(probe: &mut Probe<'_, '_>, files: &[TestFile]) -> Result<RowResult, EarlyEnd> {
    let mut survived: Option<(PathBuf, Mutation)> = None;
    let (mut tried, mut probes) = (0, 0);
    let mut unread = Vec::new();
    for (path, source) in files {
        let mut is_read = false;
        let literals = mutate::expected_literals(&path.to_string_lossy(), source, MOST);
        // Taking one literal of each file first would spend the runs on finding files that verify reads, instead of
        // literals that matter.
        for literal in literals {
            if tried >= MOST || probes >= PROBES {
                break;
            }
            let what = format!("`{}` with {} in line {}", path.display(), literal.what, literal.line);
            pass_if(notices(probe, path, literal.apply(source), &what)?)?;
            if !is_read {
                probes += 1;
                let is_program = is_c(path) && mutate::takes_no_arguments(&path.to_string_lossy(), source);
                // Only the text of a program may show that it is a test.
                let is_own = is_program && !probe.candidate.harness.is_harness(path);
                is_read = if is_own { runs(probe, path, source)? } else { reads(probe, path, source)? };
                if !is_read {
                    unread.push(path.clone());
                    break;
                }
            }
            tried += 1;
            survived.get_or_insert((path.clone(), literal));
        }
    }
    let Some((path, literal)) = survived else {
        if let Some(finding) = swallowed::row(probe, unread)? {
            probe.confirm_export()?;
            return Ok(finding.into());
        }
        let why = format!("verify reads none of the test files that hold expected values ({probes} tried)");
        let nothing = if is_words_only(probe.candidate) { idle } else { |why: &str| not_applicable(ROW, why) };
        return Ok(match probes {
            0 => nothing("no test file holds an expected value in a form that it knows"),
            PROBES => unresolved(&[ROW], why, "make verify run tests that state the expected value").into(),
            _ => nothing(&why),
        });
    };
    // Verify may run only some of the tests. If it runs any of them, it notices that all literals changed.
    pass_if(all_at_once(probe, files)?)?;
    probe.confirm_export()?;
    if only_reads(probe, &[&path])? && misses_changes(probe)? {
        let why = format!("verify only reads `{}` and does not run it", path.display());
        return Ok(not_applicable(ROW, &why));
    }
    let Mutation { what, line, .. } = literal;
    let seen =
        format!("verify did not notice {what} (of {tried} expected values changed, one at a time, then all at once)");
    let resolve = "make verify fail when a result differs from the expected value";
    let expected = "a verify that turns red when a test expects a different value";
    Ok(GateFinding::block(ROW, expected, seen, resolve).at(format!("{}:{line}", path.display())).into())
}

/// Returns files that hold expected literals, with their bytes. Files that verify names come first, then other tests, then
/// source with tests in it; within each group, changed files come first.
fn files(candidate: &Candidate<'_>) -> Result<Vec<TestFile>, Stop> {
    let harness = &candidate.harness;
    let is_changed = |path: &Path| candidate.changed().any(|changed| changed == path);
    // Rust keeps tests beside the source.
    let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    // `cargo test --doc` runs no `#[test]`.
    let is_doc_test = is_doc_test(candidate);
    let is_run = |path: &&Path| match is_rust(path) {
        true => !is_doc_test,
        false => harness.is_harness(path) && !is_of_other_module(candidate, path),
    };
    let mut tests: Vec<&Path> = candidate.last.paths().filter(is_run).collect();
    let rank = |path: &Path| (!harness.is_named(path), !harness.is_harness(path), !is_changed(path));
    tests.sort_by_cached_key(|path| rank(path));
    let files = with_expected_literals(candidate, tests, |_, _| true)?;
    if !files.is_empty() {
        return Ok(files);
    }
    let changed: BTreeSet<&Path> = candidate.changed().collect();
    let programs = candidate.last.paths().filter(|path| is_c(path) && !changed.contains(path));
    with_expected_literals(candidate, programs, mutate::takes_no_arguments)
}

/// Returns the first of these files that are `wanted` and hold expected literals, with their bytes.
fn with_expected_literals<'p>(
    candidate: &Candidate<'_>,
    paths: impl IntoIterator<Item = &'p Path>,
    wanted: impl Fn(&str, &[u8]) -> bool,
) -> Result<Vec<TestFile>, Stop> {
    let mut files = Vec::new();
    for path in paths.into_iter().take(LOOKED_INTO) {
        if files.len() == FILES {
            break;
        }
        let name = path.to_string_lossy();
        let Some(bytes) = candidate.now(path)?.filter(|bytes| wanted(&name, bytes)) else { continue };
        if !mutate::expected_literals(&name, &bytes, 1).is_empty() {
            files.push((path.to_owned(), bytes));
        }
    }
    Ok(files)
}

/// Whether every command of verify is a `cargo test` of the examples in comments, and of nothing else.
fn is_doc_test(candidate: &Candidate<'_>) -> bool {
    let argvs = candidate.request.replay.line.sequence.argvs();
    let is_it = |argv: &Vec<&str>| {
        wrapper::started(argv).is_some_and(|argv| {
            let own = argv.split(|word| *word == "--").next().unwrap_or_default();
            argv.first().is_some_and(|program| program.rsplit('/').next() == Some("cargo")) && own.contains(&"--doc")
        })
    };
    !argvs.is_empty() && argvs.iter().all(is_it)
}

/// Whether verify runs this program: it turns red, or prints the mark, when the program ends at once.
fn runs(probe: &mut Probe<'_, '_>, path: &Path, source: &[u8]) -> Result<bool, Stop> {
    let Some(ended) = mutate::failing(&path.to_string_lossy(), source, RUNS, FailurePlace::Early) else {
        return Ok(false);
    };
    let layout = probe.candidate.last.with(path, ended);
    let (outcome, output) = probe.replay.says(&layout, &format!("`{}` made to end at once", path.display()))?;
    Ok(outcome.is_red() || output.contains(RUNS))
}

fn is_c(path: &Path) -> bool {
    matches!(Language::of(&path.to_string_lossy(), b""), Some(Language::C | Language::Cpp))
}

/// Whether the file belongs to a Go module inside the module that `go test` runs. Go does not run the tests of an inner module.
fn is_of_other_module(candidate: &Candidate<'_>, path: &Path) -> bool {
    let replay = &candidate.request.replay;
    let root = replay.inner_root();
    let is_inner = |folder: &Path| folder.starts_with(root) && candidate.last.get(&folder.join("go.mod")).is_some();
    replay.line.sequence.commands.iter().all(|command| command.argv().first() == Some(&"go"))
        && path.extension().is_some_and(|extension| extension == "go")
        && path.ancestors().skip(1).take_while(|folder| *folder != root).any(is_inner)
}

fn notices(probe: &mut Probe<'_, '_>, path: &Path, bytes: Vec<u8>, what: &str) -> Result<bool, Stop> {
    probe.replay.notices(&probe.candidate.last.with(path, bytes), what)
}

/// Whether verify reads the file: it is red if the file has a syntax error.
pub(super) fn reads(probe: &mut Probe<'_, '_>, path: &Path, source: &[u8]) -> Result<bool, Stop> {
    let Some(broken) = mutate::break_syntax(&path.to_string_lossy(), source) else { return Ok(false) };
    notices(probe, path, broken, &format!("`{}` with a syntax error", path.display()))
}

fn all_at_once(probe: &mut Probe<'_, '_>, files: &[TestFile]) -> Result<bool, Stop> {
    let mut layout = probe.candidate.last.clone();
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
    probe.replay.forget_builds(&layout)?;
    probe.replay.notices(&layout, "every expected value changed at once")
}
