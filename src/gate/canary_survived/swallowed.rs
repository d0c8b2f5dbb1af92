//! Finds a verify that is green whatever its tests say: a test file gets a syntax error, or is made to fail once it has loaded
//! the code that it tests. Verify noticed this at the start and does not notice it today: the exit status is lost in a pipe, or
//! the work ends the process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::reads;
use super::start::ROW;
use crate::gate::GateFinding;
use crate::gate::full::row::Probe;
use crate::mutate::{self, FailurePlace};
use crate::replay::Stop;
use crate::repo::export::Layout;

/// The message of a test that was made to fail.
const MARK: &str = "made to fail by plan";
/// How many test files are tried.
const TRIED: usize = 3;
/// How many files are searched for test files to try.
const LOOKED_INTO: usize = 40;

/// Returns the finding. `unread` holds the test files with expected values if verify notices no syntax error in any of them;
/// if it is empty, other test files are tried.
pub(super) fn row(probe: &mut Probe<'_, '_>, unread: Vec<PathBuf>) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base().filter(|_| !candidate.has_changed_as_allowed()) else { return Ok(None) };
    match broken(probe, base, unread)? {
        Some(finding) => Ok(Some(finding)),
        None => failing(probe, base),
    }
}

/// Tries syntax errors. Returns `None` if verify notices one today, or if it noticed none at the start either.
fn broken(probe: &mut Probe<'_, '_>, base: &Layout, unread: Vec<PathBuf>) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    let line = &candidate.request.replay.line.text;
    let files = match unread.is_empty() {
        true => unnoticed(probe, &|path| base.get(path).is_some())?,
        // Verify runs only the tests that its line names; the others may belong to other goals.
        false => unnoticed(probe, &|path| line.contains(&*path.to_string_lossy()))?.map(|_| unread),
    };
    let Some(files) = files else { return Ok(None) };
    let start = if files.is_empty() { BTreeSet::new() } else { said(probe, base)? };
    for path in files {
        let Some(then) = candidate.bytes(base, &path)? else { continue };
        let Some(broken) = mutate::break_syntax(&path.to_string_lossy(), &then) else { continue };
        let layout = base.with(&path, broken);
        let with_error = said(probe, &layout)?;
        if with_error == start {
            continue;
        }
        // Names of temporary files differ from run to run.
        let starts = [start.clone(), said(probe, base)?];
        let with_errors = [with_error, said(probe, &layout)?];
        if says_more(&starts, &with_errors) || says_more(&with_errors, &starts) {
            let seen = "verify stays green when this test file has a syntax error; at the goal's start it noticed such an error";
            return Ok(Some(lost("a verify that turns red when a test cannot start", seen, &path)));
        }
    }
    Ok(None)
}

fn lost(expected: &str, seen: &str, path: &Path) -> GateFinding {
    let resolve = "make verify fail when its tests fail: keep their exit status, and let them end by themselves";
    GateFinding::block(ROW, expected, seen, resolve).at(path.to_string_lossy())
}

/// Tries tests that fail once they have loaded the work. Verify ran such a test at the start if its output had the message.
fn failing(probe: &mut Probe<'_, '_>, base: &Layout) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    let is_test = |path: &&Path| candidate.harness.is_harness(path) && base.get(path).is_some();
    let mut tried = 0;
    for path in candidate.last.paths().filter(is_test).take(LOOKED_INTO) {
        let name = path.to_string_lossy();
        let Some((now, then)) = candidate.now(path)?.zip(candidate.then(path)?) else { continue };
        let fails = |bytes: &[u8], place| mutate::failing(&name, bytes, MARK, place);
        let Some((now, then)) = fails(&now, FailurePlace::Late).zip(fails(&then, FailurePlace::Early)) else {
            continue;
        };
        if tried == TRIED {
            break;
        }
        tried += 1;
        let now = candidate.last.with(path, now);
        let start = base.with(path, then);
        if probe.replay.notices(&now, &format!("`{name}` made to fail"))? {
            continue;
        }
        let (outcome, output) = probe.replay.says(&start, "the start, with a test that fails")?;
        if outcome.is_red() && output.contains(MARK) && !probe.replay.notices(&now, "the test made to fail, again")? {
            let seen = "verify stays green when this test fails; at the goal's start verify ran the test";
            return Ok(Some(lost("a verify that turns red when a test fails", seen, path)));
        }
    }
    Ok(None)
}

/// Returns the first tests that `is_wanted` accepts, or `None` if verify notices a syntax error in one of them.
fn unnoticed(probe: &mut Probe<'_, '_>, is_wanted: &dyn Fn(&Path) -> bool) -> Result<Option<Vec<PathBuf>>, Stop> {
    let candidate = probe.candidate;
    let mut found = Vec::new();
    let is_test = |path: &&Path| candidate.harness.is_harness(path) && is_wanted(path);
    // Reading each file starts a process, so the number is limited.
    for path in candidate.last.paths().filter(is_test).take(LOOKED_INTO) {
        let Some(source) = candidate.now(path)? else { continue };
        if mutate::break_syntax(&path.to_string_lossy(), &source).is_none() {
            continue;
        }
        if reads(probe, path, &source)? {
            return Ok(None);
        }
        found.push(path.to_owned());
        if found.len() == TRIED {
            break;
        }
    }
    Ok(Some(found))
}

/// Whether both runs of the first pair printed a line that no run of the other pair printed.
fn says_more([first, second]: &[BTreeSet<String>; 2], other: &[BTreeSet<String>; 2]) -> bool {
    first.intersection(second).any(|line| !other.iter().any(|lines| lines.contains(line)))
}

/// Returns the lines that verify prints on a layout, without digits, and one line that says whether it was red.
fn said(probe: &mut Probe<'_, '_>, layout: &Layout) -> Result<BTreeSet<String>, Stop> {
    let (outcome, output) = probe.replay.says(layout, "the start, to see whether verify reads a test")?;
    let ends = format!("is red: {}", outcome.is_red());
    Ok(output.lines().map(|line| line.replace(|c: char| c.is_ascii_digit(), "")).chain([ends]).collect())
}
