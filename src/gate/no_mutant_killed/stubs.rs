//! Work that only adds tests has no line to mutate. Here the row makes stubs of functions that only the new tests call. If these notice no
//! stub, they assert nothing about the functions. That blocks only if their lines contain no assertion at all: what they assert may be about
//! something in which no function is found, such as a field or an operator. It also blocks if they assert something about a function, call it,
//! and notice none of its stubs: then they catch their own failures.

mod assertions;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::mutants::{Fate, Mutant, ROW, run};
use super::sandbox;
use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::{EarlyEnd, Probe, RowResult, pass_if};
use crate::gate::source_text::names;
use crate::gate::{GateFinding, GateLevel, goal_text};
use crate::mutate::{self, FunctionName, Stub};
use crate::plan::model::GoalKind;
use crate::replay::{RunOutcome, Stop, WriteSandbox};

/// Beginnings of words for goals whose tests need not look at a result.
const RUNS_ONLY: [&str; 6] = ["smoke", "crash", "fuzz", "bench", "panic", "hang"];
/// A criterion with such a word.
const CRITERION: &str = "smoke tests are enough";
/// The maximum number of source files to search, and of their bytes in all. A larger repository is not searched.
const FILES: usize = 400;
const BYTES: usize = 4 << 20;
/// How many functions are tried at most.
const MOST: usize = 10;

/// A function of the source whose name the added lines of the tests mention.
struct Subject {
    path: PathBuf,
    function: FunctionName,
    /// Whether they mention it as a call (`f(`, `a.f`), not only in an import.
    is_called: bool,
    /// Whether such a line is an assertion.
    is_asserted: bool,
}

impl Subject {
    fn stub(&self, source: &[u8], stub: Stub) -> Option<Mutant> {
        let mutation = mutate::stub(&self.path.to_string_lossy(), source, &self.function, stub)?;
        Some(Mutant { path: self.path.clone(), bytes: mutation.apply(source), mutation })
    }
}

/// The use of a function by the new tests.
enum Use {
    /// They do not call it.
    None,
    /// They notice a stub of it, so they assert something about it.
    Asserted {
        /// The work added the function: then the stub is a mutant of the work.
        is_new: bool,
    },
    /// They call it and notice no stub of it. No old test calls it.
    OnlyCalled {
        /// The stub that fails, if they catch that, else the one that does nothing.
        stub: Mutant,
        is_new: bool,
        /// They assert something about it, and do not notice either that it fails: they catch their own failures.
        is_caught: bool,
    },
    /// Old tests call it too, or no stub of it is possible.
    Unknown,
}

/// Returns a result if the new tests call functions that no test called at the start.
pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<Option<RowResult>, EarlyEnd> {
    let candidate = probe.candidate;
    let added = added(candidate)?;
    let subjects = subjects(candidate, &added)?;
    if subjects.is_empty() {
        return Ok(None);
    }
    let is_test = candidate.request.kind == GoalKind::Test;
    let write_sandbox = &sandbox(probe)?;
    let mut only_called: Vec<Mutant> = Vec::new();
    let mut is_sure = subjects.len() <= MOST;
    let mut asserts = added.iter().any(AddedLines::assert);
    for subject in subjects.iter().take(MOST) {
        match used(probe, write_sandbox, subject)? {
            Use::None => {}
            // For other kinds, tests of old code are not the work, so they do not stand in for a red start.
            Use::Asserted { is_new } => return Ok((is_new || is_test).then(RowResult::default)),
            // A test that was red without the fix asserts something: that the function ends, or raises no error.
            Use::OnlyCalled { stub, is_new, is_caught } if is_new || is_test => {
                asserts &= !is_caught;
                only_called.push(stub);
            }
            Use::OnlyCalled { .. } => is_sure = false,
            Use::Unknown => is_sure &= !subject.is_called,
        }
    }
    let Some(first) = only_called.first() else { return Ok(None) };
    probe.replay.forget_builds(&candidate.last)?;
    pass_if(run(probe, write_sandbox, first, "the first mutant, built from scratch")? != Fate::Unnoticed)?;
    probe.confirm_export()?;
    is_sure &= !asserts;
    let level = if is_sure { GateLevel::Block } else { GateLevel::Note };
    let finding = finding(candidate, &only_called, first).level(level);
    Ok(Some(RowResult { passed: !is_sure, ..finding.into() }))
}

