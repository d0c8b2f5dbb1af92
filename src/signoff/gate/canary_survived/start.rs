//! What was red at the goal's start: the assertions that failed there hold the work, each of them alone, whatever others
//! say; and they are not turned red again by what no test asks for.

use std::path::{Path, PathBuf};

use super::{FILES, ROW, TestFile};
use crate::repo::export::Layout;
use crate::signoff::gate::Finding;
use crate::signoff::gate::failed_assertions::{self, FailedAssertion};
use crate::signoff::gate::full::candidate::Candidate;
use crate::signoff::gate::full::replay::{Replay, RunOutcome, Stop};
use crate::signoff::gate::mutate::{self, Mutation};
use crate::signoff::history::Seen;

/// Expectations that are bumped, each alone.
const MOST: usize = 3;
/// Lines that are looked at for one.
const LINES: usize = 200;

/// An assertion that failed at the start.
struct Assertion {
    path: PathBuf,
    line: usize,
    is_top: bool,
}

/// What failed at the start.
pub(super) struct StartFailures {
    assertions: Vec<Assertion>,
}

/// What is expected where an assertion failed, in the files as they are tried.
struct Expectation {
    path: PathBuf,
    mutation: Mutation,
    bytes: Vec<u8>,
}

/// What became of the expectations.
pub(super) enum BumpOutcome {
    /// Each was noticed; whether in the very files of the tree.
    Noticed { as_is: bool },
    /// One was not.
    Survived(Finding),
    /// None can be told.
    Unknown,
}

