//! `approved-tests-red`: runs verify on today's source with the test and harness files of the start, except files under
//! `may_change`. A goal is not reached if verify is green only because its tests were changed.

mod added_tests;
mod checks;
mod known_bugs;
mod named;
mod propped;
mod support;
mod wording;

use std::path::{Path, PathBuf};

use named::ExpectationChange;
use support::TESTS;
use wording::{ROW, inside_of, listed, put_back, resolve};

use super::GateFinding;
use super::full::candidate::Candidate;
use super::full::reading::only_reads;
use super::full::row::{EarlyEnd, Probe, RowResult, no_base, not_applicable, unresolved};
use super::full::tests_within;
use super::harness::{is_code, is_test};
use crate::plan::history::Seen;
use crate::replay::{RunOutcome, Stop};
use crate::repo::Mode;
use crate::repo::export::Layout;

/// Runs verify and the checks of the failure modes. If the tests of the start differ from those of the commit under it,
/// both run with the tests of the commit too.
pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let found = with_checks(probe)?;
    let under_start = probe.candidate.under_start().filter(|under_start| !found.blocks() && !under_start.signed);
    let Some(under_start) = under_start else { return Ok(found) };
    if !has_other_tests(probe.candidate, under_start)? {
        return Ok(found);
    }
    let committed = with_checks(&mut probe.on(under_start))?;
    Ok(if committed.blocks() || found.finding.is_none() { committed } else { found })
}

fn with_checks(probe: &mut Probe<'_, '_>) -> Result<RowResult, Stop> {
    let found = tests(probe)?;
    checks::row(probe, found)
}

/// Whether the commit under the start had tests, and its tests or harness differed from those at the start.
fn has_other_tests(candidate: &Candidate<'_>, under_start: &Candidate<'_>) -> Result<bool, Stop> {
    let (Some(then), Some(committed)) = (candidate.base(), under_start.base()) else { return Ok(false) };
    if !committed.paths().any(|path| is_test(path) || under_start.harness.is_named(path)) {
        return Ok(false);
    }
    let file = |layout: &Layout, path: &Path| layout.get(path).map(|file| (file.mode(), file.id()));
    for path in then.paths().chain(committed.paths()) {
        if file(then, path) == file(committed, path) {
            continue;
        }
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let may_hold_tests = is_rust || under_start.harness.is_mixed(path) || under_start.harness.is_aside(path);
        if may_hold_tests || under_start.decides(committed, path)? || under_start.decides(then, path)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn tests(probe: &mut Probe<'_, '_>) -> Result<RowResult, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(no_base(ROW)) };
    if added_tests::are_all(probe, base)? {
        return Ok(not_applicable(ROW, "the work only adds tests: without them it is the start"));
    }
    let mut layout = candidate.last.clone();
    let (files, open) = restore(probe, base, &mut layout)?;
    let mut outcome = outside(probe, base, &mut layout)?;
    // Files that verify only reads and does not run expect nothing of the work.
    let is_reader = outcome.is_red() && reads(probe, &files)?;
    if is_reader {
        (layout, outcome) = (candidate.last.clone(), RunOutcome::Green);
    }
    let mut within = layout.clone();
    let inside = tests_within::put(candidate, &candidate.last, base, true, &mut within)?;
    let is_inside = outcome == RunOutcome::Green && within != layout;
    if is_inside {
        outcome = match run(probe, &within)? {
            // If a function moved, its tests moved with it. The tests of the start do not compile in the old place.
            RunOutcome::Red(why) if probe.replay.says_uncompiled() => RunOutcome::Unstartable(why),
            outcome => outcome,
        };
    }
    let start = &candidate.start;
    let (how, files) = match is_inside && outcome != RunOutcome::Green {
        true => {
            let (what, files) = inside_of(&inside);
            (format!("with {what} as at {start}"), files)
        }
        false => (put_back(base, &files, start), files),
    };
    let resolve = &resolve(candidate, &files);
    let expected = format!("verify to be green with the tests as they stood at {}", candidate.goals_start);
    Ok(match outcome {
        RunOutcome::Red(why) => {
            let finding = GateFinding::block(ROW, &expected, format!("verify is red {how}: {why}"), resolve);
            files.first().map_or(finding.clone(), |first| finding.at(first)).into()
        }
        RunOutcome::Unstartable(why) => unresolved(&[ROW], format!("verify cannot start {how}: {why}"), resolve).into(),
        RunOutcome::Slow(why) => unresolved(&[ROW], why, "make verify faster").into(),
        RunOutcome::Green if is_reader => {
            not_applicable(ROW, &format!("verify only reads {}, and is red with their text of {start}", listed(&files)))
        }
        RunOutcome::Green => match left_open(candidate, base, &inside.unsure, &open)? {
            Some(lead) => lead.into(),
            None => {
                let found = propped::row(probe, base, &within)?;
                candidate.approve(within);
                found.map(RowResult::from).unwrap_or_default()
            }
        },
    })
}

