//! `stub`: a function that the work added and that only reports that it is not written yet. Tests that replace it are still
//! green. Methods may be abstract, so only top-level functions of a file count, except for the macros that Rust has for
//! this purpose.

use super::{AddedLine, at_each, lines, sources};
use crate::gate::facts::GateFacts;
use crate::gate::{GateFinding, goal_text};

/// A goal with one of these words may ask for a stub.
const SUBJECTS: [&str; 7] = ["stub", "skeleton", "placeholder", "scaffold", "interface", "abstract", "implemented"];
/// Words in the message of a stub, in lower case.
const SAYS: [&str; 5] = ["not implemented", "not yet implemented", "notimplemented", "unimplemented", "todo"];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    if goal_text::speaks_of(&goal_text::of(facts.goal), &SUBJECTS) {
        return Vec::new();
    }
    let stubs = lines(sources(facts, false)).filter(|AddedLine { file, number, text }| {
        let ending = file.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        is_stub(ending, text, file.now.as_deref().unwrap_or_default(), *number)
    });
    let resolve = format!(
        "write the function, or remove it; if the goal leaves it open: {}",
        goal_text::command(facts.goal.name(), "it is not implemented yet")
    );
    at_each(stubs, "stub", "functions that do their work", "this function is not written yet", &resolve)
}

/// Whether line `number` (from 1) of a source is a stub: all that a function does.
fn is_stub(ending: &str, line: &str, text: &str, number: usize) -> bool {
    let line = line.trim();
    let speaks = || SAYS.iter().any(|word| line.to_lowercase().contains(word));
    match ending {
        "rs" => line.starts_with("todo!(") || line.starts_with("unimplemented!("),
        "py" => line.starts_with("raise NotImplementedError") && begins(above(text, number), &["def ", "async def "]),
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => {
            let functions = ["function ", "async function ", "export ", "exports.", "module.exports", "const "];
            line.starts_with("throw ") && speaks() && begins(above(text, number), &functions)
        }
        "go" => line.starts_with("panic(") && speaks() && begins(above(text, number), &["func "]),
        _ => false,
    }
}

fn begins(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.starts_with(word))
}

/// Returns the nearest line above, with its indent, skipping a docstring, comments and blank lines.
fn above(text: &str, number: usize) -> &str {
    let before: Vec<&str> = text.lines().take(number - 1).collect();
    let mut is_docstring = false;
    for line in before.into_iter().rev() {
        let plain = line.trim();
        let quotes = plain.matches("\"\"\"").count() + plain.matches("'''").count();
        if quotes > 0 {
            is_docstring ^= quotes == 1;
        } else if !is_docstring && !plain.is_empty() && !plain.starts_with(['#', '/']) {
            return line;
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn what_is_only_announced_is_a_stub() {
        let is = |ending: &str, text: &str| {
            let number = text.lines().count();
            is_stub(ending, text.lines().last().unwrap(), text, number)
        };
        for (ending, text) in [
            ("py", "def sync(a):\n    raise NotImplementedError"),
            (
                "py",
                "async def sync(a):\n    \"\"\"Copies files.\n\n    All of them.\n    \"\"\"\n    raise NotImplementedError(\"later\")",
            ),
            ("rs", "fn sync() {\n    todo!()"),
            ("rs", "    fn sync(&self) {\n        unimplemented!(\"later\")"),
            ("js", "exports.sync = (a) => {\n  // later\n  throw new Error('Not implemented');"),
            ("go", "func Sync() {\n\tpanic(\"TODO\")"),
        ] {
            assert!(is(ending, text), "{text}");
        }
        for (ending, text) in [
            ("py", "class Store:\n    def sync(self):\n        raise NotImplementedError"),
            ("py", "def sync(kind):\n    if kind == 'x':\n        raise NotImplementedError(kind)"),
            ("py", "def sync(a):\n    copy(a)\n    raise NotImplementedError('no links')"),
            ("js", "class Store {\n  sync() {\n    throw new Error('not implemented');"),
            ("js", "exports.sync = (a) => {\n  throw new Error('no such file');"),
            ("rs", "fn sync() {\n    // todo!()"),
            ("go", "func Sync() {\n\tpanic(err)"),
        ] {
            assert!(!is(ending, text), "{text}");
        }
    }
}
