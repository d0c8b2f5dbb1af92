//! Files of the tests that a program such as `diff` compared when verify failed at the start. Whatever compares them must
//! still do so.

use std::collections::HashSet;
use std::path::Path;

use super::expectations::{DATA_FILES, ROW, is_data};
use crate::gate::Finding;
use crate::gate::full::row::Probe;
use crate::mutate;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// What the path of a file says that holds what is expected.
const NAMES: [&str; 9] =
    ["expected", "expect", "golden", "goldens", "snapshots", "want", "reference", "approved", "baseline"];
/// The shortest line by which a compared file is known, in bytes.
const SHORTEST: usize = 4;

/// Blocks if verify is green although a line that it printed at the start, of each such file, is another one. None if there is
/// no such file.
pub(super) fn unnoticed(probe: &mut Probe<'_, '_>, base: &Layout, tried: &Layout) -> Result<Option<Finding>, Stop> {
    let candidate = probe.candidate;
    let is_expected = |path: &&Path| is_data(candidate, path) && says_expected(path);
    let files: Vec<&Path> = tried.paths().filter(is_expected).take(DATA_FILES).collect();
    if files.is_empty() {
        return Ok(None);
    }
    let output = probe.replay.output_of(base, "the files of the start")?;
    let printed = printed(&output);
    let mut layout = tried.clone();
    let mut first = None;
    for path in files {
        let Some(bytes) = candidate.bytes(tried, path)? else { continue };
        let Some(mutation) = std::str::from_utf8(&bytes).ok().and_then(|text| other_line(text, &printed)) else {
            continue;
        };
        layout.put(path, mutation.apply(&bytes));
        first.get_or_insert((format!("{}:{}", path.display(), mutation.line), mutation.what));
    }
    let Some((place, what)) = first else { return Ok(None) };
    let what_is_tried = "the files that were compared at the start, with another line";
    if probe.replay.notices(&layout, what_is_tried)? {
        return Ok(None);
    }
    probe.replay.forget_builds(&layout)?;
    if probe.replay.notices(&layout, what_is_tried)? {
        return Ok(None);
    }
    let expected = "a verify that turns red again when a file that it compared at the goal's start holds another line";
    let seen =
        format!("verify did not notice {what} in a file whose line it showed when it failed at the goal's start");
    let resolve = "make verify compare the result with that file, and leave the program that compares them as it is";
    Ok(Some(Finding::block(ROW, expected, &seen, resolve).at(place)))
}

fn says_expected(path: &Path) -> bool {
    let lower = path.to_string_lossy().to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
}

/// The lines of a comparison in an output: `< a`, `> b`, `-a`, `+b`.
fn printed(output: &str) -> HashSet<&str> {
    let lines = output.lines().filter_map(|line| line.trim_start().strip_prefix(['<', '>', '-', '+']));
    lines.map(str::trim).filter(|line| line.len() >= SHORTEST).collect()
}

/// A change in the first line of a text that was printed.
fn other_line(text: &str, printed: &HashSet<&str>) -> Option<mutate::Mutation> {
    let is_printed = |line: &&str| printed.contains(line.trim()) && line.contains(|c: char| c.is_ascii_alphanumeric());
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if is_printed(&line) {
            return mutate::other_word(&text.as_bytes()[..end]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_line_that_was_compared_is_changed() {
        let output = "1c1\n< total 90\n---\n> total 100\n";
        let change = other_line("# list\ntotal 90\nend\n", &printed(output)).unwrap();
        assert_eq!((change.line, change.what.as_str()), (2, "`90` to `9x`"));
        assert!(other_line("# list\nend\n", &printed(output)).is_none());
        assert!(says_expected(Path::new("tests/expected/list.txt")) && says_expected(Path::new("page.golden")));
        assert!(!says_expected(Path::new("tests/unexpected.txt")));
    }
}