/// Runs verify with the test files of the start: first together with today's new tests, then without them, then without
/// the marks of bugs that are fixed now. Sets `layout` to the layout that was green, if one of the later runs was.
fn outside(probe: &mut Probe<'_, '_>, base: &Layout, layout: &mut Layout) -> Result<RunOutcome, Stop> {
    let outcome = run(probe, layout)?;
    if outcome.is_red() {
        // A new test may be an old one with a new name, or need today's version of a helper. The approved tests need
        // neither.
        let is_new_test = |path: &&Path| base.get(path).is_none() && probe.candidate.harness.is_harness(path);
        let old = layout.taking(probe.candidate.changed().filter(is_new_test), base);
        for other in [Some(old), known_bugs::unmarked(probe.candidate, layout)?].into_iter().flatten() {
            if other != *layout && run(probe, &other)? == RunOutcome::Green {
                *layout = other;
                return Ok(RunOutcome::Green);
            }
        }
    }
    Ok(outcome)
}

/// Returns a lead if a changed file may be either the work or its test.
fn left_open(
    candidate: &Candidate<'_>,
    base: &Layout,
    unsure: &[PathBuf],
    open: &[PathBuf],
) -> Result<Option<GateFinding>, Stop> {
    if let Some(path) = unsure.first() {
        let why = format!("`{}`: its tests cannot be separated from its source", path.display());
        return Ok(Some(unresolved(&[ROW], why, "move the tests of a source file to a module of their own")));
    }
    let start = &candidate.start;
    if let Some(path) = open.first().map(PathBuf::as_path).or_else(|| aside(candidate, base)) {
        let declare = candidate.harness.declare(candidate.request.goal, std::iter::once(path));
        let path = path.display();
        let why = format!("`{path}`, which verify runs, has changed since {start}: it may be the work or its test");
        let resolve = format!("if it is the work: {declare}; else make the last command of verify the test");
        return Ok(Some(unresolved(&[ROW], why, &resolve)));
    }
    Ok(test_in_submodule(candidate, base)?.map(|[submodule, test]| {
        let why = format!("`{}` has changed since {start}, together with its submodule", test.display());
        let declare = candidate.harness.declare(candidate.request.goal, std::iter::once(submodule.as_path()));
        let resolve = format!("keep the tests of the submodule as they were; if they must change: {declare}");
        unresolved(&[ROW], why, &resolve)
    }))
}

/// Returns a changed submodule and a test, or a file that steers one, that differs between its commits. It can only be put back as a whole.
fn test_in_submodule(candidate: &Candidate<'_>, base: &Layout) -> Result<Option<[PathBuf; 2]>, Stop> {
    let harness = &candidate.harness;
    for path in candidate.changed().filter(|path| !harness.is_harness(path) && !harness.may_change(path)) {
        let commit =
            |layout: &Layout| layout.get(path).filter(|file| file.mode() == Mode::Submodule).map(|file| file.id());
        let (Some(then), Some(now)) = (commit(base), commit(&candidate.last)) else { continue };
        let changed = candidate.request.replay.repo.changed_in_submodule(path, then, now)?;
        // A file that a script sources may be the product; only its name tells.
        let says_assert = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
            ["assert", "expect", "check"].iter().any(|word| name.contains(word))
        };
        let steers =
            |path: &PathBuf| is_test(path) || harness.is_harness(path) || harness.is_mixed(path) || says_assert(path);
        if let Some(test) = changed.iter().map(|inner| path.join(inner)).find(steers) {
            return Ok(Some([path.to_owned(), test]));
        }
    }
    Ok(None)
}

/// Whether verify reads these tests as text and runs none of them.
fn reads(probe: &mut Probe<'_, '_>, files: &[String]) -> Result<bool, Stop> {
    let is_test_code = |file: &String| is_test(Path::new(file)) && is_code(Path::new(file));
    if probe.candidate.only_checks() && files.iter().all(is_test_code) {
        return Ok(true);
    }
    only_reads(probe, &files.iter().map(Path::new).collect::<Vec<_>>())
}

/// Returns a changed file that may be either the work or its test. A program that expects nothing is the work.
fn aside<'s>(candidate: &'s Candidate<'_>, base: &Layout) -> Option<&'s Path> {
    let harness = &candidate.harness;
    let is_open = |path: &&Path| harness.is_aside(path) && !harness.is_harness(path) && !harness.may_change(path);
    candidate.changed().filter(is_open).find(|path| named::expects(candidate, base, path))
}

