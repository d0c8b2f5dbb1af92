//! Finds Rust functions that the work defines twice: once for tests and once for the program.

use std::path::Path;

use super::question::Question;
use crate::gate::source_text::{indent, is_of_name};
use crate::mutate::{self, Language};

/// The attributes of the two definitions.
const IN_TESTS: &str = "#[cfg(test)]";
const ELSEWHERE: &str = "#[cfg(not(test))]";
/// The text before the condition of an attribute. `not(` is inserted behind it, and `)` before the end.
const OPEN: &str = "#[cfg(";
const CLOSE: &str = ")]";
/// How many lines of attributes and documentation may stand between an attribute and its function.
const NEAR: usize = 40;

/// A function under one of the attributes.
struct Definition<'t> {
    name: &'t str,
    /// The nearest line above that is indented less: the `impl` or `mod` around the function.
    around: Option<&'t str>,
    /// The line number of the attribute, counted from 1, and its byte position.
    line: usize,
    start: usize,
    attribute: &'static str,
}

/// Returns the attributes of functions that `now` newly defines twice, as questions. The answer no gives the tests the function of
/// the program.
pub(super) fn added(path: &Path, then: &str, now: &str) -> Vec<Question> {
    if Language::of(&path.to_string_lossy(), b"") != Some(Language::Rust) || !now.contains(ELSEWHERE) {
        return Vec::new();
    }
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let found = definitions(now);
    let is_twin = |one: &Definition<'_>, other: &Definition<'_>| {
        one.name == other.name && one.around == other.around && one.attribute != other.attribute
    };
    let is_new = |one: &Definition<'_>| {
        found.iter().any(|other| is_twin(one, other) && (is_changed(one.line) || is_changed(other.line)))
    };
    found.iter().filter(|one| is_new(one)).map(question).collect()
}

fn question(one: &Definition<'_>) -> Question {
    let (open, close) = (one.start + OPEN.len(), one.start + one.attribute.len() - CLOSE.len());
    let text = format!("{} fn {}", one.attribute, one.name);
    Question::of_function(one.name, one.line, &text, vec![(open, "not("), (close, ")")])
}

fn definitions(text: &str) -> Vec<Definition<'_>> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        if let Some(attribute) = [IN_TESTS, ELSEWHERE].into_iter().find(|attribute| text.starts_with(attribute)) {
            // The function may stand in the same line.
            let below = std::iter::once(&text[attribute.len()..]).chain(lines[at + 1..].iter().copied());
            let is_head = |line: &&str| !line.trim_end().ends_with([';', '}']) || line.contains("fn ");
            let name = below.take(NEAR).take_while(is_head).find_map(function_name);
            let around = around(&lines[..at], indent(line));
            let start = start + indent(line);
            found.extend(name.map(|name| Definition { name, around, line: at + 1, start, attribute }));
        }
        start += line.len();
    }
    found
}

/// The name in `pub(crate) async fn name(`.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.trim_start().split_once("fn ")?;
    let is_qualifier = before.chars().all(|c| c.is_ascii_lowercase() || matches!(c, ' ' | '\t' | '(' | ')' | ':'));
    let name = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
    (is_qualifier && !name.is_empty()).then_some(name)
}

fn around<'t>(above: &[&'t str], inner: usize) -> Option<&'t str> {
    if inner == 0 {
        return None;
    }
    above.iter().rev().find(|line| !line.trim().is_empty() && indent(line) < inner).map(|line| line.trim())
}

#[cfg(test)]
mod tests {
    use super::super::question;
    use super::*;

    fn told(then: &str, now: &str) -> Option<String> {
        let found = added(Path::new("a.rs"), then, now);
        assert!(found.iter().all(|one| one.function.as_deref() == Some("total")));
        (!found.is_empty()).then(|| question::unanswered(now, &found))
    }

    // P-5
    #[test]
    fn a_function_split_for_tests_is_the_one_of_the_program() {
        let then = "pub fn total() -> u32 {\n    1\n}\n";
        let now = "#[cfg(test)]\npub fn total() -> u32 {\n    2\n}\n\n#[cfg(not(test))]\n/// One.\n#[inline]\npub fn total() -> u32 {\n    1\n}\n";
        let expected = now.replace("#[cfg(not(test))]", "#[cfg(not(not(test)))]");
        let expected = expected.replace("#[cfg(test)]", "#[cfg(not(test))]");
        assert_eq!(told(then, now), Some(expected));
        let method = "impl A {\n    #[cfg(not(test))]\n    pub(crate) fn total(&self) {}\n    #[cfg(test)]\n    pub(crate) fn total(&self) {}\n}\n";
        assert!(told("", method).is_some());
        let other = "/// Two.\n#[cfg(test)] pub fn total() -> u32 { 2 }\n#[cfg(not(test))]\n/** One fn\n of two. */\nfn total() {}\n";
        assert!(told("", other).is_some());
        // Split before the work.
        assert_eq!(told(now, &now.replace("    2", "    3")), None);
    }

    // P-5
    #[test]
    fn other_items_are_not_split_functions() {
        for now in [
            "#[cfg(test)]\nfn total() {}\n",
            "impl A {\n    #[cfg(not(test))]\n    fn total() {}\n}\nimpl B {\n    #[cfg(test)]\n    fn total() {}\n}\n",
            "#[cfg(test)]\nmod total {}\n#[cfg(not(test))]\nmod total {}\n",
        ] {
            assert_eq!(told("", now), None, "{now}");
        }
    }
}