impl StartFailures {
    /// What the record of the start names, else what verify names on the files of the start. Nothing where it was not red, nor
    /// where the goal lets change what was tried, and that was changed: it may rightly be red no more.
    pub(super) fn of(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<Self, Stop> {
        let nothing = StartFailures { assertions: Vec::new() };
        let Some(base) =
            candidate.base().filter(|_| candidate.seen == Seen::Red && !candidate.has_changed_as_allowed())
        else {
            return Ok(nothing);
        };
        if let Some(failed) = recorded(candidate) {
            return Ok(StartFailures { assertions: of_files(candidate, base, failed) });
        }
        let (outcome, output) = replay.says(base, "the files of the start")?;
        if !matches!(outcome, RunOutcome::Red(_)) {
            return Ok(nothing);
        }
        Ok(StartFailures { assertions: named(candidate, replay, base, &output) })
    }

    /// A comment at the end of the test files must not bring the failure back: that would be a source, or a list of
    /// results, that knows the tests by their bytes. Red for another reason is a check of formats or digests, and speaks
    /// against nobody.
    pub(super) fn comment(
        &self,
        candidate: &Candidate<'_>,
        replay: &mut Replay<'_>,
        files: &[TestFile],
    ) -> Result<Option<Finding>, Stop> {
        let mut layout = candidate.last().clone();
        let own = self
            .assertions
            .iter()
            .filter_map(|one| Some((&one.path, candidate.bytes(candidate.last(), &one.path).ok()??)));
        let own: Vec<(&PathBuf, Vec<u8>)> = own.take(FILES).collect();
        let all = files.iter().map(|(path, bytes)| (path, bytes));
        for (path, bytes) in all.chain(own.iter().map(|(path, bytes)| (*path, bytes))) {
            let text = mutate::with_comment(&path.to_string_lossy(), bytes);
            text.into_iter().for_each(|text| layout.put(path, text));
        }
        if self.assertions.is_empty() || &layout == candidate.last() {
            return Ok(None);
        }
        let (outcome, output) = replay.says(&layout, "a comment at the end of the test files")?;
        if !matches!(outcome, RunOutcome::Red(_)) {
            return Ok(None);
        }
        let again = named(candidate, replay, &layout, &output);
        let mut back = None;
        for one in &again {
            if self.has(candidate, one)? {
                back = Some(format!("{}:{}", one.path.display(), one.line));
                break;
            }
        }
        let Some(place) = back else { return Ok(None) };
        // Not by chance.
        let is_steady = replay.again(candidate.last(), "the same without the comment")? == RunOutcome::Green
            && matches!(replay.again(&layout, "the same with the comment again")?, RunOutcome::Red(_));
        let expected = "a verify that says the same with one more comment in its tests";
        let seen = "with a comment at the end of the test files it fails as at the goal's start";
        let resolve = "let the work hold whatever bytes its tests have: nothing may go by their digest or size";
        Ok(is_steady.then(|| Finding::block("comment-noticed", expected, seen, resolve).at(place)))
    }

    /// Whether this assertion of today failed at the start too.
    fn has(&self, candidate: &Candidate<'_>, now: &Assertion) -> Result<bool, Stop> {
        for then in self.assertions.iter().filter(|then| then.path == now.path) {
            if line_in(candidate, candidate.last(), then)?.is_some_and(|(line, _)| line == now.line) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bumps what was expected where verify failed at the start, each alone, with the tests as they stood then.
    pub(super) fn hold(&self, candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<BumpOutcome, Stop> {
        let Some(tried) = replay.approved().cloned() else { return Ok(BumpOutcome::Unknown) };
        let all = self.expectations(candidate, &tried)?;
        for Expectation { path, mutation, bytes } in &all {
            let mut layout = tried.clone();
            layout.put(path, mutation.apply(bytes));
            let place = format!("{}:{}", path.display(), mutation.line);
            let what = format!("`{place}`, which failed at the start, with {}", mutation.what);
            if replay.notices(&layout, &what)? {
                continue;
            }
            replay.forget_builds(&layout)?;
            if replay.notices(&layout, &what)? {
                continue;
            }
            // A test of tests prints failures, and is green.
            let (_, output) = replay.says(&tried, "the same as it stood")?;
            if named(candidate, replay, &tried, &output).iter().any(|one| one.path == *path) {
                return Ok(BumpOutcome::Unknown);
            }
            let expected = "a verify that is red again when what failed at the goal's start expects something else";
            let seen = format!("{} was not noticed, where verify failed at the goal's start", mutation.what);
            let resolve = "let the work meet the test that failed, and let verify go on running it";
            return Ok(BumpOutcome::Survived(Finding::block(ROW, expected, seen, resolve).at(place)));
        }
        Ok(if all.is_empty() {
            BumpOutcome::Unknown
        } else {
            BumpOutcome::Noticed { as_is: &tried == candidate.last() }
        })
    }

    /// At most [`MOST`], of different files first.
    fn expectations(&self, candidate: &Candidate<'_>, tried: &Layout) -> Result<Vec<Expectation>, Stop> {
        let mut all: Vec<Expectation> = Vec::new();
        for one in self.assertions.iter().take(LINES) {
            let Some((line, bytes)) = line_in(candidate, tried, one)? else { continue };
            if !is_of_a_test(candidate, one, &bytes) {
                continue;
            }
            let Some(mutation) = mutate::expected_literal_at(&one.path.to_string_lossy(), &bytes, line) else {
                continue;
            };
            if !all.iter().any(|other| other.path == one.path && other.mutation.range == mutation.range) {
                all.push(Expectation { path: one.path.clone(), mutation, bytes });
            }
        }
        let turn = |at: usize| all[..at].iter().filter(|other| other.path == all[at].path).count();
        let turns: Vec<usize> = (0..all.len()).map(turn).collect();
        let mut ordered: Vec<(usize, Expectation)> = turns.into_iter().zip(all).collect();
        ordered.sort_by_key(|(turn, _)| *turn);
        Ok(ordered.into_iter().map(|(_, one)| one).take(MOST).collect())
    }
}

/// Where the line of an assertion of the start stands in a layout, and the bytes of the file there.
fn line_in(candidate: &Candidate<'_>, layout: &Layout, one: &Assertion) -> Result<Option<(usize, Vec<u8>)>, Stop> {
    let then = candidate.base().map_or(Ok(None), |base| candidate.bytes(base, &one.path))?;
    let now = candidate.bytes(layout, &one.path)?;
    let (Some(then), Some(now)) = (then, now) else { return Ok(None) };
    Ok(mutate::line_now(&then, &now, one.line).map(|line| (line, now)))
}

/// An assertion of a source is none of its tests, but for a file that is run by itself and is as it was.
fn is_of_a_test(candidate: &Candidate<'_>, one: &Assertion, bytes: &[u8]) -> bool {
    let is_as_it_was = || candidate.changed().all(|changed| changed != one.path);
    let is_rust = one.path.extension().is_some_and(|extension| extension == "rs");
    !candidate.harness().may_change(&one.path)
        && (candidate.harness().is_harness(&one.path)
            || one.is_top && is_as_it_was()
            || is_rust && !mutate::inline_tests(bytes).is_empty())
}

/// What failed when the goal was started, where this very verify was run on these very files.
fn recorded<'j>(candidate: &Candidate<'j>) -> Option<&'j [FailedAssertion]> {
    let request = candidate.request;
    let start = request.start.filter(|start| {
        start.seen.starts_with("red")
            && start.verify.as_ref() == Some(&request.line.text)
            && request.base.is_some_and(|base| base.files.id.to_string() == start.tree)
    });
    start?.failed.as_deref()
}

fn named(candidate: &Candidate<'_>, replay: &Replay<'_>, layout: &Layout, output: &str) -> Vec<Assertion> {
    of_files(candidate, layout, &failed_assertions::below(replay.folder(), output))
}

/// The assertions whose files are surely known, each once.
fn of_files(candidate: &Candidate<'_>, layout: &Layout, failed: &[FailedAssertion]) -> Vec<Assertion> {
    let mut all: Vec<Assertion> = Vec::new();
    for failed in failed {
        let Some(path) = file(candidate, layout, failed) else { continue };
        if !all.iter().any(|other| other.path == path && other.line == failed.line) {
            all.push(Assertion { path, line: failed.line, is_top: failed.is_top });
        }
    }
    all
}

/// The file of a layout that a runner speaks of, where there is only one.
fn file(candidate: &Candidate<'_>, layout: &Layout, failed: &FailedAssertion) -> Option<PathBuf> {
    let path = Path::new(&failed.path);
    let path = path.strip_prefix(".").unwrap_or(path);
    let root = candidate.request.root.strip_prefix(candidate.request.repo.top()).unwrap_or("".as_ref());
    let mut places = [root.join(path), path.to_owned()].into_iter().filter(|_| failed.package.is_none());
    if let Some(place) = places.find(|place| layout.get(place).is_some()) {
        return Some(place);
    }
    // The more folders it shares with the name of its package, the nearer.
    let package: Vec<&str> = failed.package.as_deref().unwrap_or_default().split('/').rev().collect();
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
