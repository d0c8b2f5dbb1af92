//! Files beside the tests that hold the expected result. If verify compared the work with them at the start, it still must.

use std::path::{Path, PathBuf};

use super::expectations::ROW;
use crate::gate::GateFinding;
use crate::gate::full::candidate::Candidate;
use crate::gate::full::row::Probe;
use crate::gate::harness::is_code;
use crate::gate::source_text::has_word;
use crate::mutate;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Words in the path of a file that holds an expected result.
const NAMES: [&str; 9] =
    ["expected", "expect", "golden", "goldens", "snapshots", "want", "reference", "approved", "baseline"];
/// How many such files are changed, and how many tests are searched for their names.
const FILES: usize = 100;
const TESTS: usize = 200;
/// The largest such file, in bytes.
const LARGEST: usize = 1 << 20;

/// Blocks if verify stays green when every line of these files changes, although at the start it asked for one by name.
pub(super) fn unnoticed(probe: &mut Probe<'_, '_>, base: &Layout, tried: &Layout) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    let files = files(candidate, base, tried)?;
    let Some((first, _)) = files.first() else { return Ok(None) };
    let mut layout = tried.clone();
    files.iter().for_each(|(path, other)| layout.put(path, other.clone()));
    let what = "the files with the expected result, with other lines";
    if probe.replay.notices(&layout, what)? {
        return Ok(None);
    }
    let without = base.taking(files.iter().map(|(path, _)| path.as_path()), &Layout::default());
    let (outcome, output) = probe.replay.says(&without, "the start without the files with the expected result")?;
    let missing = files.iter().map(|(path, _)| path).find(|path| output.contains(name(path)));
    let Some(missing) = missing.filter(|_| outcome.is_red()) else { return Ok(None) };
    probe.replay.forget_builds(&layout)?;
    if probe.replay.notices(&layout, what)? {
        return Ok(None);
    }
    let expected = "a verify that turns red when the expected result in a file changes";
    let seen = format!(
        "verify stays green when the lines of `{}` are changed; at the goal's start it needed that file",
        missing.display()
    );
    let resolve = "make verify compare the result with that file, and leave the program that compares them as it is";
    Ok(Some(GateFinding::block(ROW, expected, seen, resolve).at(first.to_string_lossy())))
}

/// Returns the data files of the start whose paths say that they are expected and whose names a test mentions, with changed lines.
fn files(candidate: &Candidate<'_>, base: &Layout, tried: &Layout) -> Result<Vec<(PathBuf, Vec<u8>)>, Stop> {
    let is_wanted = |path: &&Path| {
        !is_code(path) && has_word(path, &NAMES) && base.get(path).is_some() && !candidate.harness.may_change(path)
    };
    let paths: Vec<&Path> = tried.paths().filter(is_wanted).take(FILES).collect();
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let tests = candidate.texts_of_tests(tried, TESTS)?;
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| tests.iter().any(|test| test.contains(name(path)))) {
        let text = candidate.bytes(tried, path)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let other = text.filter(|text| text.len() <= LARGEST).map(|text| other_lines(&text));
        found.extend(other.map(|other| (path.to_owned(), other)));
    }
    Ok(found)
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or("\n")
}

/// Changes the last word of each line, because a comparison may skip some lines.
fn other_lines(text: &str) -> Vec<u8> {
    let other = |line: &str| {
        mutate::other_word(line.as_bytes()).map_or(line.as_bytes().to_vec(), |change| change.apply(line.as_bytes()))
    };
    text.split_inclusive('\n').flat_map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn every_line_of_an_expected_file_is_changed() {
        assert_eq!(other_lines("# list\ntotal 90\n\nend"), b"# lisx\ntotal 9x\n\nenx");
        assert!(has_word(Path::new("tests/expected/list.txt"), &NAMES) && has_word(Path::new("page.golden"), &NAMES));
        assert!(!has_word(Path::new("tests/unexpected.txt"), &NAMES));
    }
}
