//! Finds lines that could replace a name of the interpreter.

use std::path::{Path, PathBuf};

use crate::gate::source_text::is_of_name;
use crate::mutate;

/// Words of lines that replace a name without a plain assignment to it: the name may be elsewhere or in a string.
const WORDS: [&str; 18] = [
    "setattr(", "delattr(", "patch(", "patch.", "monkeypatch", "builtins", "__dict__", "__code__", "globals()",
    "vars(", "tzset", "TZ", "defineProperty", "defineProperties", "Object.assign(", "Reflect.", "spyOn(",
    "useFakeTimers",
];
/// Objects whose names are watched.
const OWNERS: [&str; 25] = [
    "time", "random", "datetime", "builtins", "TestCase", "TestResult", "unittest", "pytest", "assert", "Date", "JSON",
    "Math", "Object", "Array", "String", "Number", "Set", "Map", "Promise", "RegExp", "performance", "process",
    "globalThis", "global", "prototype",
];
/// Names that are watched whatever their owner is called, because an import may rename it: `import time as clock`.
const CLOCKS: [&str; 12] = [
    "time", "monotonic", "perf_counter", "process_time", "sleep", "datetime", "date", "Date", "now", "setTimeout",
    "setInterval", "performance",
];

pub(super) struct Replacement {
    pub(super) path: PathBuf,
    /// The line number, from 1.
    pub(super) line: usize,
    text: String,
}

impl Replacement {
    /// Whether the line contains the last part of this dotted name as a word.
    pub(super) fn replaces(&self, name: &str) -> bool {
        let last = name.rsplit('.').next().unwrap_or(name);
        self.text.split(|c: char| !is_of_name(c)).any(|word| word == last)
    }
}

/// Returns the lines of `now` that are changed or new since `then` and could replace a name.
pub(super) fn added(path: &Path, then: &str, now: &str) -> Vec<Replacement> {
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let lines = now.lines().enumerate().filter(|(at, _)| is_changed(at + 1));
    let could = lines.filter(|(_, line)| could_replace(line));
    could.map(|(at, line)| Replacement { path: path.to_owned(), line: at + 1, text: line.to_owned() }).collect()
}

/// Whether a line could replace a name. Comments count too: the lines around it decide whether it is one (`*/ Date.now = fake`).
fn could_replace(line: &str) -> bool {
    WORDS.iter().any(|word| line.contains(word)) || assigned(line).any(is_watched)
}

/// Returns the target of each assignment: the text before each single `=`.
fn assigned(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices('=').filter_map(|(at, _)| {
        let is_compared = code[..at].ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '|', '&', '^', ':'])
            || code[at + 1..].starts_with(['=', '>']);
        let target = code[..at].trim_end();
        let own = |c: char| is_of_name(c) || matches!(c, '.' | '[' | ']' | '"' | '\'');
        let start = |text: &str| text.rfind(|c| !own(c)).map_or(0, |at| at + 1);
        let begin = start(target);
        // `require('assert').equal`
        let call = target[..begin].strip_suffix(')').filter(|_| target[begin..].starts_with('.'));
        let begin = call.and_then(|call| Some(start(&call[..call.rfind('(')?]))).unwrap_or(begin);
        (!is_compared).then_some(&target[begin..])
    })
}

/// Whether the target is watched: `time.time`, `clock.perf_counter`, `Base.assertEqual`, `assert["equal"]`.
fn is_watched(target: &str) -> bool {
    let mut parts = target.split(|c: char| !is_of_name(c)).filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return false };
    let rest: Vec<&str> = parts.collect();
    let Some(last) = rest.last() else { return first == "Date" || first == "setTimeout" };
    let is_owned = OWNERS.contains(&first) || rest[..rest.len() - 1].iter().any(|part| OWNERS.contains(part));
    let is_own = matches!(first, "self" | "this" | "cls");
    is_owned || !is_own && (CLOCKS.contains(last) || last.starts_with("assert"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_line_that_could_replace_a_clock_or_an_assertion_is_seen() {
        for line in [
            "time.perf_counter = lambda: 0.0",
            "    clock.sleep = lambda seconds: None",
            "Base.assertEqual = alike",
            "setattr(case, name, alike)",
            "builtins.len = own",
            "assert.strictEqual = () => {};",
            "require('node:assert').equal = () => {};",
            "Array.prototype.sort = function () { return this; };",
            "Object.defineProperty(performance, 'now', { value: () => 0 });",
            "Date = Fake;",
            "a = time.time = fake",
            "os.environ['TZ'] = 'UTC'",
            "*/ Date.now = () => 0;",
            "*rest, time.time = [1, fake]",
            "#now = (Date.now = () => 0);",
            "// setattr(case, name, alike)",
        ] {
            assert!(could_replace(line), "{line}");
        }
        for line in [
            "self.time = time.time()", "this.now = now", "started = time.perf_counter()", "if time.time == fake:",
            "total = sum(rows)", "def f(time=None):", "const sorted = (rows) => rows.sort();", "row.total = 3",
            "exports.total = total", "assert.equal(a, b)",
        ] {
            assert!(!could_replace(line), "{line}");
        }
    }
}
