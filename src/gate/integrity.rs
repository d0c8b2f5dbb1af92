//! `integrity`: verify relies on the clocks, assert methods and builtins of its interpreter. They must be the original ones
//! when the run ends; the work may replace them only for as long as a test needs it.

mod replaces;

use std::path::{Path, PathBuf};

use self::replaces::Replacement;
use super::full::candidate::Candidate;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, unresolved};
use super::harness::{is_code, unversioned};
use super::{GateFinding, GateLevel, goal_text};
use crate::lang::is_made;
use crate::lang::loaders::heeding;
use crate::mutate::Language;
use crate::replay::{Replaced, Reported, RunOutcome, Stop};

const ROW: &str = "integrity";
/// How many changed files are read at most.
const FILES: usize = 200;
/// How many names a finding shows.
const NAMED: usize = 3;
/// Modules below folders with these names are libraries.
const LIBRARIES: [&str; 2] = ["site-packages", "dist-packages"];
/// Names that products replace for good reasons: they set the time zone, or count timers and opened files.
const EFFECTS: [&str; 4] = ["TZ", "builtins.open", "setTimeout", "setInterval"];
/// Names that return the time or random numbers, which tests may replace with fixed values.
const GIVEN: [&str; 7] = ["time.", "datetime.", "Date", "performance", "process.hrtime", "random.", "Math.random"];

struct ReplacedName {
    name: String,
    path: PathBuf,
    line: Option<usize>,
}

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    let added = replacements(candidate)?;
    idle_if(added.is_empty(), "the work added no line that could replace a clock, an assert method or a builtin")?;
    let what = "the tree, to see what is replaced when it ends";
    let Some((outcome, reported)) = probe.replay.reported(&candidate.last, what)? else {
        return Ok(idle("the path of the clean export cannot be used in a setting of the interpreters"));
    };
    idle_if(!reported.has_begun, "verify starts no Python and no Node that reads PYTHONPATH and NODE_OPTIONS")?;
    if outcome != RunOutcome::Green {
        return Ok(undecided("verify is not green when its interpreters are asked what was replaced").into());
    }
    let mut kept = kept(candidate, probe.replay.folder(), &reported, &added);
    if !kept.is_empty()
        && let Some((_, then)) = probe.replay.reported(base, what)?
    {
        kept.retain(|one| !then.replaced.iter().any(|other| other.name == one.name));
    }
    if kept.is_empty() {
        return Ok(match reported.is_cut_off && starts_one(candidate) {
            true => undecided("the interpreter that verify starts ended without its last steps").into(),
            false => RowResult::default(),
        });
    }
    probe.confirm_export()?;
    Ok(finding(candidate, &kept).into())
}

fn undecided(why: &str) -> GateFinding {
    unresolved(&[ROW], why, "let the program of verify end by itself, without `os._exit` and `process.reallyExit`")
}

/// Whether verify is a single call of an interpreter, so that the first interpreter that began decides the result.
fn starts_one(candidate: &Candidate<'_>) -> bool {
    let argvs = candidate.request.replay.line.sequence.argvs();
    let [argv] = &argvs[..] else { return false };
    let name = argv.first().and_then(|program| Path::new(program).file_name()?.to_str()).unwrap_or_default();
    let has_name = |programs: &[&str]| programs.contains(&unversioned(name));
    ["PYTHONPATH", "NODE_OPTIONS"].iter().filter_map(|own| heeding(own)).any(has_name)
}

/// Returns the lines that the work added and that could replace something.
fn replacements(candidate: &Candidate<'_>) -> Result<Vec<Replacement>, Stop> {
    let mut found = Vec::new();
    // A script may have no extension.
    let may_be_code = |path: &&Path| is_code(path) || path.extension().is_none();
    for path in candidate.changed().filter(may_be_code).take(FILES) {
        let Some([then, now]) = candidate.texts(path)? else { continue };
        if let Some(Language::Python | Language::JavaScript) = Language::of(&path.to_string_lossy(), now.as_bytes()) {
            found.extend(replaces::added(path, &then, &now));
        }
    }
    Ok(found)
}

/// Returns the names that changed files of the work replaced, except names that the goal mentions together with the file.
fn kept(candidate: &Candidate<'_>, folder: &Path, reported: &Reported, added: &[Replacement]) -> Vec<ReplacedName> {
    let changed: Vec<&Path> = candidate.changed().collect();
    let of_work = |one: &Replaced| {
        let own = |file: &Option<PathBuf>| {
            let path = file.as_ref()?.strip_prefix(folder).ok()?;
            (!is_made(path)).then(|| path.to_owned())
        };
        let is_library = |file: &PathBuf| {
            file.starts_with(folder) || file.iter().any(|part| LIBRARIES.iter().any(|library| part == *library))
        };
        let line = added.iter().find(|line| line.replaces(&one.name));
        let at = |path: PathBuf| {
            let line = line.filter(|line| line.path == path).map(|line| line.line);
            ReplacedName { name: one.name.clone(), path, line }
        };
        match own(&one.file) {
            Some(path) => Some(at(path)),
            None if one.file.as_ref().is_some_and(is_library) => None,
            // The replacement has no code of its own: `time.sleep = Mock()`.
            None => own(&one.holder).map(at).or_else(|| line.map(|line| at(line.path.clone()))),
        }
    };
    let kept = reported.replaced.iter().filter_map(of_work);
    kept.filter(|one| changed.contains(&one.path.as_path()))
        .filter(|one| !goal_text::names(candidate.request.said, &one.path, &one.name.to_lowercase()))
        .collect()
}

fn finding(candidate: &Candidate<'_>, kept: &[ReplacedName]) -> GateFinding {
    let worst = |one: &&ReplacedName| level(candidate, one) == GateLevel::Block;
    let first = kept.iter().find(worst).unwrap_or(&kept[0]);
    let names: Vec<String> = kept.iter().filter(|one| one.path == first.path).map(|one| one.name.clone()).collect();
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let seen = format!("when verify ends, {} {is} still replaced by this file", shown.join(", "));
    let criterion = format!("{} replaces {}", first.path.display(), names.join(", "));
    let declare = goal_text::command(candidate.request.goal, &criterion);
    let resolve = format!("put it back after use, or leave it as it is; if the goal requires this: {declare}");
    let place = match first.line {
        Some(line) => format!("{}:{line}", first.path.display()),
        None => first.path.display().to_string(),
    };
    let expected = "a verify that ends with the clocks, assert methods and builtins of its interpreter";
    GateFinding::block(ROW, expected, seen, &resolve).level(level(candidate, first)).at(place)
}

/// The level for a replaced name. Tests may leave a clock stopped, but nobody needs to change how values are compared.
fn level(candidate: &Candidate<'_>, one: &ReplacedName) -> GateLevel {
    let is_given = GIVEN.iter().any(|given| one.name.starts_with(given));
    let is_effect = EFFECTS.contains(&one.name.as_str());
    if is_effect || is_given && !candidate.is_source(&one.path) { GateLevel::Note } else { GateLevel::Block }
}
