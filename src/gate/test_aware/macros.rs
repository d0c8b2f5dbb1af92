//! Finds conditions of C's preprocessor that ask for a macro of the tests.

use std::path::Path;

use super::question::{OTHER, Question};
use crate::mutate::{self, Language};

/// Parts of the names of macros that a build of tests defines: `UNIT_TEST`, `TESTING`.
const MACROS: [&str; 5] = ["TEST", "TESTS", "TESTING", "UNITTEST", "UNITTESTS"];
/// The ends of the names of header guards.
const GUARDS: [&str; 4] = ["_H", "_HPP", "_HH", "_INCLUDED"];

/// Returns the conditions that `now` adds in or around functions, as questions.
pub(super) fn added(path: &Path, then: &str, now: &str) -> Vec<Question> {
    if !matches!(Language::of(&path.to_string_lossy(), b""), Some(Language::C | Language::Cpp)) {
        return Vec::new();
    }
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let lines: Vec<&str> = now.split_inclusive('\n').collect();
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let edits = if is_changed(at + 1) { macros(line, start) } else { Vec::new() };
        if let Some(function) = function(&lines, at).filter(|_| !edits.is_empty()) {
            found.push(Question::of_function(function, at + 1, line.trim(), edits));
        }
        start += line.len();
    }
    found
}

/// The positions of such macros in a condition, and the texts to insert there; `start` is the position of the line.
fn macros(line: &str, start: usize) -> Vec<(usize, &'static str)> {
    let is_condition = line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("if"));
    let is_macro = |name: &str| {
        !GUARDS.iter().any(|end| name.trim_end_matches('_').ends_with(end))
            && name.split('_').any(|part| MACROS.contains(&part))
    };
    let mut next = start;
    let place = |word: &str| {
        let place = next;
        next += word.len();
        is_macro(word.trim_end_matches(|c| !is_of_name(c))).then_some((place, OTHER))
    };
    let words = line.split_inclusive(|c| !is_of_name(c)).filter_map(place);
    if is_condition { words.collect() } else { Vec::new() }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name of the function around a condition; between functions, that of the next one.
fn function<'t>(lines: &[&'t str], at: usize) -> Option<&'t str> {
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '/']);
    let is_outer = |line: &&&str| !line.starts_with([' ', '\t', '{']);
    let head = lines[..at].iter().rev().filter(is_code).find(is_outer);
    let head =
        head.filter(|line| !line.trim_end().ends_with(['}', ';'])).or_else(|| lines[at..].iter().find(is_code))?;
    let before = head.split_once('(')?.0.trim_end();
    let name = &before[before.rfind(|c| !is_of_name(c)).map_or(0, |end| end + 1)..];
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::question;
    use super::*;

    fn told(now: &str) -> Option<String> {
        let mut found = added(Path::new("a.c"), "", now);
        found.retain(|question| question.function.as_deref() == Some("total"));
        (!found.is_empty()).then(|| question::unanswered(now, &found))
    }

    // P-5
    #[test]
    fn a_macro_of_tests_in_what_they_call_is_another_one() {
        for (now, expected) in [
            (
                "int total(int n)\n{\n    int m = n;\n#ifdef TESTING\n    m = 3;\n#endif\n    return m;\n}\n",
                "int total(int n)\n{\n    int m = n;\n#ifdef NO_TESTING\n    m = 3;\n#endif\n    return m;\n}\n",
            ),
            (
                "int a;\n\n# if defined(UNIT_TEST) && A\nint total(int n) { return 3; }\n#else\nint total(int n) { return n; }\n#endif\n",
                "int a;\n\n# if defined(NO_UNIT_TEST) && A\nint total(int n) { return 3; }\n#else\nint total(int n) { return n; }\n#endif\n",
            ),
        ] {
            assert_eq!(told(now).as_deref(), Some(expected), "{now}");
        }
    }

    // P-5
    #[test]
    fn other_functions_and_other_macros_stay() {
        for now in [
            "long now(void)\n{\n#ifdef TESTING\n    return 1000;\n#endif\n    return time(0);\n}\n\nint total(int n);\n",
            "int total(int n)\n{\n#ifdef LATEST\n    return 3;\n#endif\n    return n;\n}\n",
            "int total(int n)\n{\n    // TESTING is not asked for\n    return n;\n}\n",
            "#ifndef TEST_SUPPORT_H\n#define TEST_SUPPORT_H\nint total(int n);\n#endif\n",
            "#ifdef TESTING\n#define PRIVATE\n#else\n#define PRIVATE static\n#endif\n",
        ] {
            assert_eq!(told(now), None, "{now}");
        }
    }
}
