//! A file that still loads, but whose functions fail as soon as they are called.

use std::ops::Range;

use super::inline;
use super::language::Language::{self, C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use super::lines::within;
use super::source::TokenizedSource;
use super::token::TokenKind;
use super::units::{Unit, Units};

/// Selects the lines of every function.
pub const ALL_LINES: Range<usize> = 0..usize::MAX;

/// Returns the source in which every function that has one of these lines (counted from 1, the end excluded) fails first, with `mark` in
/// its message. `None` if there is no such function or if this is not certain for the language. Tests inside a Rust source stay.
pub fn hollow(path: &str, source: &[u8], lines: &[Range<usize>], mark: &str) -> Option<Vec<u8>> {
    let language = Language::of(path, source)?;
    let (word, fails) = match language {
        Python => ("def", format!("raise RuntimeError(\"{mark}\")")),
        Rust => ("fn", format!("panic!(\"{mark}\")")),
        Go => ("func", format!("panic(\"{mark}\")")),
        JavaScript | Shell | Ruby | Java | C | Cpp | Php => return None,
    };
    let source = TokenizedSource::of(language, source)?;
    let tests = inline::pieces_of_tests(&source).unwrap_or_default();
    let units = Units::of(&source);
    let is_function =
        |at: usize| source.is(at, word) || language == Python && source.is(at, "async") && source.is(at + 1, word);
    let is_asked = within(lines);
    // The last token of a function and the empty lines before the next one do not count.
    let is_line = |at: usize| source.kind(at) != TokenKind::Newline && is_asked(source.tokens[at].line);
    let has_line = |unit: &Unit| (unit.start..unit.end.saturating_sub(1)).any(is_line);
    let mut edits: Vec<(usize, String)> = Vec::new();
    for unit in units.all.iter().filter(|unit| is_function(unit.start) && !unit.is_test && has_line(unit)) {
        if tests.iter().any(|test| test.contains(&unit.start)) {
            continue;
        }
        edits.extend(first_statement(&source, unit.open, &fails));
    }
    edits.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = source.text.to_owned();
    edits.iter().for_each(|(at, fails)| text.insert_str(*at, fails));
    (!edits.is_empty()).then(|| text.into_bytes())
}

/// The insertion that puts a statement at the beginning of a body, after its `{` or `:` at `open`: its place and its text.
pub(super) fn first_statement(source: &TokenizedSource<'_>, open: usize, statement: &str) -> Option<(usize, String)> {
    let end = source.tokens.get(open)?.range.end;
    if source.is(open, "{") {
        return Some((end, format!(" {statement};")));
    } else if !source.is(open, ":") {
        return None;
    }
    let first = source.tokens.get(source.after(open + 1))?.range.start;
    let begin = source.text[..first].rfind('\n').map_or(0, |end| end + 1);
    let is_below = begin > end;
    Some((
        first,
        if is_below { format!("{statement}\n{}", &source.text[begin..first]) } else { format!("{statement}; ") },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn each_function_fails_first() {
        let hollowed = |path: &str, source: &str| {
            hollow(path, source.as_bytes(), &[ALL_LINES], "m").map(|text| String::from_utf8(text).unwrap())
        };
        let python = "A = 1\n\n\n@cached\ndef f(a: int) -> int:\n    \"\"\"Text.\"\"\"\n    return a\n\n\nclass C:\n    def g(self): return 1\n";
        let fails = "A = 1\n\n\n@cached\ndef f(a: int) -> int:\n    raise RuntimeError(\"m\")\n    \"\"\"Text.\"\"\"\n    return a\n\n\nclass C:\n    def g(self): raise RuntimeError(\"m\"); return 1\n";
        assert_eq!(hollowed("a.py", python).unwrap(), fails);
        let rust = "fn f() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    fn g() {}\n    #[test]\n    fn t() { g() }\n}\n";
        assert_eq!(hollowed("a.rs", rust).unwrap(), rust.replacen("{ 1", "{ panic!(\"m\"); 1", 1));
        assert_eq!(hollowed("a.go", "func F() int {\n}\n").unwrap(), "func F() int { panic(\"m\");\n}\n");
        assert_eq!(hollowed("a.py", "A = 1\n"), None);
        assert_eq!(hollowed("a.js", "function f() {}\n"), None);
    }

    // P-5
    #[test]
    fn a_function_without_such_a_line_stays() {
        let go = "func A() int {\n\treturn 1\n}\n\nfunc B() int {\n\treturn 2\n}\n";
        let hollowed = |lines: Range<usize>| {
            hollow("a.go", go.as_bytes(), &[lines], "m").map(|text| String::from_utf8(text).unwrap())
        };
        let fails = go.replace("B() int {", "B() int { panic(\"m\");");
        assert_eq!(hollowed(6..7).unwrap(), fails);
        assert_eq!(hollowed(3..7).unwrap(), fails);
        assert_eq!(hollowed(4..5), None);
        let lines = 3..7;
        let python = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
        let fails = python.replace("return 2", "raise RuntimeError(\"m\")\n    return 2");
        assert_eq!(hollow("a.py", python.as_bytes(), &[lines], "m").unwrap(), fails.as_bytes());
    }
}
