//! Finds out whether a line of a test is an assertion, whatever the runner.

use crate::gate::source_text::names;

/// Beginnings of the names of assertions, in small letters.
const ASSERTS: [&str; 12] =
    ["assert", "expect", "refute", "check", "should", "must", "verif", "ensure", "same", "equal", "compare", "noerror"];
/// Beginnings of what ends a test as failed, whatever its arguments.
const ENDS: [&str; 9] = ["rais", "throw", "fail", "fatal", "error", "panic", "exit", "abort", "die"];
/// Beginnings of lines that only name something.
const NAMES: [&str; 9] = ["import ", "from ", "use ", "require ", "require(", "#", "//", "const assert", "package "];

/// Whether a line calls something that is named like an assertion, with arguments that a program could make wrong.
pub(super) fn asserts(line: &str) -> bool {
    let line = line.trim();
    if NAMES.iter().any(|begin| line.starts_with(begin)) {
        return false;
    }
    for (start, word) in names(line) {
        let name = word.to_lowercase();
        let begins = |begin: &&str| name.trim_start_matches('_').starts_with(*begin);
        let asserts = ASSERTS.iter().any(begins) && !is_empty(&line[start + word.len()..]) || ENDS.iter().any(begins);
        if asserts && !is_said(line, start) {
            return true;
        }
    }
    // A comparison whose result is counted, as in tests without a framework.
    line.contains("!=") || line.starts_with("if ")
}

/// Whether the byte `at` is in a text in quotes, or in the name of a function that the line defines.
fn is_said(line: &str, at: usize) -> bool {
    let before = &line[..at];
    let is_defined = ["def ", "fn ", "func ", "function "].iter().any(|word| before.ends_with(word));
    is_defined || ['"', '\'', '`'].iter().any(|quote| before.matches(*quote).count() % 2 == 1)
}

/// Whether the text behind a name calls nothing, or calls it with constants, or with the same argument twice.
fn is_empty(behind: &str) -> bool {
    let begins_call = behind.starts_with(['(', '!', '.', ' ']);
    let arguments = behind.trim_start_matches(['!', '.', ' ']);
    let arguments = arguments.split_once('(').map_or(arguments, |(_, inner)| inner);
    let arguments = arguments.trim_end_matches([';', ')', ' ', ',']).trim_end_matches(['(', '!']);
    let is_constant =
        matches!(arguments.to_lowercase().as_str(), "" | "true" | "1" | "not false" | "1, 1" | "true, true");
    let is_twice = arguments.split_once(", ").is_some_and(|(one, other)| one == other);
    !begins_call || is_constant || is_twice
}

#[cfg(test)]
mod tests {
    use super::asserts;

    // P-5
    #[test]
    fn an_assertion_is_a_call_with_something_to_compare() {
        for line in [
            "self.assertEqual(neg(3), -3)", "assert neg(3) == -3", "with pytest.raises(ValueError):",
            "assert.equal(total, 9);", "expect(total).toBe(9);", "assert_eq!(a, b);", "t.Errorf(\"%d\", n)",
            "check($expected, $actual);", "assert_equal 'a', slug('A')", "if got != want {", "require.NoError(t, err)",
            "same(105, cents('1.05'));", "[ \"$out\" = a ] || exit 1",
        ] {
            assert!(asserts(line), "{line}");
        }
        for line in [
            "neg(3)", "result = neg(3)", "self.assertTrue(True)", "self.assertEqual(result, result)", "assert true",
            "assert.ok(true);", "t.Logf(\"%d lines\", n)", "import assert from 'node:assert/strict';",
            "let _ = parse(text);", "test('an error is expected', () => {", "def test_fails_never(self):",
            "const assert = require('node:assert');",
        ] {
            assert!(!asserts(line), "{line}");
        }
    }
}
