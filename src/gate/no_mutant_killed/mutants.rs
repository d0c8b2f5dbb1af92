//! The mutants of the changed lines, and the results of verify on them.

use std::path::{Path, PathBuf};

use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::{Probe, RowResult};
use crate::gate::harness::{Harness, is_code};
use crate::gate::{GateFinding, GateLevel};
use crate::lang::uncompiled::says_uncompiled;
use crate::mutate::{self, Mutation};
use crate::plan::model::GoalKind;
use crate::replay::{Stop, WriteSandbox};
use crate::verify::stage1::CommandLine;

pub(super) const ROW: &str = "no-mutant-killed";
const MOST: usize = 12;
/// How many changed files are searched.
const FILES: usize = 60;
/// Fewer mutants than this prove nothing if verify notices that the work is missing: all may be equivalent to the original.
pub(super) const FEW: usize = 4;

#[derive(PartialEq, Eq)]
pub(super) struct Mutant {
    pub(super) path: PathBuf,
    pub(super) mutation: Mutation,
    pub(super) bytes: Vec<u8>,
}

#[derive(PartialEq, Eq)]
pub(super) enum Fate {
    Noticed,
    Unnoticed,
    /// The mutant does not compile, so it says nothing about the tests.
    Uncompiled,
}

#[derive(Default)]
pub(super) struct Unnoticed<'m> {
    /// These mutants, except in files that verify writes again.
    pub(super) tried: Vec<&'m Mutant>,
    pub(super) first: Option<&'m Mutant>,
    pub(super) uncompiled: usize,
}

pub(super) fn finding(first: &Mutant, ran: usize) -> GateFinding {
    let Mutation { what, line, .. } = &first.mutation;
    let seen = match ran {
        1 => format!("verify did not notice the only mutant of the changed lines: {what}"),
        ran => format!("verify noticed none of {ran} mutants of the changed lines; the first is {what}"),
    };
    let expected = "a verify that turns red when the changed lines are broken";
    let resolve = "make verify exercise the changed lines";
    GateFinding::block(ROW, expected, seen, resolve).at(format!("{}:{line}", first.path.display()))
}

/// Runs verify on each mutant until it notices one. Then the row has passed, and the result is returned.
pub(super) fn run_all<'m>(
    probe: &mut Probe<'_, '_>,
    write_sandbox: &WriteSandbox,
    mutants: &'m [Mutant],
    unnoticed: &mut Unnoticed<'m>,
) -> Result<Option<RowResult>, Stop> {
    for (number, mutant) in mutants.iter().enumerate() {
        let Mutation { what, line, .. } = &mutant.mutation;
        let what = format!("mutant {} of {}: `{}:{line}` {what}", number + 1, mutants.len(), mutant.path.display());
        match run(probe, write_sandbox, mutant, &what)? {
            Fate::Noticed => {
                let others = mutants[number + 1..].iter().find(|other| other.path != mutant.path);
                return elsewhere(probe, write_sandbox, &unnoticed.tried, mutant, others).map(Some);
            }
            Fate::Uncompiled => unnoticed.uncompiled += 1,
            Fate::Unnoticed => {
                unnoticed.first.get_or_insert(mutant);
                if !is_written(probe, mutant)? {
                    unnoticed.tried.push(mutant);
                }
            }
        }
    }
    Ok(None)
}

/// Tries a second changed file. If verify notices no mutant in it, that is only a note: honest work often has such a file.
fn elsewhere(
    probe: &mut Probe<'_, '_>,
    write_sandbox: &WriteSandbox,
    tried: &[&Mutant],
    killed: &Mutant,
    next: Option<&Mutant>,
) -> Result<RowResult, Stop> {
    let mut unnoticed = tried.iter().copied().find(|mutant| mutant.path != killed.path);
    if let Some(mutant) = next.filter(|_| tried.is_empty()) {
        let Mutation { what, line, .. } = &mutant.mutation;
        let what = format!("a mutant in a second file: `{}:{line}` {what}", mutant.path.display());
        // The row has passed, also if the budget ends here.
        match run(probe, write_sandbox, mutant, &what) {
            Err(Stop::Budget) | Ok(Fate::Noticed | Fate::Uncompiled) => {}
            Ok(Fate::Unnoticed) if is_written(probe, mutant)? => {}
            Ok(Fate::Unnoticed) => unnoticed = Some(mutant),
            Err(stop) => return Err(stop),
        }
    }
    let Some(mutant) = unnoticed else { return Ok(RowResult::default()) };
    let Mutation { what, line, .. } = &mutant.mutation;
    let (path, noticed) = (mutant.path.display(), killed.path.display());
    let seen = format!("verify noticed a mutant of `{noticed}` and none of `{path}`: {what}");
    let expected = "a verify that turns red when any changed file is broken";
    let resolve = format!("make verify exercise `{path}` too");
    let note = GateFinding::lead(ROW, expected, seen, &resolve).level(GateLevel::Note).at(format!("{path}:{line}"));
    Ok(RowResult { passed: true, ..note.into() })
}

