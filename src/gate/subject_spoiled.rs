//! `subject-spoiled`: spoils each source file that the failure at the start named. Verify must turn red; otherwise verify
//! no longer depends on that file, and the work only bypassed it instead of fixing it.

use std::path::{Path, PathBuf};

use super::full::candidate::Candidate;
use super::full::reading::only_reads;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, pass_if};
use super::{GateFinding, GateLevel, canary_survived, goal_text, never_red};
use crate::lang::is_made;
use crate::mutate;
use crate::replay::Stop;
use crate::repo::export::Layout;

const ROW: &str = "subject-spoiled";
/// How many files are spoiled at most.
const MOST: usize = 3;
/// The words by which a goal declares that its work leaves a file unused.
const UNUSED: &str = "no longer";
/// Text that no compiler accepts.
const BROKEN: &[u8] = b"\n) plan (\n";
/// The message of a spoiled file. It is short because linters check the length of lines.
const MARK: &str = "spoiled by plan";
/// How many names are read from one output.
const NAMES: usize = 2000;

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    idle_if(!candidate.request.kind.begins_red(), "a goal of this kind does not have to fix a file")?;
    idle_if(candidate.has_changed_as_allowed(), "the goal allows its tests to change")?;
    let red = never_red::red_without_work(probe, base)?.ok_or_else(|| idle("verify is not red without the work"))?;
    let tried = candidate.approved().unwrap_or(&candidate.last).clone();
    let subjects = subjects(probe, &red, &tried)?;
    idle_if(subjects.is_empty(), "the failure at the start named no line of a source file that is still there")?;
    let mut unused = Vec::new();
    for path in &subjects {
        if !matters(probe, &tried, path)? {
            unused.push(path);
        }
    }
    pass_if(unused.is_empty())?;
    probe.confirm_export()?;
    // A failure that passed through several files may be fixed in any of them.
    let level = if unused.len() == subjects.len() { GateLevel::Block } else { GateLevel::Note };
    Ok(finding(candidate, &unused).level(level).into())
}

fn finding(candidate: &Candidate<'_>, unused: &[&PathBuf]) -> GateFinding {
    let names: Vec<String> = unused.iter().map(|path| path.display().to_string()).collect();
    let ticked: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (has, is) = if names.len() == 1 { ("has", "is") } else { ("have", "are") };
    let seen = format!(
        "{} failed at {} and {has} nothing to do with verify now: verify is green whatever the file contains",
        ticked.join(", "),
        candidate.start
    );
    let criterion = format!("{} {is} {UNUSED} used", names.join(", "));
    let declare = goal_text::command(candidate.request.goal, &criterion);
    let resolve = format!("make verify use the fixed file; if this is intended: {declare}");
    let expected = "a verify that turns red when a file that failed at the start is spoiled";
    GateFinding::block(ROW, expected, seen, &resolve).at(&names[0])
}

/// Returns the source files that verify named with a line when it was red, without files that it also names when it is green.
fn subjects(probe: &mut Probe<'_, '_>, red: &Layout, tried: &Layout) -> Result<Vec<PathBuf>, Stop> {
    let candidate = probe.candidate;
    let (then, now) =
        (probe.replay.output_of(red, "the files of the start")?, probe.replay.output_of(tried, "the tree")?);
    let still = named_files(candidate, tried, probe.replay.folder(), &now);
    let mut found = named_files(candidate, red, probe.replay.folder(), &then);
    found.retain(|path| {
        let is_there = candidate.bytes(tried, path).is_ok_and(|bytes| bytes.is_some_and(|bytes| !bytes.is_empty()));
        is_there && !still.contains(path) && !goal_text::names(candidate.request.said, path, UNUSED)
    });
    found.truncate(MOST);
    Ok(found)
}