/// Finds out how the new tests use a function. Old tests call it if verify at the start notices that it fails; if verify was red at
/// the start, all its tests are new.
fn used(probe: &mut Probe<'_, '_>, write_sandbox: &WriteSandbox, subject: &Subject) -> Result<Use, Stop> {
    let candidate = probe.candidate;
    let (Some(base), Some(now)) = (candidate.base(), candidate.now(&subject.path)?) else { return Ok(Use::Unknown) };
    let stubs = [Stub::Fails, Stub::ReturnsNothing, Stub::ReturnsOther].map(|stub| subject.stub(&now, stub));
    let [Some(fails), Some(nothing), Some(other)] = stubs else { return Ok(Use::Unknown) };
    let then = candidate.then(&subject.path)?.unwrap_or_default();
    let stood = subject.stub(&then, Stub::Fails);
    let is_new = stood.is_none();
    match run_stub(probe, write_sandbox, &fails)? {
        Fate::Noticed => {}
        Fate::Unnoticed if subject.is_called && subject.is_asserted => {
            let is_caught = is_caught(probe, write_sandbox, subject, [&now, &then], [&nothing, &other])?;
            return Ok(if is_caught { Use::OnlyCalled { stub: fails, is_new, is_caught } } else { Use::None });
        }
        Fate::Unnoticed => return Ok(Use::None),
        Fate::Uncompiled => return Ok(Use::Unknown),
    }
    let is_green = !is_new && probe.replay.run(base, "the files of the start")? == RunOutcome::Green;
    if let Some(failing) = stood.filter(|_| is_green) {
        let what = format!("the start with {}", failing.mutation.what);
        if probe.replay.notices_program(&base.with(&subject.path, failing.bytes), write_sandbox, &what)? {
            return Ok(Use::Unknown);
        }
    }
    // A test may rightly expect the default of a type, or the other value, but not both.
    Ok(match [run_stub(probe, write_sandbox, &nothing)?, run_stub(probe, write_sandbox, &other)?] {
        [Fate::Noticed, _] | [_, Fate::Noticed] => Use::Asserted { is_new },
        [Fate::Unnoticed, Fate::Unnoticed] => Use::OnlyCalled { stub: nothing, is_new, is_caught: false },
        _ => Use::Unknown,
    })
}

/// Whether the new tests call a function, and stay green whatever it does: they notice only that it ends the program. The tests of the
/// start must not call it, since they could be those that do.
fn is_caught(
    probe: &mut Probe<'_, '_>,
    write_sandbox: &WriteSandbox,
    subject: &Subject,
    [now, then]: [&[u8]; 2],
    returning: [&Mutant; 2],
) -> Result<bool, Stop> {
    let Some(exits) = subject.stub(now, Stub::Exits) else { return Ok(false) };
    if run_stub(probe, write_sandbox, &exits)? != Fate::Noticed {
        return Ok(false);
    }
    for stub in returning {
        if run_stub(probe, write_sandbox, stub)? != Fate::Unnoticed {
            return Ok(false);
        }
    }
    let (Some(base), Some(exits)) = (probe.candidate.base(), subject.stub(then, Stub::Exits)) else { return Ok(true) };
    let what = format!("the start with {}", exits.mutation.what);
    Ok(!probe.replay.notices_program(&base.with(&subject.path, exits.bytes), write_sandbox, &what)?)
}

fn run_stub(probe: &mut Probe<'_, '_>, write_sandbox: &WriteSandbox, stub: &Mutant) -> Result<Fate, Stop> {
    run(probe, write_sandbox, stub, &format!("`{}` with {}", stub.path.display(), stub.mutation.what))
}

