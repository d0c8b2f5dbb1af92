//! Finds out whether a checker still reports complaints that it reported without the work.

use std::path::Path;

use super::candidate::Candidate;
use super::row::Probe;
use crate::gate::source_text::counts;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Complaints about source files that a checker reports both without the work and now.
pub(crate) struct Recurring {
    /// The first such line: `a.py:3: F401 'os' imported but unused`.
    pub(crate) line: String,
    /// Whether every complaint that it reported without the work is still reported, in more than half of its places.
    pub(crate) is_all: bool,
}

/// Returns the complaints that verify prints on both trees. `red` is without the work; verify is red on `now` too.
pub(crate) fn recurring(probe: &mut Probe<'_, '_>, red: &Layout, now: &Layout) -> Result<Option<Recurring>, Stop> {
    let then = probe.replay.output_of(red, "the files without the work")?;
    let now = probe.replay.output_of(now, "the tree with old settings or without what silences a checker")?;
    let folder = format!("{}/", probe.replay.folder().display());
    let complaints = |output: &str| -> Vec<(String, String)> {
        output.lines().filter_map(|line| complaint(probe.candidate, &folder, line)).collect()
    };
    let (then, now) = (complaints(&then), complaints(&now));
    let [then, still] = [&then, &now].map(|all| counts(all.iter().map(|(key, _)| key.as_str())));
    // One rule often complains about several places of a file, which differ only in their numbers.
    let is_all = then.iter().all(|(key, count)| 2 * still.get(key).unwrap_or(&0) > *count);
    let first = now.iter().find(|(key, _)| then.contains_key(key.as_str())).cloned();
    Ok(first.map(|(_, line)| Recurring { line, is_all }))
}

/// Returns a line of output about a place in a source file that existed at the start: first without its numbers, because the
/// work may have moved the place, then as printed.
fn complaint(candidate: &Candidate<'_>, folder: &str, line: &str) -> Option<(String, String)> {
    let line = line.trim().replace(folder, "");
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\'' | '>');
    let is_place = |word: &str| {
        let Some((path, _)) = word.split_once(':') else { return false };
        let path = Path::new(path.strip_prefix("./").unwrap_or(path));
        candidate.is_source(path) && candidate.base().is_some_and(|base| base.get(path).is_some())
    };
    let is_named = |line: &str| line.split(is_end).any(is_place);
    // `src/a.ts(4,10): error` names a place too.
    (is_named(&line) || is_named(&line.replace('(', ":"))).then(|| (without_numbers(&line), line))
}

fn without_numbers(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    for c in line.chars() {
        match c.is_ascii_digit() {
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
            false => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_place_that_moved_is_the_same_complaint() {
        assert_eq!(without_numbers("a.py:3:11: E501 (99 > 79)"), without_numbers("a.py:12:1: E501 (102 > 79)"));
        assert_ne!(without_numbers("a.py:3: F401 'os'"), without_numbers("a.py:3: F401 'sys'"));
    }
}
