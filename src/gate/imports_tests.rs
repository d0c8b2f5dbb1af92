//! `imports-tests`: product code newly imports a test file or its data, so it may take its answers from there.

mod imported;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::facts::{ChangedFile, GateFacts};
use super::harness::{is_code, is_test};
use super::leads::added;
use super::source_text::has_word;
use super::{GateFinding, goal_text};
use crate::repo::PathChange;

/// How many findings are shown; more would say nothing new.
const MOST: usize = 3;

/// Words in the paths of files that are not part of the product, so they may use its tests.
const ASIDE: [&str; 26] = [
    "testing", "testutil", "testutils", "testlib", "testkit", "testsupport", "conftest", "fixtures", "scripts",
    "tools", "dev", "bench", "benches", "benchmark", "benchmarks", "examples", "example", "fuzz", "docs", "noxfile",
    "tasks", "setup", "config", "stories", "selftest", "ci",
];
/// Words in the paths of test support files. Other code may use such a file if the work did not change it.
const SUPPORT: [&str; 18] = [
    "support", "util", "utils", "helper", "helpers", "factory", "factories", "fake", "fakes", "mock", "mocks", "stub",
    "stubs", "common", "lib", "kit", "plugin", "plugins",
];
/// Words in the text of a file that runs tests, whatever its name is.
const RUNNERS: [&str; 10] = [
    "unittest", "pytest", "doctest", "node:test", "vitest", "@jest/globals", "mocha", "minitest", "rspec",
    "\"testing\"",
];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let (Some((_, tree)), Some(base)) = (facts.trees, facts.base) else { return Vec::new() };
    let files: BTreeSet<&Path> = tree.entries.iter().map(|entry| entry.path.as_path()).collect();
    let said = goal_text::of(facts.goal);
    let before = imports_before(&base.changed, &files);
    let mut found = Vec::new();
    for file in base.changed.iter().filter(|file| is_product(file, facts)) {
        let Some(now) = &file.now else { continue };
        for (line, _) in added(file) {
            let imported = imported::of_line(&file.path, now, line, &files);
            let Some(test) = imported.into_iter().find(|path| is_tests_own(path, base)) else { continue };
            let names = |sentence: &String| {
                let sentence = std::slice::from_ref(sentence);
                goal_text::names(sentence, &file.path, "") && goal_text::names(sentence, &test, "")
            };
            if !before.contains(&test) && !said.iter().any(names) {
                found.push(finding(facts, file, line, &test));
                break;
            }
        }
    }
    found.truncate(MOST);
    found
}

fn finding(facts: &GateFacts<'_>, file: &ChangedFile, line: usize, test: &Path) -> GateFinding {
    let (product, test) = (file.path.display(), test.display());
    let expected = "product code that does not depend on its tests";
    let seen = format!("`{product}` newly imports `{test}`, which belongs to the tests");
    let declare = goal_text::command(facts.goal.name(), &format!("{product} imports {test}"));
    let resolve = format!("move what the product needs out of the tests; if the goal requires the import: {declare}");
    GateFinding::of(facts.depth, "imports-tests", expected, seen, &resolve).at(format!("{product}:{line}"))
}

/// Whether the file is code of the product, which runs outside of tests.
fn is_product(file: &ChangedFile, facts: &GateFacts<'_>) -> bool {
    let path = &file.path;
    let runs_tests = || file.now.as_ref().is_some_and(|now| RUNNERS.iter().any(|word| now.contains(word)));
    file.change != PathChange::Removed
        && is_code(path)
        && !facts.harness.is_harness(path)
        && !has_word(path, &ASIDE)
        && !runs_tests()
}

/// Whether only the tests may use this file. Test support that existed at the start may be meant for other code too.
fn is_tests_own(path: &Path, base: &super::facts::BaseDiff) -> bool {
    let is_changed = || base.changed.iter().any(|file| file.path == path);
    is_surely_test(path) && (!has_word(path, &SUPPORT) || is_changed())
}

/// Whether the file is certainly a test, by its folder or by a name that no product has. `speed_test.py` may be a product.
fn is_surely_test(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let in_folder = || is_test(&path.with_file_name("a").with_extension(path.extension().unwrap_or_default()));
    let begins = name.starts_with("test_") && name.ends_with(".py");
    let ends = [".test.", ".spec."].iter().any(|mark| name.contains(mark));
    is_test(path) && (begins || ends || name.ends_with("_spec.rb") || in_folder())
}

pub(super) fn imported_by<'t>(
    path: &'t Path,
    text: &'t str,
    files: &'t BTreeSet<&Path>,
) -> impl Iterator<Item = PathBuf> + 't {
    (1..=text.lines().count()).flat_map(|line| imported::of_line(path, text, line, files))
}

/// Returns the files that the changed product files imported at the start. A file that moved keeps its imports.
fn imports_before(changed: &[ChangedFile], files: &BTreeSet<&Path>) -> BTreeSet<PathBuf> {
    let old = changed.iter().filter(|file| is_code(&file.path) && !is_test(&file.path));
    let texts = old.filter_map(|file| Some((&file.path, file.then.as_ref()?)));
    texts.flat_map(|(path, then)| imported_by(path, then, files)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_module_with_test_in_its_name_may_belong_to_the_product() {
        let is = |path: &str| is_surely_test(Path::new(path));
        for path in ["tests/data.py", "test/cases.json", "test_calc.py", "src/a.test.js", "testdata/a.html"] {
            assert!(is(path), "{path}");
        }
        for path in ["app/speed_test.py", "src/test.ts", "lab/tests.py", "app/contest.py"] {
            assert!(!is(path), "{path}");
        }
    }
}
