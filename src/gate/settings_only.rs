//! `settings-only`: restores the code of the start and keeps the changed settings of checkers and runs, and the changed lists
//! of known failures. Verify must be red again; otherwise the settings alone made it green. Then the other way around: on the
//! work with the settings of the start, verify must not repeat the complaints that it printed without the work.

mod checker_settings;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use self::checker_settings::Settings;
use super::full::candidate::Candidate;
use super::full::checker;
use super::full::recurring::recurring;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, pass_if};
use super::harness::is_code;
use super::{GateFinding, GateLevel, goal_text, never_red};
use crate::plan::history::Seen;
use crate::plan::model::GoalKind;
use crate::plan::text::cut;
use crate::replay::{RunOutcome, Stop};
use crate::repo::export::Layout;

const ROW: &str = "settings-only";
/// How many code files are searched for the name of a list.
const SEARCHED: usize = 1000;
/// How much of a complaint is shown, in bytes.
const SHOWN: usize = 160;
const EXPECTED: &str = "a verify that is red without the code of the work";
/// A goal may be about settings in general if one of its words begins with one of these.
const SUBJECTS: [&str; 8] = ["config", "setting", "baseline", "threshold", "rule", "lint", "ignor", "exclu"];
/// The extensions of files that hold keys and values.
const KEYED: [&str; 8] = ["json", "toml", "yaml", "yml", "ini", "cfg", "conf", "properties"];
/// The beginnings of words that mark the key of a limit.
const LIMITS: [&str; 12] =
    ["max", "min", "limit", "toleran", "thresh", "eps", "delta", "error", "budget", "margin", "precision", "least"];

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    let (kind, seen) = (candidate.request.kind, candidate.seen);
    // A chore may be about settings without saying so: it gets no more than a note.
    let is_chore = kind == GoalKind::Chore && seen == Seen::Red;
    let is_asked = checker::is_asked(kind, seen) || kind.begins_red() || is_chore;
    idle_if(!is_asked, "a goal of this kind may change settings alone")?;
    let changed = settings(candidate, base)?;
    idle_if(changed.is_empty(), "the work changed no settings of a checker and no list of known failures")?;
    let red = never_red::red_without_work(probe, base)?.ok_or_else(|| idle("verify is not red without the work"))?;
    let paths = || changed.iter().map(|(path, _)| path.as_path());
    let layout = red.taking(paths(), &candidate.last);
    let mut start = None;
    if probe.replay.run(&layout, "the code of the start with the settings of today")? != RunOutcome::Green {
        let old = candidate.last.taking(paths(), base);
        pass_if(!probe.replay.run(&old, "the tree with the settings of the start")?.is_red())?;
        start = recurring(probe, &red, &old)?;
        pass_if(start.is_none())?;
    }
    probe.confirm_export()?;
    // Beside real work, a single exception may have a good reason.
    let is_all = start.as_ref().is_none_or(|start| start.is_all);
    let is_block = is_all && !is_chore && is_sure(candidate, &changed)?;
    let level = if is_block { GateLevel::Block } else { GateLevel::Note };
    Ok(finding(candidate, &changed, start.map(|start| start.line).as_deref()).level(level).into())
}

