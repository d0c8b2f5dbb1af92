//! Whether verify only reads files, as a linter does, or runs them. By what it does: a wrapper (`make lint`, `npm run lint`,
//! a script) hides which program is behind it, and a test that was emptied does not say so.

use std::path::Path;

use super::candidate::Candidate;
use super::replay::{Replay, RunOutcome, Stop};
use crate::repo::export::Layout;
use crate::signoff::gate::mutate;

/// What such a file says when it is run; short, for linters look at the length of lines.
const MARK: &str = "run by plan";

/// Verify runs none of these files, neither today nor at the start: where each of them would fail as soon as it is run, it
/// stays green, and what it prints on the files of the start is about something else. False where that cannot be told.
pub(crate) fn only_reads<'p>(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    paths: impl Iterator<Item = &'p Path> + Clone,
) -> Result<bool, Stop> {
    let Some(base) = candidate.base() else { return Ok(false) };
    let (mut now, mut then) = (candidate.last().clone(), base.clone());
    let stood = paths.clone().filter(|path| base.get(path).is_some());
    if !all_raise(candidate, paths, &mut now)? || !all_raise(candidate, stood, &mut then)? {
        return Ok(false);
    }
    // A failure that verify swallows is a failure: what ran it said so.
    let is_quiet = |replay: &Replay<'_>| replay.said(MARK) == Some(false);
    if replay.notices(&now, "the files that are asked about, failing")? || !is_quiet(replay) {
        return Ok(false);
    }
    let outcome = replay.again(&then, "the start, with the files that are asked about failing")?;
    Ok(matches!(outcome, RunOutcome::Green | RunOutcome::Red(_)) && is_quiet(replay))
}

/// Puts a file that fails in the place of each. Each has another text, for verify may hold one against the other. False
/// where for one of them there is none.
fn all_raise<'p>(
    candidate: &Candidate<'_>,
    paths: impl Iterator<Item = &'p Path>,
    layout: &mut Layout,
) -> Result<bool, Stop> {
    for (number, path) in paths.enumerate() {
        let Some(bytes) = candidate.bytes(layout, path)? else { return Ok(false) };
        let mark = format!("{MARK} {number}");
        match mutate::only_raises(&path.to_string_lossy(), &bytes, &mark) {
            Some(bytes) => layout.put(path, bytes),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Verify is red where what the work changed is as it was. What is new stays: that a file is there says little.
pub(crate) fn misses_changes(candidate: &Candidate<'_>, replay: &mut Replay<'_>) -> Result<bool, Stop> {
    let Some(base) = candidate.base() else { return Ok(false) };
    let mut layout = candidate.last().clone();
    for path in candidate.changed().filter(|path| base.get(path).is_some()) {
        layout.take(path, base);
    }
    Ok(matches!(replay.run(&layout, "the tree with what was changed as at the start")?, RunOutcome::Red(_)))
}
