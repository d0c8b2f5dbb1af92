//! Finds out whether verify only reads files, as a linter does, or runs them. It observes verify, because a wrapper
//! (`make lint`, `npm run lint`, a script) hides the program behind it, and an emptied test says nothing.

use std::path::Path;

use super::candidate::Candidate;
use super::row::Probe;
use crate::gate::leads::grep_of_written::is_prose;
use crate::mutate;
use crate::plan::model::GoalKind;
use crate::replay::{Replay, RunOutcome, Stop};
use crate::repo::export::Layout;

/// The message of a replaced file when it runs. It is short because linters check the length of lines.
const MARK: &str = "run by plan";

/// Whether the work is only prose for readers. Then a row about tests has nothing to look at, and a note about it is noise.
pub(crate) fn is_words_only(candidate: &Candidate<'_>) -> bool {
    let is_docs = candidate.request.kind == GoalKind::Docs;
    is_docs || candidate.changed().next().is_some() && candidate.changed().all(is_prose)
}

/// Whether verify runs none of these files, neither today nor at the start. Replaces each file with one that fails as soon
/// as it runs. Verify must stay green today, and neither its output today nor its output at the start may show the message.
/// False if the answer is unknown.
pub(crate) fn only_reads(probe: &mut Probe<'_, '_>, paths: &[&Path]) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(false) };
    // A compiler counts as a checker only if the goal asks for no change of behaviour.
    let is_compiled = |path: &&Path| path.extension().is_some_and(|ending| ending == "c");
    if candidate.request.kind != GoalKind::Refactor && paths.iter().any(is_compiled) {
        return Ok(false);
    }
    let (mut now, mut then) = (candidate.last.clone(), base.clone());
    let stood: Vec<&Path> = paths.iter().copied().filter(|path| base.get(path).is_some()).collect();
    if !all_raise(candidate, paths, &mut now)? || !all_raise(candidate, &stood, &mut then)? {
        return Ok(false);
    }
    // A failure that verify swallows still counts, because the message shows that the file ran.
    let is_quiet = |replay: &Replay<'_>| replay.said(MARK) == Some(false);
    if probe.replay.notices(&now, "the changed files made to fail")? || !is_quiet(probe.replay) {
        return Ok(false);
    }
    let outcome = probe.replay.again(&then, "the start with these files made to fail")?;
    Ok(matches!(outcome, RunOutcome::Green | RunOutcome::Red(_)) && is_quiet(probe.replay))
}

/// Replaces each file with one that fails. Each gets a different text, because verify may compare them. False if a file
/// has no such replacement.
fn all_raise(candidate: &Candidate<'_>, paths: &[&Path], layout: &mut Layout) -> Result<bool, Stop> {
    for (number, path) in paths.iter().enumerate() {
        let Some(bytes) = candidate.bytes(layout, path)? else { return Ok(false) };
        let mark = format!("{MARK} {number}");
        match mutate::only_raises(&path.to_string_lossy(), &bytes, &mark) {
            Some(bytes) => layout.put(path, bytes),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether verify is red with the changed files as in the base. New files stay, because their presence says little.
pub(crate) fn misses_changes(probe: &mut Probe<'_, '_>) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    let Some(base) = candidate.base() else { return Ok(false) };
    let layout = candidate.last.taking(candidate.changed().filter(|path| base.get(path).is_some()), base);
    Ok(probe.replay.run(&layout, "the tree with changed files as at the start")?.is_red())
}