pub(super) fn applies(candidate: &Candidate<'_>) -> bool {
    candidate.request.kind != GoalKind::Docs && !goal_text::speaks_of(candidate.request.said, &RUNS_ONLY)
}

fn finding(candidate: &Candidate<'_>, unnoticed: &[Mutant], first: &Mutant) -> GateFinding {
    let others = match unnoticed.len() - 1 {
        0 => String::new(),
        1 => ", and one more function that they call".to_owned(),
        others => format!(", and {others} more functions that they call"),
    };
    let seen = format!("the new tests are green with {}{others}", first.mutation.what);
    let expected = "a new test that turns red when a function that it calls is broken";
    let declare = goal_text::command(candidate.request.goal, CRITERION);
    let resolve = format!("assert what the function returns or changes; if it only has to run: {declare}");
    GateFinding::block(ROW, expected, seen, &resolve).at(format!("{}:{}", first.path.display(), first.mutation.line))
}

/// Returns the functions that the added lines mention, in the order of their names there.
fn subjects(candidate: &Candidate<'_>, added: &[AddedLines]) -> Result<Vec<Subject>, Stop> {
    let mut mentions: HashMap<&str, Mention> = HashMap::new();
    added.iter().flat_map(|added| &added.lines).for_each(|line| add_mentions(line, &mut mentions));
    let sources: Vec<&Path> = candidate.last.paths().filter(|path| candidate.is_source(path)).collect();
    let (mut found, mut bytes): (Vec<(usize, Subject)>, usize) = (Vec::new(), 0);
    for path in sources.iter().filter(|_| sources.len() <= FILES) {
        let Some(source) = candidate.now(path)?.filter(|source| bytes + source.len() <= BYTES) else { continue };
        bytes += source.len();
        for function in mutate::function_names(&path.to_string_lossy(), &source) {
            let Some(Mention { rank, is_called, is_asserted }) = mentions.get(function.name.as_str()) else { continue };
            let (is_called, is_asserted) = (*is_called, *is_asserted);
            found.push((*rank, Subject { path: path.to_path_buf(), function, is_called, is_asserted }));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    Ok(found.into_iter().map(|(_, subject)| subject).collect())
}

/// The lines that the work added to a file with tests.
struct AddedLines {
    /// Whether the file is text, before and now.
    is_text: bool,
    lines: Vec<String>,
}

impl AddedLines {
    fn assert(&self) -> bool {
        self.is_text && self.lines.iter().any(|line| assertions::asserts(line))
    }
}

/// Returns the lines that the work added to each test, and to each Rust source, which may have tests inside.
fn added(candidate: &Candidate<'_>) -> Result<Vec<AddedLines>, Stop> {
    let may_test = |path: &&Path| candidate.harness.is_harness(path) || path.extension().is_some_and(|end| end == "rs");
    let mut added = Vec::new();
    for path in candidate.changed().filter(may_test) {
        let (then, Some(now)) = (candidate.then(path)?.unwrap_or_default(), candidate.now(path)?) else { continue };
        let is_added = mutate::is_changed(&then, &now);
        let text = String::from_utf8_lossy(&now);
        let lines = text.lines().enumerate().filter(|(index, _)| is_added(index + 1));
        let lines = lines.map(|(_, line)| line.to_owned()).collect();
        added.push(AddedLines { is_text: [&then, &now].iter().all(|bytes| std::str::from_utf8(bytes).is_ok()), lines });
    }
    Ok(added)
}

struct Mention {
    /// The number of different words before it.
    rank: usize,
    is_called: bool,
    /// Whether a line with a call of it is an assertion.
    is_asserted: bool,
}

fn add_mentions<'l>(line: &'l str, mentions: &mut HashMap<&'l str, Mention>) {
    let asserts = assertions::asserts(line);
    for (start, word) in names(line) {
        let rank = mentions.len();
        let mention = mentions.entry(word).or_insert(Mention { rank, is_called: false, is_asserted: false });
        let is_called = line[start + word.len()..].starts_with('(') || line[..start].ends_with('.');
        mention.is_called |= is_called;
        mention.is_asserted |= is_called && asserts;
    }
}