pub(super) fn run(probe: &mut Probe<'_, '_>, within: &WriteSandbox, mutant: &Mutant, what: &str) -> Result<Fate, Stop> {
    let layout = probe.candidate.last.with(&mutant.path, mutant.bytes.clone());
    if !probe.replay.notices_program(&layout, within, what)? {
        return Ok(Fate::Unnoticed);
    }
    // A message that verify also prints on the tree itself says nothing about the mutant.
    let said = probe.replay.said_all();
    let is_uncompiled = says_uncompiled(&said, &mutant.path)
        && !says_uncompiled(&probe.replay.output_of(&probe.candidate.last, "the tree")?, &mutant.path);
    Ok(if is_uncompiled { Fate::Uncompiled } else { Fate::Noticed })
}

/// Whether verify wrote the file again during the run, with the content of the work.
fn is_written(probe: &Probe<'_, '_>, mutant: &Mutant) -> Result<bool, Stop> {
    let bytes = probe.candidate.now(&mutant.path)?;
    Ok(bytes.is_some_and(|bytes| probe.replay.has_written(&mutant.path, &bytes)))
}

/// Whether verify is red when these changed files, except tests, are restored and everything else stays.
pub(super) fn is_missed(probe: &mut Probe<'_, '_>, is_asked: &dyn Fn(&Path) -> bool) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(false) };
    let asked = candidate.changed().filter(|path| is_asked(path) && !candidate.harness.is_harness(path));
    let layout = candidate.last.taking(asked, base);
    Ok(probe.replay.run(&layout, "the source of the start with everything else as it is")?.is_red())
}

/// Whether the file is source code by its extension, or may be a script without an extension.
pub(super) fn may_be_source(path: &Path) -> bool {
    is_code(path) || path.extension().is_none()
}

/// Returns the changed files that are searched for mutants. A new script that verify runs today, and whose output it does not
/// compare, is the check of the other work.
pub(super) fn sources(candidate: &Candidate<'_>) -> Vec<PathBuf> {
    let replay = &candidate.request.replay;
    let read = |path: &Path| candidate.now(path).ok().flatten();
    let today = Harness::of(Some(&replay.line.sequence), replay.inner_root(), &[], &read);
    let is_source = |path: &&Path| may_be_source(path) && !candidate.harness.is_harness(path);
    let is_new = |path: &Path| candidate.base().is_some_and(|base| base.get(path).is_none());
    let sources = candidate.changed().filter(is_source).take(FILES).map(PathBuf::from);
    let (checks, work): (Vec<_>, Vec<_>) =
        sources.partition(|path| today.is_named(path) && !today.is_aside(path) && is_new(path));
    if work.is_empty() { checks } else { work }
}

/// Whether a goal of kind `docs` has this file as the check of a failure mode. The check tests the texts; nothing tests the check.
fn is_check(candidate: &Candidate<'_>, path: &Path) -> bool {
    let request = candidate.request;
    let runs = |(_, check): &(usize, CommandLine)| {
        let harness = Harness::of(Some(&check.sequence), request.replay.inner_root(), &[], &|_| None);
        harness.is_named(path)
    };
    request.kind == GoalKind::Docs && request.checks.iter().any(runs)
}

/// Returns mutants of the changed lines of the source files that `is_asked` accepts, taken from each file in turn.
pub(super) fn mutants(candidate: &Candidate<'_>, is_asked: &dyn Fn(&Path) -> bool) -> Result<Vec<Mutant>, Stop> {
    let mut mutants: Vec<(usize, Mutant)> = Vec::new();
    for path in sources(candidate).into_iter().filter(|path| is_asked(path) && !is_check(candidate, path)) {
        let Some(now) = candidate.now(&path)? else { continue };
        let lines = mutate::changed_lines(&candidate.then(&path)?.unwrap_or_default(), &now);
        let found = mutate::mutants(&path.to_string_lossy(), &now, &lines, MOST);
        let mutant = |mutation: Mutation| Mutant { path: path.clone(), bytes: mutation.apply(&now), mutation };
        mutants.extend(found.into_iter().map(mutant).enumerate());
    }
    mutants.sort_by_key(|(turn, _)| *turn);
    Ok(mutants.into_iter().map(|(_, mutant)| mutant).take(MOST).collect())
}
