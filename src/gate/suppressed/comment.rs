//! Finds new comments that silence a checker on old lines.

mod appended;
mod split;

use std::collections::HashSet;
use std::path::Path;

use self::appended::{appended, openers};
use self::split::split;
use crate::mutate;
use crate::plan::text::{cut, plain_line};

/// Words at the beginning of a file that mark it as generated or vendored.
const MADE: [&str; 3] = ["generated", "do not edit", "vendored"];
/// How many lines of a file count as its beginning.
const HEAD: usize = 10;

/// A file with comments that silence a checker.
pub(super) struct Silenced {
    pub(super) without: String,
    pub(super) count: usize,
    /// The first comment, shortened for display, and its line number from 1.
    pub(super) first: (String, usize),
    /// Whether one of the comments silences the whole file.
    pub(super) is_whole: bool,
    /// Whether the comments are the only change to the file.
    pub(super) is_all: bool,
}

/// Finds the silencing comments that `now` adds to lines of `then`. Those on new lines stay: new code may need them.
pub(super) fn silenced(path: &Path, then: &str, now: &str) -> Option<Silenced> {
    if now.lines().take(HEAD).any(|line| MADE.iter().any(|word| line.to_lowercase().contains(word))) {
        return None;
    }
    let old: HashSet<&str> = then.lines().map(str::trim).collect();
    let is_changed = mutate::is_changed(then.as_bytes(), now.as_bytes());
    let lines: Vec<&str> = now.lines().collect();
    let (mut kept, mut bare) = (Vec::new(), Vec::new());
    let (mut first, mut count, mut is_whole) = (None, 0, false);
    let mut below = None;
    let appended = appended(path, &lines, &old, &is_changed);
    for (at, line) in lines.iter().enumerate() {
        let own = if is_changed(at + 1) { split(line) } else { None };
        let found = own.or_else(|| appended.get(&at).cloned());
        let Some((rest, text, whole)) = found else {
            kept.push((*line).to_owned());
            bare.push(line.trim_end().to_owned());
            continue;
        };
        let is_on_old = match rest.trim() {
            "/*" | "<!--" => whole,
            "" => {
                let below = below.get_or_insert_with(|| code_below(path, &lines, &is_changed));
                whole || below[at].is_some_and(|code| old.contains(code))
            }
            rest => old.contains(rest),
        };
        bare.extend((!rest.trim().is_empty()).then(|| rest.trim_end().to_owned()));
        if is_on_old {
            (count, is_whole) = (count + 1, is_whole || whole);
            first.get_or_insert_with(|| (cut(&plain_line(text), 80), at + 1));
            kept.extend((!rest.trim().is_empty()).then_some(rest));
        } else {
            kept.push((*line).to_owned());
        }
    }
    let filled = |line: &&str| !line.trim().is_empty();
    let is_all = bare.iter().map(String::as_str).filter(filled).eq(then.lines().map(str::trim_end).filter(filled));
    let end = if now.ends_with('\n') { "\n" } else { "" };
    Some(Silenced { without: kept.join("\n") + end, count, first: first?, is_whole, is_all })
}

