//! The assertions that failed at the goal's start. Verify must notice a changed value in each of them. Also, a change that
//! should not matter to any test must not bring their failure back.

mod compared_files;
mod expectations;
mod wrong_value;

use std::path::{Path, PathBuf};

pub(super) use self::expectations::ROW;
use self::expectations::{Assertion, Expectation, expectations, line_in};
use crate::gate::GateFinding;
use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::Probe;
use crate::lang::failed_assertions::{self, FailedAssertion};
use crate::mutate;
use crate::plan::history::Seen;
use crate::replay::{Replay, RunOutcome, Stop};
use crate::repo::export::Layout;

pub(super) type TestFile = (PathBuf, Vec<u8>);

/// How many test files are changed at most.
pub(super) const FILES: usize = 60;
/// The message of an error that is inserted after an assertion, in two parts.
const MARK: [&str; 2] = ["this line was", " reached after all"];

/// How many lines of an assertion are searched.
const STATEMENT: usize = 4;

#[derive(Default)]
pub(in crate::gate) struct StartFailures {
    assertions: Vec<Assertion>,
    /// True if verify was red at the start, so that the same tests must check the work.
    was_red: bool,
}

pub(super) enum BumpOutcome {
    /// Verify noticed each change. `as_is` is true if the tried files are exactly those of the tree.
    Noticed { as_is: bool },
    /// Verify did not notice a change.
    Survived(GateFinding),
    /// No expectation could be tried.
    Unknown,
}

impl StartFailures {
    /// Returns the assertions that the record of the start names, or that verify names on the files of the start. Empty if
    /// the start was not red, or if the work changed tests under `may_change`, because then they need not be red any more.
    pub(in crate::gate) fn of(probe: &mut Probe<'_, '_>) -> Result<Self, Stop> {
        let candidate = probe.candidate;
        let Some(base) =
            candidate.base().filter(|_| candidate.seen == Seen::Red && !candidate.has_changed_as_allowed())
        else {
            return Ok(StartFailures::default());
        };
        if let Some(failed) = recorded(candidate) {
            return Ok(StartFailures { assertions: of_files(candidate, base, failed), was_red: true });
        }
        let (outcome, output) = probe.replay.says(base, "the files of the start")?;
        if !outcome.is_red() {
            return Ok(StartFailures::default());
        }
        Ok(StartFailures { assertions: named(probe, base, &output), was_red: true })
    }

    /// Whether the start named a line of a test that failed there, in an assertion or with an error.
    pub(in crate::gate) fn is_named(&self) -> bool {
        !self.assertions.is_empty()
    }

    /// Whether an assertion failed at the start, and not only code before it.
    pub(in crate::gate) fn has_assertion(&self) -> bool {
        self.assertions.iter().any(|one| !one.is_error)
    }

