//! Whether verify only reads files, as a linter does, or runs them. By what it does: a wrapper (`make lint`, `npm run lint`,
//! a script) hides which program is behind it, and a test that was emptied does not say so.

use std::path::Path;

use super::work::Work;
use super::yard::{Stop, Told, Yard};
use crate::repo::export::Layout;
use crate::signoff::gate::mutate;

/// What such a file says when it is run; short, for linters look at the length of lines.
const MARK: &str = "run by plan";

/// Verify runs none of these files, neither today nor at the start: where each of them would fail as soon as it is run, it
/// stays green, and what it prints on the files of the start is about something else. False where that cannot be told.
pub(crate) fn only_reads<'p>(
    work: &Work<'_>,
    yard: &mut Yard<'_>,
    paths: impl Iterator<Item = &'p Path> + Clone,
) -> Result<bool, Stop> {
    let Some(base) = work.base() else { return Ok(false) };
    let (mut now, mut then) = (work.last().clone(), base.clone());
    let stood = paths.clone().filter(|path| base.get(path).is_some());
    if !all_raise(work, paths, &mut now)? || !all_raise(work, stood, &mut then)? {
        return Ok(false);
    }
    // A failure that verify swallows is a failure: what ran it said so.
    let is_quiet = |yard: &Yard<'_>| yard.said(MARK) == Some(false);
    if yard.notices(&now, "the files that are asked about, failing")? || !is_quiet(yard) {
        return Ok(false);
    }
    let told = yard.again(&then, "the start, with the files that are asked about failing")?;
    Ok(matches!(told, Told::Green | Told::Red(_)) && is_quiet(yard))
}

/// Puts a file that fails in the place of each. Each has another text, for verify may hold one against the other. False
/// where for one of them there is none.
fn all_raise<'p>(work: &Work<'_>, paths: impl Iterator<Item = &'p Path>, layout: &mut Layout) -> Result<bool, Stop> {
    for (number, path) in paths.enumerate() {
        let Some(bytes) = work.bytes(layout, path)? else { return Ok(false) };
        let mark = format!("{MARK} {number}");
        match mutate::only_raises(&path.to_string_lossy(), &bytes, &mark) {
            Some(bytes) => layout.put(path, bytes),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Verify is red where what the work changed is as it was. What is new stays: that a file is there says little.
pub(crate) fn misses_changes(work: &Work<'_>, yard: &mut Yard<'_>) -> Result<bool, Stop> {
    let Some(base) = work.base() else { return Ok(false) };
    let mut layout = work.last().clone();
    for path in work.changed().filter(|path| base.get(path).is_some()) {
        layout.take(path, base);
    }
    Ok(matches!(yard.run(&layout, "the tree with what was changed as at the start")?, Told::Red(_)))
}
