//! The values that the assertions that failed at the start expect: a literal in the assertion or in a table, or a whole test file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::gate::full::candidate::Candidate;
use crate::gate::harness::is_code;
use crate::gate::test_counts::holds_tests;
use crate::mutate::{self, Mutation};
use crate::replay::Stop;
use crate::repo::export::Layout;

pub(in crate::gate) const ROW: &str = "canary-survived";
/// How many expectations are changed, one at a time.
const MOST: usize = 3;
/// How many failed assertions are searched for expectations.
const LINES: usize = 200;
/// How many data files of the tests are searched for an expected text, and the shortest such text.
const DATA_FILES: usize = 400;
const SHORTEST: usize = 12;

/// An assertion that failed at the start.
pub(super) struct Assertion {
    pub(super) path: PathBuf,
    pub(super) line: usize,
    pub(super) is_top: bool,
    /// The values that it compared, as printed.
    pub(super) values: Vec<String>,
    /// True if the line failed with an error and not with the assertion itself.
    pub(super) is_error: bool,
}

/// The expected value of such an assertion, in the files that are tried.
pub(super) struct Expectation {
    pub(super) path: PathBuf,
    pub(super) mutation: Mutation,
    pub(super) bytes: Vec<u8>,
    pub(super) values: Vec<String>,
    /// True if the line failed with an error and not with the assertion itself.
    pub(super) is_error: bool,
}

/// Returns at most [`MOST`] expectations, from different files first.
pub(super) fn expectations(
    assertions: &[Assertion],
    candidate: &Candidate<'_>,
    tried: &Layout,
) -> Result<Vec<Expectation>, Stop> {
    let mut all: Vec<Expectation> = Vec::new();
    let mut files: Option<Vec<(PathBuf, Vec<u8>)>> = None;
    for one in assertions.iter().take(LINES) {
        let Some((line, bytes)) = line_in(candidate, tried, one)? else { continue };
        if !is_of_a_test(candidate, one, &bytes) {
            continue;
        }
        let Some(found) = expected_by(assertions, candidate, tried, (one, line, bytes), &mut files)? else { continue };
        let is_found = |other: &Expectation| other.path == found.path && other.mutation.range == found.mutation.range;
        if !all.iter().any(is_found) {
            all.push(found);
        }
    }
    let turn = |at: usize| all[..at].iter().filter(|other| other.path == all[at].path).count();
    let turns: Vec<usize> = (0..all.len()).map(turn).collect();
    let mut ordered: Vec<(usize, Expectation)> = turns.into_iter().zip(all).collect();
    ordered.sort_by_key(|(turn, _)| *turn);
    Ok(ordered.into_iter().map(|(_, one)| one).take(MOST).collect())
}

/// Returns the expectation of one assertion. `line` and `bytes` are its line and the content of its file now.
fn expected_by(
    assertions: &[Assertion],
    candidate: &Candidate<'_>,
    tried: &Layout,
    (one, line, bytes): (&Assertion, usize, Vec<u8>),
    files: &mut Option<Vec<(PathBuf, Vec<u8>)>>,
) -> Result<Option<Expectation>, Stop> {
    let Assertion { path, values, is_error, .. } = one;
    let name = path.to_string_lossy();
    let mutation = if *is_error {
        mutate::expected_literal_around(&name, &bytes, line)
    } else {
        mutate::expected_literal_at(&name, &bytes, line)
            .or_else(|| mutate::expected_in_table(&name, &bytes, line, values))
    };
    if mutation.is_none() && !is_error {
        let files = match files {
            Some(files) => files,
            none => none.insert(expected_files(assertions, candidate, tried)?),
        };
        return Ok(files.iter().find_map(|file| in_file(file, values)));
    }
    let (path, values, is_error) = (path.clone(), values.clone(), *is_error);
    Ok(mutation.map(|mutation| Expectation { path, mutation, bytes, values, is_error }))
}

/// Returns the files that consist of a value that an assertion compared, such as a page or a report that the work must produce.
fn expected_files(
    assertions: &[Assertion],
    candidate: &Candidate<'_>,
    tried: &Layout,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Stop> {
    let values = assertions.iter().take(LINES).flat_map(|one| &one.values);
    let printed: HashSet<String> = values.filter_map(|value| text_of(value)).collect();
    let mut found = Vec::new();
    let harness = &candidate.harness;
    // Test data that the goal may not change.
    let is_data = |path: &&Path| harness.is_harness(path) && !is_code(path) && !harness.may_change(path);
    let most = if printed.is_empty() { 0 } else { DATA_FILES };
    for path in tried.paths().filter(is_data).take(most) {
        let Some(bytes) = candidate.bytes(tried, path)? else { continue };
        if std::str::from_utf8(&bytes).is_ok_and(|text| printed.contains(text.trim())) {
            found.push((path.to_owned(), bytes));
        }
    }
    Ok(found)
}

/// Returns the line of a failed assertion in a layout, and the bytes of its file there.
pub(super) fn line_in(
    candidate: &Candidate<'_>,
    layout: &Layout,
    one: &Assertion,
) -> Result<Option<(usize, Vec<u8>)>, Stop> {
    let then = candidate.then(&one.path)?;
    let now = candidate.bytes(layout, &one.path)?;
    let (Some(then), Some(now)) = (then, now) else { return Ok(None) };
    Ok(mutate::line_now(&then, &now, one.line).map(|line| (line, now)))
}

/// Returns the expectation of an assertion if this file consists of one of its values.
fn in_file((path, bytes): &(PathBuf, Vec<u8>), values: &[String]) -> Option<Expectation> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let mutation = mutate::other_word(bytes)?;
    let is_printed = values.iter().filter_map(|value| text_of(value)).any(|value| value == text);
    let (path, bytes, values) = (path.clone(), bytes.clone(), Vec::new());
    is_printed.then_some(Expectation { path, mutation, bytes, values, is_error: false })
}

/// Returns the text of a value that was printed in quotes; `None` for a short text, which a file may hold by chance.
fn text_of(printed: &str) -> Option<String> {
    let inner = printed.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            },
            c => c,
        });
    }
    let text = text.trim();
    (text.len() >= SHORTEST).then(|| text.to_owned())
}

/// Whether the assertion belongs to a test: not to source code, unless the file runs as a script and is unchanged.
fn is_of_a_test(candidate: &Candidate<'_>, one: &Assertion, bytes: &[u8]) -> bool {
    let is_as_it_was = || candidate.changed().all(|changed| changed != one.path);
    !candidate.harness.may_change(&one.path)
        && (candidate.harness.is_harness(&one.path) || one.is_top && is_as_it_was() || holds_tests(&one.path, bytes))
}
