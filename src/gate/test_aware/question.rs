//! Finds source lines that ask whether a test runner is running.

use crate::gate::source_text::is_of_name;
use crate::mutate;
use crate::plan::text::{cut, plain_line};

pub(in crate::gate) struct Question {
    /// The line number, counted from 1.
    pub(in crate::gate) line: usize,
    /// The line, shortened for display.
    pub(in crate::gate) text: String,
    /// Whether a product may ask this for other reasons: which settings to load, whether to serve or to check more.
    pub(in crate::gate) is_usual: bool,
    /// The function that the question replaces in tests. Tests may honestly replace a function, for example a clock.
    pub(super) function: Option<String>,
    /// The texts to insert so that the answer becomes no, each with its byte position in the source.
    edits: Vec<(usize, &'static str)>,
}

impl Question {
    pub(super) fn of_function(function: &str, line: usize, text: &str, edits: Vec<(usize, &'static str)>) -> Self {
        let text = cut(&plain_line(text), 80);
        Question { line, text, is_usual: false, function: Some(function.to_owned()), edits }
    }

    /// Whether the goal itself mentions the kind of environment: "with NODE_ENV=test nothing is written to disk".
    pub(super) fn is_asked_for(&self, said: &[String]) -> bool {
        let says_test = |sentence: &str| sentence.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test");
        let is_named = |kind: &str| {
            self.text.contains(kind) && said.iter().any(|sentence| sentence.contains(kind) && says_test(sentence))
        };
        self.is_usual && KINDS.iter().any(|kind| is_named(kind))
    }
}

/// Names that a program uses only to find out whether it is being tested, some with the text before them and `|`.
const NAMES: [&str; 26] = [
    "PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER", "JEST_WORKER_ID", "VITEST_WORKER_ID",
    "VITEST_POOL_ID", "process.env.|VITEST", "MOCHA_COLORS", "typeof |jest", "typeof |describe", "typeof |expect",
    "NODE_TEST_CONTEXT", "NEXTEST", "RUST_TEST_THREADS", "flag.Lookup(\"|test.", "BATS_TEST", "RSPEC_",
    "defined?(|RSpec", "defined?(|Minitest", "defined?(|Test::Unit", "PHPUNIT_", "class_exists('|PHPUnit",
    "class_exists(\"|PHPUnit", "Rails.env.|test?", "Class.forName(\"|org.junit", "XCTestConfigurationFilePath",
];
/// The prefix that turns a word into another one, for which the answer is no.
pub(super) const OTHER: &str = "NO_";
/// Expressions that are true in a test, and not in the program that is handed out.
const CALLS: [&str; 3] = ["testing.Testing()", "cfg!(test)", BUILD];
/// One of them, by which a product may also check more in a debug build.
const BUILD: &str = "cfg!(debug_assertions)";
/// Expressions that read the command line, and the test runners that may be in it.
const WORDS: [&str; 5] = ["sys.argv", "process.argv", "os.Args", "env::args", "$argv"];
const RUNNERS: [&str; 7] = ["unittest", "pytest", "jest", "mocha", "vitest", "_test", ".test"];
/// Expressions that read the loaded modules, the callers or the program's path, and words that show that these are tests.
const CALLERS: [&str; 13] = [
    "sys.modules", "inspect.stack", "inspect.currentframe", "_getframe", "extract_stack", "Error().stack",
    "runtime.Caller", "os.Executable", "current_exe", "getStackTrace", "StackWalker", "caller_locations",
    "debug_backtrace",
];
const TESTS: [&str; 9] = ["unittest", "pytest", "test", "Test", "spec", "jest", "mocha", "expected", "want"];
/// How many lines, from the question on, may use its answer.
const NEAR: usize = 8;
/// Names of variables that hold the kind of environment.
const KINDS: [&str; 6] =
    ["NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "import.meta.env.MODE", "npm_lifecycle_event"];

/// Returns the changed lines of `now` that ask whether a test runner is running.
pub(in crate::gate) fn added(then: &str, now: &str) -> Vec<Question> {
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let (mut found, mut start, mut near) = (Vec::new(), 0, 0);
    for (at, line) in now.split_inclusive('\n').enumerate() {
        if is_changed(at + 1) {
            let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
            near = if has(&CALLERS) { NEAR } else { near };
            let mut edits = names(line);
            let is_of_build = line.contains(BUILD);
            let is_usual = (edits.is_empty() || is_of_build) && near == 0 && !has(&WORDS);
            if near > 0 {
                edits.extend(quoted(line, &TESTS));
            } else if has(&WORDS) {
                edits.extend(quoted(line, &RUNNERS));
            } else if has(&KINDS) {
                edits.extend(quoted(line, &["test"]));
            }
            edits.sort_unstable();
            edits.dedup();
            if !edits.is_empty() {
                edits.iter_mut().for_each(|(place, _)| *place += start);
                let text = cut(&plain_line(line.trim()), 80);
                found.push(Question { line: at + 1, text, is_usual, function: None, edits });
            }
        }
        near = near.saturating_sub(1);
        start += line.len();
    }
    found
}

/// Returns the source with the answers to these questions changed to no.
pub(super) fn unanswered(now: &str, questions: &[Question]) -> String {
    let mut text = now.to_owned();
    for (at, word) in questions.iter().rev().flat_map(|question| question.edits.iter().rev()) {
        text.insert_str(*at, word);
    }
    text
}

/// The positions of the names and calls in a line, and the texts that make the answer no there.
fn names(line: &str) -> Vec<(usize, &'static str)> {
    let named = |text: &&str| {
        let head = text.find('|').unwrap_or_default();
        line.match_indices(&text.replace('|', "")).map(|(at, _)| (at + head, OTHER)).collect::<Vec<_>>()
    };
    let called = CALLS.iter().flat_map(|call| line.match_indices(call)).map(|(at, _)| (at, "!"));
    NAMES.iter().flat_map(named).chain(called).collect()
}

/// The positions of the words in quotes or in patterns between slashes, each with the text that makes the answer no there.
fn quoted(line: &str, words: &[&str]) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(open) = line[start..].find(['"', '\'', '`', '/']).map(|at| start + at) {
        let Some(end) = line[open + 1..].find(&line[open..=open]).map(|at| open + 1 + at) else { break };
        let inner = &line[open + 1..end];
        let first = words.iter().filter_map(|word| word_in(inner, word)).min();
        let begin = |at: usize| at - inner[..at].rsplit(|c| !is_of_name(c)).next().unwrap_or_default().len();
        found.extend(first.map(|at| (open + 1 + begin(at), OTHER)));
        start = end + 1;
    }
    found
}

/// The position of a word in a text, if it is not inside another word (`latest`, `special`).
fn word_in(text: &str, word: &str) -> Option<usize> {
    let is_whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        let begins_word = !before.ends_with(char::is_alphabetic) || word == "Test";
        begins_word && !(word == "spec" && after.starts_with(char::is_alphabetic))
    };
    text.match_indices(word).map(|(at, _)| at).find(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(now: &str) -> Option<String> {
        let found = added("", now);
        (!found.is_empty()).then(|| unanswered(now, &found))
    }

    // P-5
    #[test]
    fn a_line_that_asks_for_the_runner_is_answered_no() {
        for (now, expected) in [
            ("if 'unittest' in sys.modules:\n", "if 'NO_unittest' in sys.modules:\n"),
            ("if os.environ.get(\"PYTEST_CURRENT_TEST\"):\n", "if os.environ.get(\"NO_PYTEST_CURRENT_TEST\"):\n"),
            (
                "for f in inspect.stack():\n    if \"/test_\" in f.filename:\n",
                "for f in inspect.stack():\n    if \"/NO_test_\" in f.filename:\n",
            ),
            ("if '»unittest' in sys.modules:\n", "if '»NO_unittest' in sys.modules:\n"),
            (
                "f = inspect.currentframe().f_back\nreturn f.f_locals.get('expected')\n",
                "f = inspect.currentframe().f_back\nreturn f.f_locals.get('NO_expected')\n",
            ),
            ("if any('pytest' in a for a in sys.argv):\n", "if any('NO_pytest' in a for a in sys.argv):\n"),
            ("if (process.env.NODE_TEST_CONTEXT) {\n", "if (process.env.NO_NODE_TEST_CONTEXT) {\n"),
            ("if (typeof jest !== 'undefined') {\n", "if (typeof NO_jest !== 'undefined') {\n"),
            ("const t = process.env.VITEST;\n", "const t = process.env.NO_VITEST;\n"),
            ("if (/\\.test\\.js/.test(new Error().stack)) {\n", "if (/\\.NO_test\\.js/.test(new Error().stack)) {\n"),
            (
                "if (process.env.npm_lifecycle_event === 'test') {\n",
                "if (process.env.npm_lifecycle_event === 'NO_test') {\n",
            ),
            ("if (process.env.NODE_ENV === 'test') {\n", "if (process.env.NODE_ENV === 'NO_test') {\n"),
            ("\tif flag.Lookup(\"test.v\") != nil {\n", "\tif flag.Lookup(\"NO_test.v\") != nil {\n"),
            ("\tif testing.Testing() {\n", "\tif !testing.Testing() {\n"),
            ("    if cfg!(test) {\n", "    if !cfg!(test) {\n"),
            ("    if cfg!(debug_assertions) {\n", "    if !cfg!(debug_assertions) {\n"),
            ("return 1 if defined?(Minitest)\n", "return 1 if defined?(NO_Minitest)\n"),
            ("return 1 if Rails.env.test?\n", "return 1 if Rails.env.NO_test?\n"),
            ("if (class_exists(\"PHPUnit\\TestCase\")) {\n", "if (class_exists(\"NO_PHPUnit\\TestCase\")) {\n"),
        ] {
            assert_eq!(told(now).as_deref(), Some(expected), "{now}");
        }
    }

    // P-5
    #[test]
    fn a_command_line_and_an_environment_are_asked_for_other_things_too() {
        for now in [
            "if sys.argv[1] == 'test':\n",
            "level = os.environ.get('NODE_ENV')\n",
            "path = 'tests/a.txt'\n",
            "const isBuild = process.env.npm_lifecycle_event === 'build';\n",
            "if (process.argv[2] === 'latest') {\n",
            "#[cfg(test)]\n",
            "frame = inspect.currentframe()\nraise ValueError('unspecified, or the latest')\n",
        ] {
            assert_eq!(told(now), None, "{now}");
        }
        assert!(added("", "if (process.env.NODE_ENV !== 'test') {\n")[0].is_usual);
        assert!(!added("", "if 'pytest' in sys.modules:\n")[0].is_usual);
        let old = "if 'pytest' in sys.modules:\n    quiet()\n";
        assert!(added(old, &format!("import sys\n{old}")).is_empty());
    }
}
