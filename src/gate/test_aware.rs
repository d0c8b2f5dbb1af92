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
use super::source_text::{is_of_name, whole_words};
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

struct Asking {
    path: PathBuf,
    now: String,
    questions: Vec<Question>,
    /// The numbers, from 1, of the changed lines that raise an error.
    raising: Vec<usize>,
}

impl Asking {
    /// The source, changed so that the answers are no.
    fn unanswered(&self) -> Vec<u8> {
        question::unanswered(&self.now, &self.questions).into_bytes()
    }

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
        self.questions.first().is_some_and(|first| !first.is_usual) && self.raising.iter().any(is_named)
    }
}

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    let mut asking = asking(candidate, base)?;
    let failures = match asking.iter().flat_map(|file| &file.questions).any(|one| one.function.is_some()) {
        true => Some(StartFailures::of(probe)?),
        false => None,
    };
    failures.iter().for_each(|failures| retain_tested(candidate, failures, &mut asking));
    let none = || idle("the work added nothing that asks whether a test runs");
    let (file, first) = asking.first().and_then(|file| Some((file, file.questions.first()?))).ok_or_else(none)?;
    let mut layout = candidate.last.clone();
    asking.iter().for_each(|file| layout.put(&file.path, file.unanswered()));
    let what = "the source told that no test runs";
    let (outcome, output) = probe.replay.says(&layout, what)?;
    pass_if(!outcome.is_red())?;
    let failures = failures.map_or_else(|| StartFailures::of(probe), Ok)?;
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
    Ok(finding(candidate, &file.path, first).into())
}

/// Drops questions about functions that no assertion called that failed at the start: tests may honestly replace a clock.
fn retain_tested(candidate: &Candidate<'_>, failures: &StartFailures, asking: &mut Vec<Asking>) {
    let is_tested = |name: &str| failures.calls(candidate, name).unwrap_or_default();
    let stays = |question: &Question| question.function.as_deref().is_none_or(is_tested);
    asking.iter_mut().for_each(|file| file.questions.retain(stays));
    asking.retain(|file| !file.questions.is_empty());
}

fn finding(candidate: &Candidate<'_>, path: &Path, first: &Question) -> GateFinding {
    let path = path.display();
    let seen = format!("verify is red when the source is told that no test runs: `{}`", first.text);
    let declare = goal_text::command(candidate.request.goal, &format!("{path} asks whether a test runs"));
    let resolve = format!("make the source behave the same everywhere; if the goal requires the question: {declare}");
    GateFinding::block(ROW, "work that is right without its tests", seen, &resolve).at(format!("{path}:{}", first.line))
}

/// Whether a line of a file that asks raises this error itself.
fn refuses(layout: &Layout, candidate: &Candidate<'_>, asking: &[Asking], error: &FailedAssertion) -> bool {
    let path = Path::new(&error.path);
    let file = asking.iter().find(|file| file.path == path || file.path.ends_with(path));
    let text = file.and_then(|file| candidate.bytes(layout, &file.path).ok().flatten()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    raises(line)
}

/// Whether a line begins with `raise` or `throw`, or has it behind a condition.
fn raises(line: &str) -> bool {
    RAISES.iter().any(|word| whole_words(line, word, |c| is_of_name(c) || c == '.').next().is_some())
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
        questions.extend(split_function::added(path, &then, &now));
        questions.extend(macros::added(path, &then, &now));
        questions.sort_by_key(|question| question.line);
        if questions.is_empty() {
            continue;
        }
        let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
        let is_raising = |(at, line): (usize, &str)| (is_changed(at + 1) && raises(line)).then_some(at + 1);
        let raising = now.lines().enumerate().filter_map(is_raising).collect();
        found.push(Asking { path: path.to_owned(), now, questions, raising });
    }
    Ok(found)
}
