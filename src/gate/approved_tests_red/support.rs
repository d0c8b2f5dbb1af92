//! Assertion helpers of the tests outside the test folders: `support/compare.py`, `vendor/expect/index.js`, a macro in
//! `src/testing.rs`, a sourced `scripts/check.sh`. A more lenient helper weakens the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::gate::full::candidate::Candidate;
use crate::gate::source_text::whole_words;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// How many tests of the start are searched.
pub(super) const TESTS: usize = 400;
/// How the names of assertions begin, in lower case and without `_`.
const NAMES: [&str; 12] = [
    "assert", "expect", "should", "check", "verify", "same", "equal", "compare", "tobe", "toequal", "tomatch", "tohave",
];
/// Words that come before the name of a function or macro.
const BEFORE: [&str; 18] = [
    "#define", "export", "default", "async", "pub", "pub(crate)", "public", "private", "protected", "static", "def",
    "function", "fn", "func", "macro_rules!", "const", "let", "var",
];
/// Words before parentheses and a block that do not name a function.
const KEYWORDS: [&str; 8] = ["if", "for", "while", "switch", "catch", "match", "with", "return"];

/// Returns the changed files of the base that are assertion helpers. Such a file asserts as tests do, and the tests of the
/// base use at least one of its functions, and only functions whose names say that they assert. A product that asserts its
/// own preconditions fails one of these conditions.
pub(super) fn files(candidate: &Candidate<'_>, base: &Layout) -> Result<BTreeSet<PathBuf>, Stop> {
    let mut found = BTreeSet::new();
    let mut tests: Option<Vec<String>> = None;
    for path in candidate.changed().filter(|path| candidate.is_source(path)) {
        let Some(then) = candidate.bytes(base, path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
        let defined: BTreeSet<&str> = then.lines().filter_map(definition).collect();
        if !defined.iter().any(|name| says_so(name) && asserts(path, &then, name)) {
            continue;
        }
        let tests = match &mut tests {
            Some(tests) => tests,
            none => none.insert(candidate.texts_of_tests(base, TESTS)?),
        };
        let used: Vec<&&str> = defined
            .iter()
            .filter(|name| tests.iter().any(|test| whole_words(test, name, is_of_identifier).next().is_some()))
            .collect();
        if !used.is_empty() && used.iter().all(|name| says_so(name)) {
            found.insert(path.to_owned());
        }
    }
    Ok(found)
}

fn says_so(name: &str) -> bool {
    let plain = name.to_ascii_lowercase().replace('_', "");
    NAMES.iter().any(|begin| plain.starts_with(begin))
}

/// Whether a source asserts as tests do, and not only the preconditions of a product: `case.assertEqual(…)`, an assertion
/// library, a script that prints `FAIL`. An `assert` of the language counts only if the name of the function begins with
/// that word or a word of the path begins with `test`.
fn asserts(path: &Path, text: &str, name: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // The path `testkit/compare.py` says that it belongs to tests.
    let lower = path.to_string_lossy().to_ascii_lowercase();
    let says_test = lower.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with("test"));
    let says_assert = name.to_ascii_lowercase().starts_with("assert") || says_test;
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "py" => {
            has(&["AssertionError", "unittest", "pytest", "self.fail("])
                || text.split(".assert").skip(1).any(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
                || says_assert && has(&["assert "])
        }
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => {
            has(&["assert'", "assert\"", "assert/strict", "AssertionError", "'chai'", "\"chai\""])
                || name.starts_with("to") && has(&["throw "])
        }
        "rs" => has(&["assert!", "assert_eq!", "assert_ne!", "panic!"]) && (says_assert || name.starts_with("check")),
        "sh" | "bash" | "" => has(&["FAIL", "fail", "not ok"]),
        "go" => has(&["testing.T", "testing.TB"]),
        "h" | "hh" | "hpp" | "c" | "cc" | "cpp" | "cxx" => has(&["__LINE__", "abort("]),
        _ => has(&["assertEquals", "Assert", "minitest", "Minitest", "RSpec"]),
    }
}

/// Returns the name of the function or macro whose definition begins on this line.
fn definition(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    let mut is_announced = false;
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| BEFORE.contains(word)) {
        (rest, is_announced) = (behind.trim_start(), true);
    }
    for front in ["module.exports.", "exports."] {
        if let Some(behind) = rest.strip_prefix(front) {
            (rest, is_announced) = (behind, true);
        }
    }
    let end = rest.find(|c| !is_of_identifier(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let is_block = behind.starts_with("() {") || behind.starts_with('(') && line.trim_end().ends_with('{');
    let is_function = match is_announced {
        true => behind.starts_with(['(', '<']) || behind.trim_start().starts_with(['=', '{']),
        false => is_block && !KEYWORDS.contains(&name),
    };
    (is_function && !name.is_empty()).then_some(name)
}

fn is_of_identifier(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn definitions_of_many_languages_are_found() {
        for (line, name) in [
            ("def same(case, got):", "same"),
            ("    async def check_all(self):", "check_all"),
            ("export default async function expectRows(a) {", "expectRows"),
            ("exports.same = (got, want) => {", "same"),
            ("const check = (got) => assert.ok(got);", "check"),
            ("  toEqual(want) {", "toEqual"),
            ("macro_rules! assert_close {", "assert_close"),
            ("pub fn assert_same<T: Eq>(a: T) {", "assert_same"),
            ("check() {", "check"),
            ("#define CHECK_INT(got, want) do { } while (0)", "CHECK_INT"),
            ("check() { got=$(sh calc.sh \"$1\"); }", "check"),
        ] {
            assert_eq!(definition(line).unwrap_or_default(), name, "{line}");
        }
        for line in ["if (a) {", "same(a, b)", "from x import same", "return check(a) {", "let mut x = 3;", ""] {
            assert_eq!(definition(line), None, "{line}");
        }
    }

    // P-5
    #[test]
    fn a_product_that_asserts_what_it_relies_on_is_no_assertion_of_tests() {
        let is = |path: &str, text: &str, name: &str| asserts(Path::new(path), text, name);
        assert!(is("a.py", "def same(case, a, b):\n    case.assertEqual(a, b)\n", "same"));
        assert!(is("a.js", "const assert = require('node:assert');", "check"));
        assert!(is("a.js", "toBe(want) { if (got !== want) throw new Error('x'); }", "toBe"));
        assert!(!is("a.py", "def check_age(n):\n    assert n >= 0\n", "check_age"));
        assert!(!is("a.js", "exports.checkMail = (text) => { if (!text) throw new Error('x'); }", "checkMail"));
        assert!(!is("a.rs", "pub fn check_age(n: i8) -> bool { n >= 0 }", "check_age"));
        assert!(says_so("assertRowsEqual") && says_so("same") && !says_so("balances"));
    }
}
