//! Recognises test files by the convention of their language: the names and folders that its runners look for.

use std::path::Path;

/// The extensions of source code. The name of such a file shows whether it is a test.
const CODE: [&str; 46] = [
    "py", "rs", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "sh", "bash", "zsh", "rb", "java", "kt",
    "kts", "scala", "groovy", "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "php", "cs", "fs", "vb", "swift",
    "ex", "exs", "erl", "hs", "lua", "pl", "pm", "dart", "r", "jl", "zig", "nim",
];

/// The extensions of languages that write names in camel case: `CacheTest.java`.
const CAMEL: [&str; 12] = ["java", "kt", "kts", "scala", "groovy", "cs", "fs", "vb", "swift", "php", "hs", "m"];

/// Folders that hold only tests and their files.
const FOLDERS: [&str; 12] = [
    "test", "tests", "__tests__", "__snapshots__", "__mocks__", "__fixtures__", "testdata", "golden", "goldens", "e2e",
    "cypress", "integration_tests",
];

/// The ends of names of folders with helpers of tests, after `test`, `test_` or `test-`.
const HELPERS: [&str; 8] = ["util", "utils", "utility", "utilities", "helper", "helpers", "support", "fixtures"];

/// Whether the file is source code, by its extension.
pub fn is_code(path: &Path) -> bool {
    CODE.contains(&extension(path).as_str())
}

/// Whether the file is a test or belongs to tests, by its name and its folders.
pub fn is_test(path: &Path) -> bool {
    // Compiled files come and go with their sources.
    extension(path) != "pyc" && (in_test_folder(path) || by_name(path))
}

fn in_test_folder(path: &Path) -> bool {
    let extension = extension(path);
    let folders = path.parent().into_iter().flat_map(Path::components);
    let mut folders = folders.filter_map(|part| part.as_os_str().to_str()).map(str::to_lowercase);
    let mut above = String::new();
    folders.any(|name| {
        let folder = name.as_str();
        let is_test = FOLDERS.contains(&folder)
            || holds_helpers(&above, folder)
            // `spec/` also holds interface descriptions; only code in it is a test.
            || (matches!(folder, "spec" | "specs") && CODE.contains(&extension.as_str()))
            // Expected output of tests. A module of the program may have such a name too.
            || (matches!(folder, "expected" | "snapshots" | "want" | "wanted") && !CODE.contains(&extension.as_str()))
            // The usual place for tests of shell and Perl scripts, as in git itself.
            || (folder == "t" && matches!(extension.as_str(), "sh" | "bash" | "zsh" | "pl" | "pm"))
            // `Search.Tests/`, `SearchTests/`: a separate project.
            || folder.ends_with(".tests") || folder.ends_with(".test")
            || (folder.len() > "tests".len() && folder.ends_with("tests") && CAMEL.contains(&extension.as_str()));
        above = name;
        is_test
    })
}

/// Whether a folder holds helpers of tests: `internal/testutil/`. One that stands by itself may be the product: `packages/test-utils/`.
fn holds_helpers(above: &str, folder: &str) -> bool {
    let is_helper = |rest: &str| HELPERS.contains(&rest.trim_start_matches(['_', '-']));
    matches!(above, "internal" | "src" | "app" | "lib") && folder.strip_prefix("test").is_some_and(is_helper)
}

fn by_name(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let extension = extension(path);
    if matches!(extension.as_str(), "bats" | "t" | "snap" | "feature" | "golden" | "expected")
        || matches!(name, "conftest.py" | "spec_helper.rb" | "rails_helper.rb" | "test_helper.exs")
    {
        return true;
    }
    let stem = name.strip_suffix(&name[name.len() - extension.len()..]).unwrap_or(name);
    let words = words(stem, CAMEL.contains(&extension.as_str()));
    let is = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    if CODE.contains(&extension.as_str()) {
        return is(words.first(), &["test", "tests", "unittest", "unittests"])
            || is(words.last(), &["test", "tests", "unittest", "unittests", "testcase"])
            || (words.len() > 1 && is(words.last(), &["spec", "specs", "cy"]))
            || (is(words.last(), &["it"]) && matches!(extension.as_str(), "java" | "kt") && words.len() > 1);
    }
    // Expected output of tests.
    words.iter().any(|word| matches!(word.as_str(), "golden" | "goldens" | "expected"))
        || is(words.last(), &["approved", "snapshot"])
}

/// The words of a name, without digits at their ends: `_`, `-` and `.` separate, and capitals if the language uses them.
fn words(stem: &str, camel: bool) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut lower = false;
    for c in stem.chars() {
        let begins = matches!(c, '_' | '-' | '.' | ' ') || (camel && lower && c.is_uppercase());
        if begins {
            words.push(String::new());
        }
        lower = c.is_lowercase() || c.is_ascii_digit();
        if c.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
    }
    let words = words.iter().map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase()
}