    pub(in crate::gate) fn calls(&self, candidate: &Candidate<'_>, name: &str) -> Result<bool, Stop> {
        for one in self.assertions.iter().filter(|one| !one.is_error) {
            let text = candidate.then(&one.path)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let lines = text.lines().skip(one.line.saturating_sub(1)).take(STATEMENT);
            // The last line of the statement is searched too.
            let mut is_ended = false;
            let statement = lines.take_while(|line| !std::mem::replace(&mut is_ended, line.trim_end().ends_with(';')));
            if statement.into_iter().any(|line| has_call(line, name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a comment at the end of the test files, which must not bring the failure back. If it does, the source or a
    /// list of results recognizes the tests by their bytes. A run that is red for another reason is a check of formats or
    /// digests and gives no finding.
    pub(super) fn comment(&self, probe: &mut Probe<'_, '_>, files: &[TestFile]) -> Result<Option<GateFinding>, Stop> {
        let mut layout = probe.candidate.last.clone();
        let own = self.assertions.iter().filter_map(|one| Some((&one.path, probe.candidate.now(&one.path).ok()??)));
        let own: Vec<(&PathBuf, Vec<u8>)> = own.take(FILES).collect();
        let all = files.iter().map(|(path, bytes)| (path, bytes));
        for (path, bytes) in all.chain(own.iter().map(|(path, bytes)| (*path, bytes))) {
            let text = mutate::with_comment(&path.to_string_lossy(), bytes);
            text.into_iter().for_each(|text| layout.put(path, text));
        }
        let what = "a comment at the end of the test files";
        let Some(place) = self.failure_back(probe, [&probe.candidate.last, &layout], what)? else {
            return Ok(None);
        };
        let expected = "a verify whose result does not change when its tests get one more comment";
        let seen = "with a comment added to the end of the test files, verify fails as it did at the goal's start";
        let resolve = "make the work independent of the bytes of its tests: nothing may use their digest or size";
        Ok(Some(GateFinding::block("comment-noticed", expected, seen, resolve).at(place)))
    }

    /// Returns the place of an assertion that fails on the second layout as it did at the start. The first layout is green,
    /// and the difference between the two should not matter to the work.
    pub(in crate::gate) fn failure_back(
        &self,
        probe: &mut Probe<'_, '_>,
        [green, layout]: [&Layout; 2],
        what: &str,
    ) -> Result<Option<String>, Stop> {
        if !self.has_assertion() || green == layout {
            return Ok(None);
        }
        let (outcome, output) = probe.replay.says(layout, what)?;
        if !outcome.is_red() {
            return Ok(None);
        }
        let again = named(probe, layout, &output);
        let mut back = None;
        for one in again.iter().filter(|one| !one.is_error) {
            if self.has(probe.candidate, layout, one)? {
                back = Some(format!("{}:{}", one.path.display(), one.line));
                break;
            }
        }
        // Repeated, to exclude chance.
        let is_steady = back.is_some()
            && probe.replay.again(green, "the same files without it")? == RunOutcome::Green
            && probe.replay.again(layout, &format!("{what}, again"))?.is_red();
        Ok(back.filter(|_| is_steady))
    }

    /// Whether this assertion of a layout failed at the start too.
    fn has(&self, candidate: &Candidate<'_>, layout: &Layout, now: &Assertion) -> Result<bool, Stop> {
        for then in self.assertions.iter().filter(|then| then.path == now.path && !then.is_error) {
            if line_in(candidate, layout, then)?.is_some_and(|(line, _)| line == now.line) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Changes the expected values of the assertions that failed at the start, one at a time, in the tests of the start.
    pub(super) fn hold(&self, probe: &mut Probe<'_, '_>) -> Result<BumpOutcome, Stop> {
        let candidate = probe.candidate;
        let Some(tried) = candidate.approved().cloned() else { return Ok(BumpOutcome::Unknown) };
        let mut is_held = false;
        for one in &expectations(&self.assertions, candidate, &tried)? {
            let Expectation { path, mutation, bytes, .. } = one;
            let layout = tried.with(path, mutation.apply(bytes));
            let place = format!("{}:{}", path.display(), mutation.line);
            let what = format!("`{place}`, which failed at the start, with {}", mutation.what);
            if probe.replay.notices(&layout, &what)? {
                is_held = true;
                match wrong_value::find(probe, &tried, one)? {
                    Some(finding) => return Ok(BumpOutcome::Survived(finding)),
                    None => continue,
                }
            }
            probe.replay.forget_builds(&layout)?;
            if probe.replay.notices(&layout, &what)? {
                is_held = true;
                continue;
            }
            if one.is_error && !is_reached(probe.replay, &tried, one)? {
                continue;
            }
            // A test of a test tool prints failures although it is green.
            let (_, output) = probe.replay.says(&tried, "the same files unchanged")?;
            if named(probe, &tried, &output).iter().any(|one| one.path == *path) {
                return Ok(BumpOutcome::Unknown);
            }
            let expected = "a verify that turns red again when the assertion that failed at the goal's start expects a different value";
            let seen =
                format!("verify did not notice {} in the assertion that failed at the goal's start", mutation.what);
            let mut resolve = "make the work pass the test that failed, and keep that test in verify".to_owned();
            if one.is_error {
                let declare = candidate.harness.declare(candidate.request.goal, std::iter::once(path.as_path()));
                resolve += &format!("; if other values are right there too: {declare}");
            }
            return Ok(BumpOutcome::Survived(GateFinding::block(ROW, expected, seen, &resolve).at(place)));
        }
        if is_held {
            return Ok(BumpOutcome::Noticed { as_is: tried == candidate.last });
        }
        let Some(base) = candidate.base().filter(|_| self.was_red) else { return Ok(BumpOutcome::Unknown) };
        let unnoticed = compared_files::unnoticed(probe, base, &tried)?;
        Ok(unnoticed.map_or(BumpOutcome::Unknown, BumpOutcome::Survived))
    }
}

/// Whether verify runs past this assertion, if an error prevented its comparison at the start. Correct work may raise
/// another error there, which the test expects.
fn is_reached(replay: &mut Replay<'_>, tried: &Layout, one: &Expectation) -> Result<bool, Stop> {
    let Expectation { path, mutation, bytes, .. } = one;
    let Some(behind) = mutate::error_behind(&path.to_string_lossy(), bytes, mutation.range.start, MARK) else {
        return Ok(false);
    };
    let what = "an error behind the assertion that failed at the start";
    let (outcome, output) = replay.says(&tried.with(path, behind), what)?;
    Ok(outcome.is_red() && output.contains(&MARK.concat()))
}

/// Returns the failures that the record of the start names, if the same verify ran on the same files.
fn recorded<'j>(candidate: &Candidate<'j>) -> Option<&'j [FailedAssertion]> {
    let request = candidate.request;
    let start = request.start.filter(|start| {
        start.seen.starts_with("red")
            && start.verify.as_ref() == Some(&request.replay.line.text)
            && request.base.is_some_and(|base| base.files.id.to_string() == start.tree)
    });
    start?.failed.as_deref()
}

fn named(probe: &Probe<'_, '_>, layout: &Layout, output: &str) -> Vec<Assertion> {
    of_files(probe.candidate, layout, &failed_assertions::below(probe.replay.folder(), output))
}

/// Whether a line calls a function of this name; `Instant::now()` is that of another type.
fn has_call(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = &line[..at];
        let path =
            &before[before.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').map_or(0, |end| end + 1)..];
        let is_of_type = path.starts_with(|c: char| c.is_uppercase());
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_whole && !is_of_type && line[at + name.len()..].starts_with('(')
    })
}

/// Returns each assertion whose file is certain, once.
fn of_files(candidate: &Candidate<'_>, layout: &Layout, failed: &[FailedAssertion]) -> Vec<Assertion> {
    let mut all: Vec<Assertion> = Vec::new();
    for failed in failed {
        let Some(path) = file(candidate, layout, Path::new(&failed.path), failed.package.as_deref()) else { continue };
        // The rows of a table fail on the same line, with different values.
        let is_same =
            |other: &Assertion| (&other.path, other.line, &other.values) == (&path, failed.line, &failed.values);
        if !all.iter().any(is_same) {
            let FailedAssertion { line, is_top, is_error, .. } = *failed;
            all.push(Assertion { path, line, is_top, values: failed.values.clone(), is_error });
        }
    }
    all
}

/// Returns the file of the layout that a runner names, if only one file fits best.
pub(crate) fn file(candidate: &Candidate<'_>, layout: &Layout, path: &Path, package: Option<&str>) -> Option<PathBuf> {
    let path = path.strip_prefix(".").unwrap_or(path);
    let root = candidate.request.replay.inner_root();
    let mut places = [root.join(path), path.to_owned()].into_iter().filter(|_| package.is_none());
    if let Some(place) = places.find(|place| layout.get(place).is_some()) {
        return Some(place);
    }
    // The more folders a file shares with the name of its package, the better it fits.
    let package: Vec<&str> = package.unwrap_or_default().split('/').rev().collect();
    let shared = |file: &Path| {
        let folders = file.parent().into_iter().flat_map(Path::components).rev();
        folders.zip(&package).take_while(|(folder, name)| folder.as_os_str() == **name).count()
    };
    let mut files: Vec<(usize, &Path)> =
        layout.paths().filter(|file| file.ends_with(path)).map(|file| (shared(file), file)).collect();
    files.sort();
    match files[..] {
        [(_, one)] => Some(one.to_owned()),
        [.., (less, _), (most, one)] if less < most => Some(one.to_owned()),
        _ => None,
    }
}