fn run(probe: &mut Probe<'_, '_>, layout: &Layout) -> Result<RunOutcome, Stop> {
    if *layout == probe.candidate.last {
        return Ok(RunOutcome::Green);
    }
    let start = &probe.candidate.start;
    let what = format!("the source with tests and harness as at {start}");
    if let Some(outcome) = probe.replay.run_patiently(layout, &what)? {
        return Ok(outcome);
    }
    // If tests ended at the start but now take far longer than today's tests, they wait for an event that never comes.
    let base = probe.candidate.base().map(|base| probe.replay.run_patiently(base, "the files of the start"));
    match base.transpose()?.flatten() {
        Some(RunOutcome::Red(_) | RunOutcome::Green) => {
            Ok(RunOutcome::Red(format!("it does not end; it ended at {start}")))
        }
        _ => probe.replay.run(layout, &what),
    }
}

/// Restores the files that decide the result of verify, and removes new files that a runner loads automatically. New tests
/// stay at first, because they can only ask for more. Returns the paths that it changed, and the paths that may be the work.
fn restore(probe: &mut Probe<'_, '_>, base: &Layout, layout: &mut Layout) -> Result<(Vec<String>, Vec<PathBuf>), Stop> {
    let candidate = probe.candidate;
    let (mut touched, mut open) = (Vec::new(), Vec::new());
    let support = support::files(candidate, base)?;
    for path in candidate.changed().filter(|path| !candidate.harness.may_change(path)) {
        let was = base.get(path).is_some();
        let put_back = match was {
            true => support.contains(path) || candidate.decides(base, path)?,
            false => {
                let content = candidate.now(path)?;
                if let Some(bytes) =
                    content.as_deref().and_then(|now| candidate.harness.blended(path, b"", now, &|_| false))
                {
                    layout.put(path, bytes);
                    touched.push(path.to_string_lossy().into_owned());
                    continue;
                }
                candidate.harness.is_autoload(path, content.as_deref()) || takes_the_place(candidate, base, path)?
            }
        };
        if put_back {
            if was && candidate.harness.is_only_named(path) {
                match named::compare(probe, base, path)? {
                    ExpectationChange::Weaker => {}
                    ExpectationChange::Kept => continue,
                    ExpectationChange::Open => {
                        open.push(path.to_owned());
                        continue;
                    }
                }
            }
            layout.take(path, base);
            touched.push(path.to_string_lossy().into_owned());
        }
    }
    Ok((touched, open))
}

/// Whether a new file takes the place of a test. Python may find it before a test module, or before a module of Python's
/// library that the tests used when verify was red. Because of it, Go may find other modules or leave tests out.
fn takes_the_place(candidate: &Candidate<'_>, base: &Layout, path: &Path) -> Result<bool, Stop> {
    if candidate.harness.is_go_module(path) {
        return Ok(leaves_tests_out(base, path));
    }
    if candidate.harness.is_go_workspace(path) {
        let text = candidate.now(path)?.unwrap_or_default();
        return Ok(String::from_utf8_lossy(&text).lines().any(|line| line.trim_start().starts_with("replace")));
    }
    if let Some(test) = candidate.harness.stands_before(path).filter(|test| base.get(test).is_some()) {
        return candidate.decides(base, &test);
    }
    // Tests of a module that did not exist yet could not be loaded at the start; then verify was not seen red.
    let Some(module) = candidate.harness.standard_module(path).filter(|_| candidate.seen == Seen::Red) else {
        return Ok(false);
    };
    let is_test = |path: &&Path| {
        path.extension().is_some_and(|extension| extension == "py") && candidate.harness.is_harness(path)
    };
    for test in base.paths().filter(is_test).take(TESTS) {
        if candidate.bytes(base, test)?.is_some_and(|bytes| imports(&String::from_utf8_lossy(&bytes), module)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether this is a new Go module inside another one, around a folder with tests: `./...` in the outer module skips it.
fn leaves_tests_out(base: &Layout, module: &Path) -> bool {
    let Some(folder) = module.parent() else { return false };
    let is_inner = folder.ancestors().skip(1).any(|above| base.get(&above.join("go.mod")).is_some());
    let is_test = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("_test.go"));
    is_inner && base.paths().any(|path| path.starts_with(folder) && is_test(path))
}

/// Whether a Python source imports a module.
fn imports(text: &str, module: &str) -> bool {
    let is_it = |name: &str| name.split_whitespace().next().is_some_and(|name| name.split('.').next() == Some(module));
    text.lines().map(str::trim).any(|line| match line.split_once(' ') {
        Some(("import", names)) => names.split(',').any(is_it),
        Some(("from", name)) => is_it(name),
        _ => false,
    })
}
