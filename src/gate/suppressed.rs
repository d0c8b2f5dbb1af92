//! `suppressed`: removes the comments that the work added to silence checkers about old code, and restores the warnings that a makefile
//! asks for. Verify must stay green; otherwise it is green only because its complaints were silenced.

mod comment;
mod flags;

use std::path::{Path, PathBuf};

use self::comment::Silenced;
use super::full::candidate::Candidate;
use super::full::recurring::recurring;
use super::full::row::{EarlyEnd, Probe, RowResult, idle, idle_if, pass_if};
use super::harness::is_makefile;
use super::{GateFinding, GateLevel, goal_text, never_red, settings_only};
use crate::plan::model::GoalKind;
use crate::replay::Stop;
use crate::repo::export::Layout;

const ROW: &str = "suppressed";
/// How many changed files are read.
const FILES: usize = 200;
/// How many files a finding names.
const NAMED: usize = 3;

pub(super) fn row(probe: &mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd> {
    let candidate = probe.candidate;
    let base = candidate.base().ok_or_else(|| idle("there is no start to compare with"))?;
    idle_if(candidate.request.kind == GoalKind::Docs, "a goal of kind docs changes no behaviour")?;
    let found = silenced(candidate, base)?;
    idle_if(found.is_empty(), "the work added nothing that keeps a checker quiet about old code")?;
    let mut layout = candidate.last.clone();
    found.iter().for_each(|(path, file)| layout.put(path, file.without.clone().into_bytes()));
    pass_if(!probe.replay.run(&layout, "the tree without what silences checkers")?.is_red())?;
    probe.confirm_export()?;
    let still = match never_red::red_without_work(probe, base)? {
        Some(red) => recurring(probe, &red, &layout)?.is_some_and(|still| still.is_all),
        None => false,
    };
    let is_all = is_all_of_the_work(candidate, base, &found);
    Ok(finding(candidate, &found, is_all || still).into())
}

/// Blocks if the comments are all of the work, if one silences a whole old file, or if verify without them repeats all the
/// complaints that it printed without the work. Otherwise it is a note: beside real work, such a comment may have a reason.
fn finding(candidate: &Candidate<'_>, found: &[(PathBuf, Silenced)], is_sure: bool) -> GateFinding {
    let names: Vec<String> = found.iter().take(NAMED).map(|(path, _)| path.display().to_string()).collect();
    let is_whole = found.iter().any(|(_, file)| file.is_whole);
    let level = if is_sure || is_whole { GateLevel::Block } else { GateLevel::Note };
    let (path, Silenced { first: (first, line), .. }) = &found[0];
    let count: usize = found.iter().map(|(_, file)| file.count).sum();
    let what = match count {
        1 => "one comment, directive or change of a flag".to_owned(),
        count => format!("{count} comments, directives or changes of flags"),
    };
    let seen =
        format!("verify is red without {what} by which the work silenced a checker on old code, such as `{first}`");
    let expected = "a verify that stays green without what silences a checker";
    let declare = goal_text::command(candidate.request.goal, &format!("checks are suppressed in {}", names.join(", ")));
    let resolve = format!("fix what the checker found; if the goal allows this: {declare}");
    GateFinding::block(ROW, expected, seen, &resolve).level(level).at(format!("{}:{line}", path.display()))
}

/// Returns the changed source files with such comments and the makefiles with such flags, except files for which the goal allows them.
fn silenced(candidate: &Candidate<'_>, base: &Layout) -> Result<Vec<(PathBuf, Silenced)>, Stop> {
    let mut found = Vec::new();
    // A new file has no old code to be quiet about. But a makefile may include a new file of flags.
    let may_silence = |path: &&Path| base.get(path).is_some() || path.extension().is_some_and(|end| end == "mk");
    let changed = candidate.changed().filter(|path| may_silence(path) && !candidate.harness.may_change(path));
    for path in changed.filter(|path| candidate.is_source(path) || is_makefile(path)).take(FILES) {
        if goal_text::names(candidate.request.said, path, "suppress") {
            continue;
        }
        let Some([then, now]) = candidate.texts(path)? else { continue };
        let file = if is_makefile(path) { flags::silenced(&then, &now) } else { comment::silenced(path, &then, &now) };
        found.extend(file.map(|file| (path.to_owned(), file)));
    }
    Ok(found)
}

/// Whether no source file changed in another way, and no settings of a checker did: a new rule may need exceptions.
fn is_all_of_the_work(candidate: &Candidate<'_>, base: &Layout, found: &[(PathBuf, Silenced)]) -> bool {
    let is_other = |path: &Path| match found.iter().find(|(own, _)| own == path) {
        Some((_, file)) => !file.is_all,
        None => candidate.is_source(path) || settings_only::is_checkers(path) && base.get(path).is_some(),
    };
    !candidate.changed().any(is_other)
}
