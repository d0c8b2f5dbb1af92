//! Product files that only their names make look like tests: `commands/test.rs`, `stats/ab_test.py`, `lab/tests/catalog.py`.

use std::path::{Path, PathBuf};

use crate::gate::harness::{is_code, is_test};

/// What a test says: the word of an assertion, or of a library that runs tests.
const WORDS: [&str; 19] = [
    "assert", "expect", "unittest", "pytest", "doctest", "node:test", "describe(", "vitest", "jest", "mocha", "test(",
    "testing.T", "testing.B", "#[test]", "@Test", "minitest", "rspec", "ok(", "fail(",
];
/// Words of a line by which one source takes another one in.
const TAKES: [&str; 7] = ["import", "require", "from ", "mod ", "use ", "include", "load"];
/// How many sources are read.
const SOURCES: usize = 1000;

/// The changed files of the base that look like tests, say nothing that a test says, and are taken in by a source of the base
/// that is no test. A folder of tests at the top holds tests alone.
pub(super) fn find(changed: &[&Path], base: &[&Path], read: &dyn Fn(&Path) -> Option<Vec<u8>>) -> Vec<PathBuf> {
    let text = |path: &Path| read(path).and_then(|bytes| String::from_utf8(bytes).ok());
    let mut open = Vec::new();
    for path in changed.iter().filter(|path| is_code(path) && is_test(path) && !is_below_tests(path)) {
        let is_quiet = text(path).is_some_and(|text| !WORDS.iter().any(|word| text.contains(word)));
        open.extend(is_quiet.then(|| path.to_path_buf()));
    }
    let mut found = Vec::new();
    for source in base.iter().filter(|path| is_code(path) && !is_test(path)).take(SOURCES) {
        if open.is_empty() {
            break;
        }
        let Some(text) = text(source) else { continue };
        found.extend(open.extract_if(.., |path| takes(&text, path)));
    }
    found
}

/// Whether the first folder of the path holds tests.
fn is_below_tests(path: &Path) -> bool {
    let mut parts = path.components();
    let first = parts.next().map(|first| Path::new(first.as_os_str()).join("a").with_extension("py"));
    parts.next().is_some() && first.is_some_and(|file| is_test(&file))
}

/// Whether a line of the text takes the file in: its stem, or the folder that makes it look like a test, is a word there.
fn takes(text: &str, path: &Path) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    text.lines().filter(|line| TAKES.iter().any(|word| line.contains(word))).any(|line| {
        line.match_indices(stem)
            .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + stem.len()..].starts_with(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_product_file_is_told_by_who_takes_it_in() {
        let files = [
            ("src/commands/test.rs", "pub fn run() {}\n"),
            ("src/commands/mod.rs", "pub mod build;\npub mod test;\n"),
            ("stats/ab_test.py", "def p(a, b):\n    return a\n"),
            ("stats/experiment.py", "from stats.ab_test import p\n"),
            ("lab/tests/catalog.py", "RANGES = {}\n"),
            ("lab/app.py", "from lab.tests import catalog\n"),
            ("tests/data.py", "CASES = []\n"),
            ("tool.py", "from tests.data import CASES\n"),
            ("price_test.py", "from price import p\nassert p(1) == 2\n"),
            ("all.py", "import price_test\n"),
            ("lone_test.py", "print(1)\n"),
        ];
        let paths: Vec<&Path> = files.iter().map(|(path, _)| Path::new(path)).collect();
        let read = |path: &Path| {
            files.iter().find(|(own, _)| Path::new(own) == path).map(|(_, text)| text.as_bytes().to_vec())
        };
        let mut found = find(&paths, &paths, &read);
        found.sort();
        let want = ["lab/tests/catalog.py", "src/commands/test.rs", "stats/ab_test.py"];
        assert_eq!(found, want.map(PathBuf::from));
    }
}