/// Whether only a checker or the tests read one of these files, and the goal is not about settings. Other lists may be
/// data of the work.
fn is_sure(candidate: &Candidate<'_>, changed: &[(PathBuf, Settings)]) -> Result<bool, Stop> {
    if goal_text::speaks_of(candidate.request.said, &SUBJECTS) {
        return Ok(false);
    }
    for (path, kind) in changed {
        // For files of tests, `settings` has already checked that only tests read them.
        if *kind != Settings::PerhapsList || only_tests_read(candidate, path)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether only tests read the file, in a repository that has other code. Without other code, settings are the work.
fn is_only_of_tests(candidate: &Candidate<'_>, path: &Path) -> Result<bool, Stop> {
    let has_code = candidate.last.paths().any(|path| candidate.is_source(path));
    let is_given = candidate.request.replay.line.text.contains(&*path.to_string_lossy());
    Ok(has_code && !is_given && only_tests_read(candidate, path)?)
}

/// Whether tests and harness name this file, and no other code names it or its folder.
fn only_tests_read(candidate: &Candidate<'_>, list: &Path) -> Result<bool, Stop> {
    let [name, stem] = [list.file_name(), list.file_stem()].map(|part| part.and_then(OsStr::to_str));
    let (Some(name), Some(stem)) = (name, stem) else { return Ok(false) };
    let folder = list.parent().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or(stem);
    // Only whole words count: `bench` is not in `benchmark`.
    let is_end = |byte: Option<&u8>| !byte.is_some_and(u8::is_ascii_alphanumeric);
    let holds = |bytes: &[u8], text: &str| {
        memchr::memmem::find_iter(bytes, text.as_bytes())
            .any(|at| is_end(at.checked_sub(1).and_then(|at| bytes.get(at))) && is_end(bytes.get(at + text.len())))
    };
    let mut is_read = false;
    for path in candidate.last.paths().filter(|path| is_code(path)).take(SEARCHED) {
        let is_test = candidate.harness.is_harness(path);
        if is_read && is_test {
            continue;
        }
        let Some(bytes) = candidate.now(path)? else { continue };
        if !is_test && (holds(&bytes, stem) || holds(&bytes, folder)) {
            return Ok(false);
        }
        is_read |= is_test && holds(&bytes, name);
    }
    Ok(is_read)
}

/// `complaint` is a line that verify still prints with the settings of the start; `None` if the settings alone made it green.
fn finding(candidate: &Candidate<'_>, changed: &[(PathBuf, Settings)], complaint: Option<&str>) -> GateFinding {
    let names: Vec<String> = changed.iter().map(|(path, _)| path.display().to_string()).collect();
    let ticked: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let start = &candidate.start;
    let settings = ticked.join(", ");
    let seen = match complaint {
        None => format!("with the code of {start} and today's {settings}, verify is green: no code was needed"),
        Some(line) => format!("with {settings} as at {start}, verify is red as it was then: {}", cut(line, SHOWN)),
    };
    let criterion = format!("{} {} changed for this", names.join(", "), if names.len() == 1 { "is" } else { "are" });
    let declare = goal_text::command(candidate.request.goal, &criterion);
    let resolve = format!("fix the code instead of the settings; if the goal is about them: {declare}");
    let finding = GateFinding::block(ROW, EXPECTED, seen, &resolve);
    names.first().map_or(finding.clone(), |first| finding.at(first))
}

/// Returns the changed files that are settings and existed at the start, except files that the goal names.
fn settings(candidate: &Candidate<'_>, base: &Layout) -> Result<Vec<(PathBuf, Settings)>, Stop> {
    let mut found = Vec::new();
    for path in candidate.changed() {
        if candidate.harness.may_change(path) || goal_text::names(candidate.request.said, path, "") {
            continue;
        }
        let is_run_setting = candidate.harness.is_run_setting(path);
        let is_of_tests = checker_settings::may_be_of_tests(path);
        if !checker_settings::may_be(path) && !may_hold_limits(path) && !is_run_setting && !is_of_tests {
            continue;
        }
        let (then, now) = (candidate.bytes(base, path)?, candidate.now(path)?);
        let (Some(then), Some(now)) = (then, now) else { continue };
        let kind = checker_settings::changed(path, &then, &now)
            .or_else(|| only_limits_changed(path, &then, &now).then_some(Settings::PerhapsList))
            .or_else(|| {
                let only_sets = [&then, &now].iter().all(|text| checker_settings::only_sets(path, text));
                (is_run_setting && then != now && only_sets).then_some(Settings::OfRun)
            });
        let kind = match kind {
            None if is_of_tests && then != now && is_only_of_tests(candidate, path)? => Some(Settings::PerhapsOfTests),
            kind => kind,
        };
        found.extend(kind.map(|kind| (path.to_owned(), kind)));
    }
    Ok(found)
}

pub(super) fn is_checkers(path: &Path) -> bool {
    checker_settings::of_name(path) == Some(Settings::OfChecker)
}

/// Whether [`only_limits_changed`] needs the content of the file.
fn may_hold_limits(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|ending| KEYED.contains(&ending))
}

/// Whether the two versions of a file differ only in the numbers of limits, such as a tolerance, that tests may read.
fn only_limits_changed(path: &Path, then: &[u8], now: &[u8]) -> bool {
    let (Ok(then), Ok(now)) = (std::str::from_utf8(then), std::str::from_utf8(now)) else { return false };
    if !may_hold_limits(path) || then == now || then.lines().count() != now.lines().count() {
        return false;
    }
    then.lines().zip(now.lines()).filter(|(then, now)| then != now).all(|(then, now)| {
        let (then, now) = (limit(then), limit(now));
        then.is_some() && then == now
    })
}

/// Returns the key of a line that sets a limit to a number.
fn limit(line: &str) -> Option<&str> {
    let (key, value) = line.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'']);
    let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    let names_one = key.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let word = word.to_lowercase();
        LIMITS.iter().any(|begin| word.starts_with(begin))
    });
    (names_one && value.parse::<f64>().is_ok()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn only_numbers_behind_a_limit_count() {
        let changed =
            |path: &str, then: &str, now: &str| only_limits_changed(Path::new(path), then.as_bytes(), now.as_bytes());
        let json = "{\n  \"max_error\": 0.001,\n  \"port\": 80\n}\n";
        assert!(changed("quality.json", json, &json.replace("0.001", "0.5")));
        assert!(changed("ci/gate.toml", "min-score = 90\n", "min-score = 10\n"));
        assert!(!changed("quality.json", json, &json.replace("80", "81")));
        assert!(!changed("quality.json", json, &json.replace("0.001", "\"none\"")));
        assert!(!changed("quality.json", json, &json.replace("80\n", "80,\n  \"min\": 3\n")));
        assert!(!changed("quality.py", "max_error = 1\n", "max_error = 2\n"));
    }
}
