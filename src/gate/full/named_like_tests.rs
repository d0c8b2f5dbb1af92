//! Product files that look like tests only by their paths: `commands/test.rs`, `stats/ab_test.py`, `lab/tests/catalog.py`.

use std::path::{Path, PathBuf};

use crate::gate::harness::{is_code, is_test};
use crate::gate::source_text::{is_of_name, whole_words};

/// Words of tests: assertions, and libraries that run tests.
const WORDS: [&str; 19] = [
    "assert", "expect", "unittest", "pytest", "doctest", "node:test", "describe(", "vitest", "jest", "mocha",
    "testing.T", "testing.B", "#[test]", "@Test", "minitest", "rspec", "Test::More", "test('", "test(\"",
];
/// Words of a line by which one source file imports another.
const TAKES: [&str; 7] = ["import", "require", "from ", "mod ", "use ", "include", "load"];
/// The maximum number of source files that are read.
const SOURCES: usize = 1000;

/// Returns the changed files of the base that look like tests, contain no words of a test, and are imported by a product file
/// of the base. A test folder at the top level holds only tests.
pub(super) fn find<'p>(
    changed: impl Iterator<Item = &'p Path>,
    base: impl Iterator<Item = &'p Path>,
    read: &dyn Fn(&Path) -> Option<Vec<u8>>,
) -> Vec<PathBuf> {
    let text = |path: &Path| read(path).and_then(|bytes| String::from_utf8(bytes).ok());
    let mut open = Vec::new();
    for path in changed.filter(|path| is_code(path) && is_test(path) && !is_below_tests(path)) {
        let is_quiet = text(path).is_some_and(|text| !WORDS.iter().any(|word| text.contains(word)));
        open.extend(is_quiet.then(|| path.to_path_buf()));
    }
    let (mut found, mut seen) = (Vec::new(), 0);
    for source in base.filter(|path| is_code(path) && !is_test(path)).take(SOURCES) {
        if open.is_empty() {
            break;
        }
        let Some(text) = text(source) else { continue };
        found.extend(open.extract_if(.., |path| takes(&text, path)));
    }
    // A file that product code imports is product code, and so are the files that it imports.
    while let Some(text) = found.get(seen).map(|path: &PathBuf| text(path)) {
        seen += 1;
        found.extend(open.extract_if(.., |path| text.as_ref().is_some_and(|text| takes(text, path))));
    }
    found
}

fn is_below_tests(path: &Path) -> bool {
    let mut parts = path.components();
    let first = parts.next().map(|first| Path::new(first.as_os_str()).join("a").with_extension("py"));
    parts.next().is_some() && first.is_some_and(|file| is_test(&file))
}

/// Whether a line of the text imports the file: the line contains its stem as a word, or its folder before a name that is
/// computed (`./commands/${name}.js`).
fn takes(text: &str, path: &Path) -> bool {
    let is_part = |c| is_of_name(c) || c == '-';
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).map(|folder| format!("{}/", folder.to_string_lossy()));
    let is_put_together = |line: &str| {
        let Some(folder) = folder.as_deref() else { return false };
        line.match_indices(folder).any(|(at, _)| line[at + folder.len()..].starts_with(['$', '{', '\'', '"', '*', '%']))
    };
    let mut lines = text.lines().filter(|line| TAKES.iter().any(|word| line.contains(word)));
    lines.any(|line| is_put_together(line) || whole_words(line, stem, is_part).next().is_some())
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
            ("cli/commands/test.js", "exports.run = () => {};\n"),
            ("cli/main.js", "const command = await import(`./commands/${name}.js`);\n"),
            ("lab/tests/catalog.py", "RANGES = {}\n"),
            ("lab/tests/flags.py", "from .catalog import RANGES\n"),
            ("lab/app.py", "from lab.tests.flags import flag\n"),
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
        let mut found = find(paths.iter().copied(), paths.iter().copied(), &read);
        found.sort();
        let want = [
            "cli/commands/test.js", "lab/tests/catalog.py", "lab/tests/flags.py", "src/commands/test.rs",
            "stats/ab_test.py",
        ];
        assert_eq!(found, want.map(PathBuf::from));
    }
}
