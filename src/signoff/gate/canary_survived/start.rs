//! What was red at the goal's start: the assertions that failed there hold the work, each of them alone, whatever others
//! say; and they are not turned red again by what no test asks for.

use std::path::{Path, PathBuf};

use super::{FILES, ROW, TestFile};
use crate::repo::export::Layout;
use crate::signoff::gate::Finding;
use crate::signoff::gate::failed::{self, Failed};
use crate::signoff::gate::full::work::Work;
use crate::signoff::gate::full::yard::{Stop, Told, Yard};
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
pub(super) struct Start {
    assertions: Vec<Assertion>,
}

/// What is expected where an assertion failed, in the files as they are tried.
struct Expectation {
    path: PathBuf,
    mutation: Mutation,
    bytes: Vec<u8>,
}

/// What became of the expectations.
pub(super) enum Held {
    /// Each was noticed; whether in the very files of the tree.
    Noticed { as_is: bool },
    /// One was not.
    Survived(Finding),
    /// None can be told.
    Unknown,
}

impl Start {
    /// What the record of the start names, else what verify names on the files of the start. Nothing where it was not red, nor
    /// where the goal lets change what was tried, and that was changed: it may rightly be red no more.
    pub(super) fn of(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Self, Stop> {
        let nothing = Start { assertions: Vec::new() };
        let Some(base) = work.base().filter(|_| work.seen == Seen::Red && !work.has_changed_as_allowed()) else {
            return Ok(nothing);
        };
        if let Some(failed) = recorded(work) {
            return Ok(Start { assertions: of_files(work, base, failed) });
        }
        let (told, output) = yard.says(base, "the files of the start")?;
        if !matches!(told, Told::Red(_)) {
            return Ok(nothing);
        }
        Ok(Start { assertions: named(work, yard, base, &output) })
    }

    /// A comment at the end of the test files must not bring the failure back: that would be a source, or a list of
    /// results, that knows the tests by their bytes. Red for another reason is a check of formats or digests, and speaks
    /// against nobody.
    pub(super) fn comment(
        &self,
        work: &Work<'_>,
        yard: &mut Yard<'_>,
        files: &[TestFile],
    ) -> Result<Option<Finding>, Stop> {
        let mut layout = work.last().clone();
        let own = self.assertions.iter().filter_map(|one| Some((&one.path, work.bytes(work.last(), &one.path).ok()??)));
        let own: Vec<(&PathBuf, Vec<u8>)> = own.take(FILES).collect();
        let all = files.iter().map(|(path, bytes)| (path, bytes));
        for (path, bytes) in all.chain(own.iter().map(|(path, bytes)| (*path, bytes))) {
            let text = mutate::with_comment(&path.to_string_lossy(), bytes);
            text.into_iter().for_each(|text| layout.put(path, text));
        }
        if self.assertions.is_empty() || &layout == work.last() {
            return Ok(None);
        }
        let (told, output) = yard.says(&layout, "a comment at the end of the test files")?;
        if !matches!(told, Told::Red(_)) {
            return Ok(None);
        }
        let again = named(work, yard, &layout, &output);
        let mut back = None;
        for one in &again {
            if self.has(work, one)? {
                back = Some(format!("{}:{}", one.path.display(), one.line));
                break;
            }
        }
        let Some(place) = back else { return Ok(None) };
        // Not by chance.
        let is_steady = yard.again(work.last(), "the same without the comment")? == Told::Green
            && matches!(yard.again(&layout, "the same with the comment again")?, Told::Red(_));
        let expected = "a verify that says the same with one more comment in its tests";
        let seen = "with a comment at the end of the test files it fails as at the goal's start";
        let resolve = "let the work hold whatever bytes its tests have: nothing may go by their digest or size";
        Ok(is_steady.then(|| Finding::block("comment-noticed", expected, seen, resolve).at(place)))
    }

    /// Whether this assertion of today failed at the start too.
    fn has(&self, work: &Work<'_>, now: &Assertion) -> Result<bool, Stop> {
        for then in self.assertions.iter().filter(|then| then.path == now.path) {
            if line_in(work, work.last(), then)?.is_some_and(|(line, _)| line == now.line) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bumps what was expected where verify failed at the start, each alone, with the tests as they stood then.
    pub(super) fn hold(&self, work: &Work<'_>, yard: &mut Yard<'_>) -> Result<Held, Stop> {
        let Some(tried) = yard.approved().cloned() else { return Ok(Held::Unknown) };
        let all = self.expectations(work, &tried)?;
        for Expectation { path, mutation, bytes } in &all {
            let mut layout = tried.clone();
            layout.put(path, mutation.apply(bytes));
            let place = format!("{}:{}", path.display(), mutation.line);
            let what = format!("`{place}`, which failed at the start, with {}", mutation.what);
            if yard.notices(&layout, &what)? {
                continue;
            }
            yard.forget_builds(&layout)?;
            if yard.notices(&layout, &what)? {
                continue;
            }
            // A test of tests prints failures, and is green.
            let (_, output) = yard.says(&tried, "the same as it stood")?;
            if named(work, yard, &tried, &output).iter().any(|one| one.path == *path) {
                return Ok(Held::Unknown);
            }
            let expected = "a verify that is red again when what failed at the goal's start expects something else";
            let seen = format!("{} was not noticed, where verify failed at the goal's start", mutation.what);
            let resolve = "let the work meet the test that failed, and let verify go on running it";
            return Ok(Held::Survived(Finding::block(ROW, expected, seen, resolve).at(place)));
        }
        Ok(if all.is_empty() { Held::Unknown } else { Held::Noticed { as_is: &tried == work.last() } })
    }

    /// At most [`MOST`], of different files first.
    fn expectations(&self, work: &Work<'_>, tried: &Layout) -> Result<Vec<Expectation>, Stop> {
        let mut all: Vec<Expectation> = Vec::new();
        for one in self.assertions.iter().take(LINES) {
            let Some((line, bytes)) = line_in(work, tried, one)? else { continue };
            if !is_of_a_test(work, one, &bytes) {
                continue;
            }
            let Some(mutation) = mutate::canary_at(&one.path.to_string_lossy(), &bytes, line) else { continue };
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
fn line_in(work: &Work<'_>, layout: &Layout, one: &Assertion) -> Result<Option<(usize, Vec<u8>)>, Stop> {
    let then = work.base().map_or(Ok(None), |base| work.bytes(base, &one.path))?;
    let now = work.bytes(layout, &one.path)?;
    let (Some(then), Some(now)) = (then, now) else { return Ok(None) };
    Ok(mutate::line_now(&then, &now, one.line).map(|line| (line, now)))
}

/// An assertion of a source is none of its tests, but for a file that is run by itself and is as it was.
fn is_of_a_test(work: &Work<'_>, one: &Assertion, bytes: &[u8]) -> bool {
    let is_as_it_was = || work.changed().all(|changed| changed != one.path);
    let is_rust = one.path.extension().is_some_and(|extension| extension == "rs");
    !work.harness().may_change(&one.path)
        && (work.harness().is_harness(&one.path)
            || one.is_top && is_as_it_was()
            || is_rust && !mutate::inline_tests(bytes).is_empty())
}

/// What failed when the goal was started, where this very verify was run on these very files.
fn recorded<'j>(work: &Work<'j>) -> Option<&'j [Failed]> {
    let job = work.job;
    let start = job.start.filter(|start| {
        start.seen.starts_with("red")
            && start.verify.as_ref() == Some(&job.line.text)
            && job.base.is_some_and(|base| base.files.id.to_string() == start.tree)
    });
    start?.failed.as_deref()
}

fn named(work: &Work<'_>, yard: &Yard<'_>, layout: &Layout, output: &str) -> Vec<Assertion> {
    of_files(work, layout, &failed::below(yard.folder(), output))
}

/// The assertions whose files are surely known, each once.
fn of_files(work: &Work<'_>, layout: &Layout, failed: &[Failed]) -> Vec<Assertion> {
    let mut all: Vec<Assertion> = Vec::new();
    for failed in failed {
        let Some(path) = file(work, layout, failed) else { continue };
        if !all.iter().any(|other| other.path == path && other.line == failed.line) {
            all.push(Assertion { path, line: failed.line, is_top: failed.is_top });
        }
    }
    all
}

/// The file of a layout that a runner speaks of, where there is only one.
fn file(work: &Work<'_>, layout: &Layout, failed: &Failed) -> Option<PathBuf> {
    let path = Path::new(&failed.path);
    let path = path.strip_prefix(".").unwrap_or(path);
    let root = work.job.root.strip_prefix(work.job.repo.top()).unwrap_or("".as_ref());
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
