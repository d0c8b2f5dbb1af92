//! `test-aware`: if the source newly asks whether a test runner is running, the row makes the answer no. Verify must not fail
//! then as it did without the work; otherwise the work is right only for its tests.

pub(super) mod question;

use std::path::{Path, PathBuf};

use self::question::Question;
use super::canary_survived::start::StartFailures;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, pass_if};
use super::{GateFinding, goal_text};
use crate::lang::failed_assertions::{self, FailedAssertion};
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
        pass_if(!now.iter().any(counts))?;
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
        questions.retain(|question| !question.is_asked_for(candidate.request.said));
        let unanswered = question::unanswered(&now, &questions).into_bytes();
        let first = questions.into_iter().next().filter(|_| !is_old);
        found.extend(first.map(|first| Asking { path: path.to_owned(), first, unanswered }));
    }
    Ok(found)
}
