//! Tells the caller at the start what the result of verify will mean at completion.

use std::path::Path;

use crate::config::{self, Config};
use crate::gate::Depth;
use crate::gate::harness::is_test;
use crate::gate::leads::grep_of_written::looks_at_prose;
use crate::lang::closing_lines;
use crate::plan::glob::Glob;
use crate::plan::model::{GoalKind, GoalRef};
use crate::shell::quote;
use crate::store::Place;
use crate::verify::stage1::{CommandLine, Report};

/// The minimum number of runs of verify in a gate, if most rows have something to look at.
const RUNS: f64 = 8.0;

/// Returns notes, each with the one command that fixes it, if there is one. `was_red`: verify was seen red for this contract
/// before.
pub(super) fn notes(
    place: &Place,
    goal: GoalRef<'_, '_>,
    line: Option<&CommandLine>,
    report: Option<&Report>,
    was_red: bool,
) -> Vec<String> {
    let (id, kind) = (goal.name(), goal.kind());
    let mut notes = Vec::new();
    match report {
        Some(report) if report.is_green() && !kind.begins_green() && !was_red => notes.push(begun_green(id, report)),
        Some(report) if report.at_start() == "unstartable" => {
            notes.push(format!(
                "verify cannot run yet: {}. If the work adds what is missing, go on: your tests must pass with the work, and fail \
                 without it. If a tool is missing, install it: `plan complete` then runs verify on the files of this start",
                report.why_unstartable()
            ));
        }
        _ => {}
    }
    // A goal without a verify needs that first.
    let config = line.and_then(|_| config::load().ok()).filter(|config| config.judge.list() == ["checks"]);
    if let Some(config) = config {
        notes.extend(missing_check(goal));
        notes.extend(report.and_then(|report| too_slow(id, report.seconds, &config)));
    }
    if kind != GoalKind::Docs && line.is_some_and(|line| looks_at_prose(&line.sequence)) {
        notes.push(format!(
            "verify only looks for text; if the text itself is the work: `plan goal set {id} --kind docs --because \"why\"`"
        ));
    }
    let tests = tests(place, goal);
    if !tests.is_empty() {
        let globs: Vec<String> = tests.iter().map(|test| format!(" --add-may-change {}", quote(test))).collect();
        notes.push(format!(
            "the goal names tests, and the work must pass them as they are now; if the goal is to change them: \
             `plan goal set {id}{} --because \"why\"`",
            globs.concat()
        ));
    }
    notes
}

/// Returns the note about a verify that is green before the work.
fn begun_green(id: &str, report: &Report) -> String {
    match closing_lines::up_to_date(&report.tail.text()) {
        Some(target) => format!(
            "`make` ran nothing, because a file or folder `{target}` is there: add a line `.PHONY: {target}` to the makefile"
        ),
        None => format!(
            "verify is green before the work: go on if the work adds tests that fail without it, or if the work is already here \
             and not committed. If the behaviour stays the same: `plan goal set {id} --kind refactor --because \"why\"`"
        ),
    }
}

/// Returns a note if the usual budget will be too short. The judge without a model asks for every row.
fn too_slow(id: &str, seconds: f64, config: &Config) -> Option<String> {
    let budget = Depth::Auto.budget(config).as_secs_f64();
    (seconds * RUNS > budget).then(|| {
        format!(
            "verify took {seconds:.0} s, and the gate has {budget:.0} s to run it many times; the judge `checks` needs every row of the \
             gate: `plan complete {id} --gate full`"
        )
    })
}

/// Returns a note about what the judge without a model will ask for.
fn missing_check(goal: GoalRef<'_, '_>) -> Option<String> {
    let modes = goal.failure_modes();
    if modes.is_empty() {
        return Some(format!(
            "the judge `checks` asks for a failure mode with a check, a command that fails if the work is wrong in this way: \
             `plan goal set {} --failure-mode \"… (check: COMMAND)\"`",
            goal.name()
        ));
    }
    let (mode, number) = modes.iter().zip(1..).find(|(mode, _)| mode.check.is_none())?;
    Some(format!(
        "the judge `checks` asks for a `(check: …)` at the end of F{number}, a command that fails if the work is wrong in this way: {}",
        mode.text
    ))
}

/// Returns the note of a start outside a repository.
pub(super) fn without_repository(id: &str) -> String {
    format!(
        "there is no git repository here, so the gate will have nothing to compare the work with; before the work: `git init`, \
         commit the files, then `plan goal start {id}` again"
    )
}

/// Returns the existing test files that the goal mentions, without those that verify runs or that `may_change` names.
fn tests(place: &Place, goal: GoalRef<'_, '_>) -> Vec<String> {
    let verify = goal.verify().unwrap_or_default().into_owned();
    let globs: Vec<Glob> = goal.may_change().iter().filter_map(|glob| Glob::parse(glob).ok()).collect();
    let criteria = goal.criteria();
    let said = std::iter::once(goal.subject()).chain(criteria.iter().map(AsRef::as_ref));
    let is_end = |c: char| c.is_whitespace() || "`\"'(),;:".contains(c);
    let mut found: Vec<String> = Vec::new();
    for word in said.flat_map(|text| text.split(is_end)).map(|word| word.trim_end_matches('.')) {
        let path = Path::new(word);
        let is_held = is_test(path) && path.is_relative() && place.root.join(path).is_file();
        let is_free = verify.contains(word) || globs.iter().any(|glob| glob.covers(word.as_bytes()));
        if is_held && !is_free && !found.iter().any(|one| one == word) {
            found.push(word.to_owned());
        }
    }
    found
}
