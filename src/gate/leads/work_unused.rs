//! `work-unused`: a function or class that the work added and that nothing else in the repository mentions. A framework
//! may still call it, so it is a note for the judge.

use std::collections::BTreeSet;
use std::path::Path;

use super::{AddedLine, at, lines, shown, sources};
use crate::gate::facts::GateFacts;
use crate::gate::source_text::is_of_name;
use crate::gate::{GateFinding, GateLevel};

/// The most new names to look for.
const NAMES: usize = 200;
/// The most unchanged files to search, and the most bytes in all. In a larger repository the scan reports nothing.
const FILES: usize = 400;
const BYTES: usize = 4 << 20;
/// Keywords in front of the name that they define.
const DEFINES: [&str; 8] = ["def", "class", "function", "fn", "func", "struct", "enum", "trait"];
/// Words that may precede these keywords. `pub` and `export` are left out: they offer the name to other repositories.
const BEFORE: [&str; 3] = ["async", "unsafe", "const"];
/// Functions that a runtime calls by name.
const CALLED: [&str; 2] = ["main", "init"];

/// A name that the work defines at the top level of a file. Members do not count: a class may be required to have them.
struct NewName<'f> {
    line: AddedLine<'f>,
    name: &'f str,
}

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let named = lines(sources(facts, false)).filter_map(|line| Some(NewName { name: defined(&line)?, line }));
    let mut new: Vec<NewName<'_>> = named.take(NAMES).collect();
    let Some((base, (_, tree))) = facts.base.zip(facts.trees) else { return Vec::new() };
    let verify = facts.verify.map(|(line, _)| line.text.as_str());
    for text in facts.tests.iter().map(String::as_str).chain(verify) {
        drop_named(&mut new, text, None);
    }
    for file in &base.changed {
        drop_named(&mut new, file.now.as_deref().unwrap_or_default(), Some(&file.path));
    }
    let changed: BTreeSet<&Path> = base.changed.iter().map(|file| file.path.as_path()).collect();
    let rest = tree.entries.iter().map(|entry| entry.path.as_path()).filter(|path| !changed.contains(path));
    let rest: Vec<&str> = rest.filter_map(Path::to_str).collect();
    if rest.len() > FILES {
        return Vec::new();
    }
    let mut read = 0;
    for path in rest {
        if new.is_empty() || read > BYTES {
            return Vec::new();
        }
        let text = (facts.read)(path).unwrap_or_default();
        read += text.len();
        drop_named(&mut new, &text, None);
    }
    new.into_iter().map(note).collect()
}

fn note(NewName { line: AddedLine { file, number, text }, name }: NewName<'_>) -> GateFinding {
    let seen = format!("nothing in the repository names `{name}`, which the work added: `{}`", shown(text));
    let resolve = "call it, or say who does";
    at(file, number, "work-unused", "work that something uses", seen, resolve).level(GateLevel::Note)
}

/// Returns the name that a top-level line defines, if the name is new and for this repository alone.
fn defined<'f>(line: &AddedLine<'f>) -> Option<&'f str> {
    let name = name_of(line.text)?;
    let above = line.number.checked_sub(2).and_then(|above| line.file.now.as_deref()?.lines().nth(above));
    // A decorator may register the function elsewhere.
    let is_decorated = above.is_some_and(|above| above.starts_with(['@', ')']) || above.starts_with("#["));
    let is_exported =
        line.file.path.extension().is_some_and(|ending| ending == "go") && name.starts_with(char::is_uppercase);
    // The definition is old and only its first line changed, such as by annotations or a parameter.
    let stood = line.file.then.iter().flat_map(|then| then.lines()).any(|line| name_of(line) == Some(name));
    (!is_decorated && !is_exported && !stood).then_some(name)
}

/// Returns the name in `def f(a):`, `async function f() {`, `f() {`; `None` for an indented line.
fn name_of(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let (word, behind) = rest.split_once(|c| !is_of_name(c)).unwrap_or((rest, ""));
        let is_shell = rest == text && !word.is_empty() && text[word.len()..].replace(' ', "").starts_with("(){");
        let name = match DEFINES.contains(&word) {
            true => behind.trim_start().split(|c| !is_of_name(c)).next()?,
            false if is_shell => word,
            false if BEFORE.contains(&word) => {
                rest = behind.trim_start();
                continue;
            }
            false => return None,
        };
        let is_called = CALLED.contains(&name) || name.starts_with("__") || name.to_lowercase().starts_with("test");
        return (!name.is_empty() && !is_called).then_some(name);
    }
}

/// Drops the names that the text of a file mentions outside their definitions.
fn drop_named(new: &mut Vec<NewName<'_>>, text: &str, path: Option<&Path>) {
    if new.is_empty() {
        return;
    }
    let words: BTreeSet<&str> = text.split(|c| !is_of_name(c)).collect();
    new.retain(|one| match path == Some(one.line.file.path.as_path()) {
        true => !is_named_beside(text, one.name, one.line.number),
        false => !words.contains(one.name),
    });
}

/// Whether a text mentions a name outside of its definition, which begins in `line`: a function that calls itself does not
/// count. A `>>>` example inside the definition counts, because it is run from outside.
fn is_named_beside(text: &str, name: &str, line: usize) -> bool {
    let mut is_inside = false;
    text.lines().enumerate().any(|(index, text)| {
        let is_top = text.starts_with(|c: char| !c.is_whitespace() && !"{})]".contains(c)) && text != "end";
        is_inside = index + 1 == line || is_inside && !is_top;
        let is_example = text.trim_start().starts_with(">>> ");
        (!is_inside || is_example) && text.split(|c| !is_of_name(c)).any(|word| word == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_line_at_the_top_defines_a_name() {
        for (line, name) in [
            ("def total(rows):", "total"),
            ("async function load(url) {", "load"),
            ("fn digits(n: u32) -> u32 {", "digits"),
            ("func half(n int) int {", "half"),
            ("class Cart:", "Cart"),
            ("render() {", "render"),
        ] {
            assert_eq!(name_of(line), Some(name), "{line}");
        }
        for line in [
            "    def close(self):", "pub fn open() {", "export function open() {", "func (s *Shop) ServeHTTP() {",
            "def main():", "def __getattr__(name):", "def test_a():", "render(x);", "class = 3", "",
        ] {
            assert_eq!(name_of(line), None, "{line}");
        }
    }

    // P-5
    #[test]
    fn a_function_that_only_calls_itself_is_not_used() {
        let text = "def f(n):\n    return f(n - 1)\n\n\ndef g(\n    n,\n):\n    return g(n)\n";
        assert!(!is_named_beside(text, "f", 1) && !is_named_beside(text, "g", 5));
        assert!(is_named_beside(&format!("{text}\nprint(g(1))\n"), "g", 5));
        assert!(is_named_beside("def f(n):\n    \"\"\"\n    >>> f(1)\n    2\n    \"\"\"\n    return n + 1\n", "f", 1));
        assert!(is_named_beside("CALLS = ['f']\ndef f(): pass\n", "f", 2));
    }
}