/// For each line, the next line of code below it, without white space around it.
fn code_below<'l>(path: &Path, lines: &[&'l str], is_changed: &dyn Fn(usize) -> bool) -> Vec<Option<&'l str>> {
    let openers = openers(path);
    let is_comment = |line: &str| {
        openers.iter().any(|opener| line.starts_with(opener))
            // The middle and the end of a block.
            || openers.contains(&"/*") && (line == "*" || line.starts_with("* ") || line.starts_with("*/"))
    };
    let mut code = None;
    let is_new_attribute =
        |at: usize, line: &str| is_changed(at + 1) && (line.starts_with("#[") || line.starts_with('@'));
    let mut below: Vec<_> = lines
        .iter()
        .enumerate()
        .rev()
        .map(|(at, line)| {
            let above = code;
            let line = line.trim();
            let is_other = line.is_empty() || is_comment(line) || is_new_attribute(at, line);
            if !is_other && (!is_changed(at + 1) || split(line).is_none()) {
                code = Some(line);
            }
            above
        })
        .collect();
    below.reverse();
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn comments_that_silence_are_taken_from_old_lines() {
        let then = "import a\nx = f(1)\ny = g(2)\n";
        let found = |now: &str| silenced(Path::new("a.py"), then, now);
        let one = found("import a  # noqa: F401\nx = f(1)  # type: ignore[arg]\n# lint: ignore\ny = g(2)\n").unwrap();
        assert_eq!((one.without.as_str(), one.count, one.is_whole, one.is_all), (then, 3, false, true));
        assert_eq!(one.first, ("# noqa: F401".to_owned(), 1));
        let whole = found(&format!("# mypy: ignore-errors\n{then}")).unwrap();
        assert_eq!((whole.without.as_str(), whole.is_whole), (then, true));
        let more = found("import a  # noqa\nx = f(3)\ny = g(2)\n").unwrap();
        assert_eq!((more.without.as_str(), more.is_all), ("import a\nx = f(3)\ny = g(2)\n", false));
        let script = silenced(
            Path::new("a.js"),
            "let a = b == c;\n",
            "/* eslint-disable */\nlet a = b == c; // eslint-disable-line\n",
        )
        .unwrap();
        assert_eq!((script.without.as_str(), script.count), ("let a = b == c;\n", 2));
        // A checker of the project itself has its own words for these comments.
        let own = found("import a  # house: let it be\nx = f(1)\ny = g(2)  # house: fine, says Jo\n").unwrap();
        assert_eq!((own.without.as_str(), own.count, own.is_all), (then, 2, true));
    }

    // P-5
    #[test]
    fn a_comment_on_a_line_of_its_own_counts_by_its_words() {
        let then = "import a\n\n\ndef f():\n    pass\n";
        let licence = format!("# Copyright 2026 Jo Doe\n# SPDX-License-Identifier: MIT\n\n{then}");
        assert!(silenced(Path::new("a.py"), then, &licence).is_none());
        let then = "struct point {\n  int x;\n\n  int y;\n};\n";
        let documented = "/** A point.\n * In cells. */\nstruct point {\n  int x; ///< To the right.\n\n  int y; /**< Down. */\n};\n";
        assert!(silenced(Path::new("a.h"), then, documented).is_none());
        // What a linter asks for behind braces, documentation of fields, and the text of a file that is written.
        let then = "#ifdef A\nnamespace a {\nint x;\nint y;\n}\n#endif\n";
        let behind = "#ifdef A\nnamespace a {\nint x; // Cells to the right.\nint y; // Cells below.\n} // namespace a\n#endif // A\n";
        assert!(silenced(Path::new("a.h"), then, behind).is_none());
        let then = "TEMPLATE = \"\"\"\nport = 80\n\"\"\"\nport = 81\n";
        let written = then.replace("80\n", "80  # the default\n");
        assert!(silenced(Path::new("a.py"), then, &written).is_none());
        assert!(silenced(Path::new("a.py"), then, &then.replace("81\n", "81  # house\n")).is_some());
        let then = "\npub fn f() {}\n";
        for line in ["/// Does nothing.", "// SAFETY: nothing is done.", "/* Begins\nand ends. */"] {
            assert!(silenced(Path::new("a.rs"), then, &format!("\n{line}\npub fn f() {{}}\n")).is_none(), "{line}");
        }
        let above = "\n#[allow(dead_code)]\n// Kept for later.\n/* Or not. */\npub fn f() {}\n";
        let found = silenced(Path::new("a.rs"), then, above).unwrap();
        assert_eq!(found.without, "\n// Kept for later.\n/* Or not. */\npub fn f() {}\n");
    }

    // P-5
    #[test]
    fn directives_of_the_language_are_taken_from_old_code() {
        for (line, is_whole) in [
            ("    @SuppressWarnings({\"unchecked\", \"rawtypes\"})", false),
            ("#[allow(clippy::too_many_arguments)]", false),
            ("#![allow(dead_code)]", true),
            ("#pragma GCC diagnostic ignored \"-Wshadow\"", false),
            ("#pragma GCC system_header", true),
            ("no warnings 'once';", false),
            ("warnings.simplefilter(\"ignore\")", true),
            ("set_error_handler(fn () => true);", true),
            ("const char *__asan_default_options(void) { return \"detect_leaks=0\"; }", true),
            ("error_reporting(0);", true),
        ] {
            let found = silenced(Path::new("a.rs"), "fn old() {}\n", &format!("{line}\nfn old() {{}}\n")).unwrap();
            assert_eq!((found.without.as_str(), found.is_whole), ("fn old() {}\n", is_whole), "{line}");
            assert!(
                silenced(Path::new("a.rs"), "fn old() {}\n", &format!("fn old() {{}}\n{line}\nfn new() {{}}\n"))
                    .is_none_or(|_| is_whole)
            );
        }
        assert!(silenced(Path::new("a.rs"), "a\n", "#[allowed]\na\n").is_none());
        let in_two_lines = "const char *__asan_default_options(void) {\n  return \"\"; }\na\n";
        assert!(silenced(Path::new("a.c"), "a\n", in_two_lines).is_none());
    }

    // P-5
    #[test]
    fn other_comments_and_new_lines_stay() {
        let then = "import a\nx = f(1)\n";
        for now in [
            "import a\nimport b  # noqa: F401\nx = f(1)\n",
            "# Copyright: ignore nothing of this\nimport a\nx = f(1)\n",
            "import a\nx = f(1)  # type: int\n",
            "import a\nx = f(1) // 2\n",
            "import a\nx = f(2)  # note that f ignores it\n",
            "import a\nx = f(1)\ny = \"# noqa\"\n",
            "# Generated by make.\n# noqa\nimport a  # noqa\nx = f(1)\n",
            then,
        ] {
            assert!(silenced(Path::new("a.py"), then, now).is_none(), "{now}");
        }
    }
}