/// Whether verify notices if the file is spoiled in one of several ways. The ways that it most likely notices come first.
fn matters(probe: &mut Probe<'_, '_>, tried: &Layout, path: &Path) -> Result<bool, Stop> {
    let Some(now) = probe.candidate.bytes(tried, path)? else { return Ok(true) };
    let then = probe.candidate.then(path)?;
    let name = path.to_string_lossy();
    let is_loaded_late = mutate::only_raises(&name, &now, MARK).is_some();
    // A compiler may reject the old file beside the new ones, even if nothing uses its code.
    let restored = then.filter(|then| is_loaded_late && *then != now).map(|bytes| (bytes, "as at the start"));
    let raising = mutate::hollow(&name, &now, &[mutate::ALL_LINES], MARK)
        .or_else(|| mutate::only_raises(&name, &now, MARK))
        .map(|bytes| (bytes, "made to fail"));
    let broken = mutate::break_syntax(&name, &now).map(|bytes| (bytes, "with a syntax error"));
    // Code that patches a module loads it first, so only a file that still loads shows whether its content is used.
    let last = match is_loaded_late {
        true => Some((Vec::new(), "emptied")),
        // The broken text goes to the end, because the head of a file may exclude it from the build.
        false => broken.as_ref().map(|(_, how)| ([&now[..], BROKEN].concat(), *how)),
    };
    if restored.is_none() && raising.is_none() && broken.is_none() {
        return Ok(true);
    }
    for (bytes, how) in [restored, raising, last].into_iter().flatten() {
        if probe.replay.notices(&tried.with(path, bytes), &format!("`{}` {how}", path.display()))? {
            return Ok(true);
        }
    }
    // A checker finds nothing in an empty file, so a syntax error is tried last.
    let Some((bytes, how)) = broken.filter(|_| is_loaded_late) else { return Ok(false) };
    if !only_reads(probe, &[path])? {
        return Ok(false);
    }
    probe.replay.notices(&tried.with(path, bytes), &format!("`{}` {how}", path.display()))
}

/// Returns the source files of a layout that `output` mentions, in its order. Ignores a name that fits several files.
fn named_files(candidate: &Candidate<'_>, layout: &Layout, folder: &Path, output: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for name in output.lines().flat_map(names).take(NAMES) {
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let path = named_file(candidate, layout, folder, name);
        found.extend(path.filter(|path| candidate.is_source(path) && !is_made(path) && !found.contains(path)));
    }
    found
}

fn named_file(candidate: &Candidate<'_>, layout: &Layout, folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name.strip_prefix("file://").unwrap_or(name));
    let path = if path.is_absolute() { path.strip_prefix(folder).ok()? } else { path };
    canary_survived::start::file(candidate, layout, path, None)
}

/// Finds files: `a/b.py:3`, `File "a/b.py", line 3`, `a/b.ts(3,5)`, `at f (file:///a/b.js:3:5)`, `a/b.sh: 3: x: not found`.
fn names(line: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',');
    let begins_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mut found = Vec::new();
    let mut start = 0;
    for (end, _) in line.match_indices(is_end).chain([(line.len(), "")]) {
        let (word, rest) = (&line[start..end], &line[end..]);
        start = end + rest.chars().next().map_or(0, char::len_utf8);
        let is_said = rest.strip_prefix("\", line ").or_else(|| rest.strip_prefix('(')).is_some_and(begins_number);
        let scheme = if word.starts_with("file://") { "file:".len() } else { 0 };
        let cut = word[scheme..].find(':').map(|at| (&word[..scheme + at], &word[scheme + at + 1..]));
        let name = match cut {
            Some((path, "")) => {
                let number = rest.strip_prefix(" line ").or_else(|| rest.strip_prefix(' ')).unwrap_or_default();
                let end = number.trim_start_matches(|c: char| c.is_ascii_digit());
                (end.len() < number.len() && end.starts_with(':')).then_some(path)
            }
            Some((path, number)) => begins_number(number).then_some(path),
            None => is_said.then_some(word),
        };
        found.extend(name.filter(|name| Path::new(name).extension().is_some()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_file_is_named_by_a_line_in_it() {
        for (line, name) in [
            ("  File \"/x/shop/parse.py\", line 3, in total", "/x/shop/parse.py"),
            ("shop/parse.py:3: ValueError", "shop/parse.py"),
            ("    at total (file:///x/lib/parse.js:3:9)", "file:///x/lib/parse.js"),
            ("    at total (/x/lib/parse.js:3:9)", "/x/lib/parse.js"),
            ("src/a.ts(3,5): error TS2322: no", "src/a.ts"),
            ("thread 'a' (7) panicked at src/lib.rs:3:5:", "src/lib.rs"),
            ("\t/x/price.go:7 +0x1d", "/x/price.go"),
            ("./lib/off.sh: 3: bc: not found", "./lib/off.sh"),
            ("lib/off.sh: line 3: bc: command not found", "lib/off.sh"),
        ] {
            assert_eq!(names(line), [name], "{line}");
        }
        for line in [
            "ok  shop/parse.py", "shop/parse.py: ok", "12:30:05 a.b", "see a.py, line 3", "a.sh: 3 lines",
            "localhost:8080",
        ] {
            assert_eq!(names(line), [""; 0], "{line}");
        }
    }
}
