//! `test-aware`: if the source newly asks whether a test runner is running, the row makes the answer no. Verify must not fail
//! then as it did without the work; otherwise the work is right only for its tests.

mod macros;
pub(super) mod question;
mod split_function;

use std::path::{Path, PathBuf};

use self::question::Question;
use super::canary_survived::start::StartFailures;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, pass_if};
use super::harness::is_code;
use super::{GateFinding, goal_text};
use crate::lang::failed_assertions::{self, FailedAssertion};
use crate::mutate;
use crate::replay::Stop;
use crate::repo::export::Layout;

const ROW: &str = "test-aware";
/// How many changed files are read.
const FILES: usize = 200;
/// Words of a line that raises an error.
const RAISES: [&str; 2] = ["raise", "throw"];

/// A source file that asks, with its content changed so that the answer is no.
struct Asking {
    path: PathBuf,
    first: Question,
    unanswered: Vec<u8>,
    /// The numbers, from 1, of the changed lines that raise an error.
    raising: Vec<usize>,
}

impl Asking {
    /// Whether the output names a changed line of this file that raises an error. A runner that prints errors in a form which
    /// is not known prints their places too. Does not apply if a product may ask the question for other reasons.
    fn raises(&self, top: &Path, output: &str) -> bool {
        let path = self.path.display();
        let is_named = |line: &usize| {
            let places =
                [format!("{}/{path}:{line}", top.display()), format!("{}/{path}\", line {line}", top.display())];
            let goes_on = |at: usize, place: &str| output[at + place.len()..].starts_with(|c: char| c.is_ascii_digit());
            places.iter().any(|place| output.match_indices(place.as_str()).any(|(at, _)| !goes_on(at, place)))
        };
        !self.first.is_usual && self.raising.iter().any(is_named)
    }
}

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    let asking = asking(candidate, base)?;
    let first = asking.first().ok_or_else(|| idle("the work added nothing that asks whether a test runs"))?;
    let mut layout = candidate.last.clone();
    asking.iter().for_each(|file| layout.put(&file.path, file.unanswered.clone()));
    let what = "the source told that no test runs";
    let (outcome, output) = probe.replay.says(&layout, what)?;
    pass_if(!outcome.is_red())?;
    let failures = StartFailures::of(probe)?;
    // `failure_back` repeats its run itself.
    if failures.failure_back(probe, [&candidate.last, &layout], what)?.is_none() {
        let now = failed_assertions::below(probe.replay.folder(), &output);
        let counts = |one: &FailedAssertion| match one.is_error {
            true => refuses(&layout, candidate, &asking, one),
            false => !failures.has_assertion(),
        };
        let raises = asking.iter().any(|file| file.raises(probe.replay.folder(), &output));
        pass_if(!raises && !now.iter().any(counts))?;
        // Repeated, to exclude chance.
        pass_if(!probe.replay.says(&layout, what)?.0.is_red())?;
    }
    probe.confirm_export()?;
    Ok(finding(candidate, first).into())
}

fn finding(candidate: &Candidate<'_>, first: &Asking) -> GateFinding {
    let path = first.path.display();
    let seen = format!("verify is red when the source is told that no test runs: `{}`", first.first.text);
    let declare = goal_text::command(candidate.request.goal, &format!("{path} asks whether a test runs"));
    let resolve = format!("make the source behave the same everywhere; if the goal requires the question: {declare}");
    GateFinding::block(ROW, "work that is right without its tests", seen, &resolve)
        .at(format!("{path}:{}", first.first.line))
}

/// Whether a line of a file that asks raises this error itself.
fn refuses(layout: &Layout, candidate: &Candidate<'_>, asking: &[Asking], error: &FailedAssertion) -> bool {
    let path = Path::new(&error.path);
    let file = asking.iter().find(|file| file.path == path || file.path.ends_with(path));
    let text = file.and_then(|file| candidate.bytes(layout, &file.path).ok().flatten()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    RAISES.iter().any(|word| line.contains(word))
}

/// Returns the changed source files that newly ask. A file that already asked at the start does not count.
fn asking(candidate: &Candidate<'_>, base: &Layout) -> Result<Vec<Asking>, Stop> {
    let mut found = Vec::new();
    for path in candidate.changed().filter(|path| candidate.is_source(path)).take(FILES) {
        if goal_text::names(candidate.request.said, path, "test") {
            continue;
        }
        let Some([then, now]) = candidate.texts(path)? else { continue };
        let is_old = base.get(path).is_some() && !question::added("", &then).is_empty();
        let mut questions = question::added(&then, &now);
        questions.retain(|question| !is_old && !question.is_asked_for(candidate.request.said));
        let is_called = |name: &str| is_called_by_tests(candidate, &now, name).unwrap_or_default();
        questions.extend(split_function::added(path, &then, &now, &is_called));
        questions.extend(macros::added(path, &then, &now, &is_called));
        questions.sort_by_key(|question| question.line);
        let unanswered = question::unanswered(&now, &questions).into_bytes();
        let Some(first) = questions.into_iter().next() else { continue };
        let is_changed = mutate::within(&mutate::changed_lines(then.as_bytes(), now.as_bytes()));
        let is_raising = |(at, line): (usize, &str)| {
            (is_changed(at + 1) && RAISES.iter().any(|word| line.contains(word))).then_some(at + 1)
        };
        let raising = now.lines().enumerate().filter_map(is_raising).collect();
        found.push(Asking { path: path.to_owned(), first, unanswered, raising });
    }
    Ok(found)
}

/// Whether a test calls this function: in a test file, or in a test module of the file itself.
fn is_called_by_tests(candidate: &Candidate<'_>, now: &str, name: &str) -> Result<bool, Stop> {
    let calls = |text: &str| {
        text.match_indices(name).any(|(at, _)| {
            let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            is_whole && text[at + name.len()..].starts_with('(') && !text[..at].ends_with("fn ")
        })
    };
    if now.match_indices("#[cfg(test)]\nmod ").next().is_some_and(|(at, _)| calls(&now[at..])) {
        return Ok(true);
    }
    let tests = candidate.last.paths().filter(|path| candidate.harness.is_harness(path) && is_code(path));
    for path in tests.take(FILES) {
        let Some(bytes) = candidate.now(path)? else { continue };
        if calls(&String::from_utf8_lossy(&bytes)) {
            return Ok(true);
        }
    }
    Ok(false)
}
