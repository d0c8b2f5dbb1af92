//! Finds new comments that silence a checker on old lines.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::mutate::{self, Language};
use crate::plan::text::{cut, plain_line};

/// The beginnings of silencing comments, in lower case. Those that end in `*` here silence the whole file.
const MARKS: [&str; 52] = [
    "noqa", "flake8: noqa*", "ruff: noqa*", "type: ignore", "mypy: ignore-errors*", "mypy: disable-error-code*",
    "pyright: ignore", "pyright: basic*", "pylint: disable", "pylint: skip-file*", "nosec", "nosemgrep", "fmt: off",
    "fmt: skip", "isort: skip", "pragma: no cover", "pragma: no branch", "pytype: disable", "pyre-ignore",
    "pyre-fixme", "pycodestyle: noqa*", "eslint-disable-next-line", "eslint-disable-line", "eslint-disable*",
    "eslint ", "@ts-ignore", "@ts-expect-error", "@ts-nocheck*", "tslint:disable", "istanbul ignore", "c8 ignore",
    "v8 ignore", "biome-ignore", "prettier-ignore", "oxlint-disable*", "stylelint-disable*", "jshint ignore", "nolint",
    "nolintnextline", "rubocop:disable", "shellcheck disable", "phpcs:ignore", "phpcs:disable*", "phpstan-ignore",
    "@phpstan-ignore", "psalm-suppress", "noinspection", "swiftlint:disable", "ktlint-disable", "checkov:skip",
    "yamllint disable", "nosonar",
];
/// Words by which a comment of any other checker silences, after its name and `:` or `-`: `lint: ignore`, `style-disable`.
const VERBS: [&str; 9] =
    ["ignore", "disable", "off", "ok", "skip", "allow", "suppress", "disable-next-line", "ignore-next-line"];
/// The beginnings of code lines that silence, without white space. Those that end in `*` here silence the whole file.
const DIRECTIVES: [&str; 17] = [
    "@SuppressWarnings", "@Suppress(", "@file:Suppress*", "#[allow(", "#[expect(", "#![allow(*", "#![expect(*",
    "#pragmaGCCdiagnostic", "#pragmaclangdiagnostic", "#pragmaGCCsystem_header*", "#pragmawarning(disable",
    "#pragmawarningdisable", "nowarnings", "nostrict", "warnings.simplefilter(\"ignore\"*",
    "warnings.simplefilter('ignore'*", "warnings.filterwarnings(\"ignore\"",
];
/// The beginnings of statements, without white space, that turn off what a run reports. They count only if the statement ends in its
/// line: the rest of it would not compile.
const SWITCHES: [&str; 7] = [
    "error_reporting(0)", "set_error_handler(fn()=>true", "set_error_handler(function(){returntrue;}",
    "constchar*__asan_default_options(", "constchar*__lsan_default_options(", "constchar*__ubsan_default_options(",
    "constchar*__tsan_default_options(",
];
/// The openers of comments.
const OPENERS: [&str; 5] = ["#", "//", "/*", "--", "<!--"];
/// The extensions of sources whose comments begin with `#`.
const HASH: [&str; 13] = ["py", "pyi", "rb", "sh", "bash", "zsh", "pl", "pm", "r", "jl", "nim", "ex", "exs"];
/// Those in which `//` and `/*` are no comments, nor is `#`.
const OTHER: [&str; 3] = ["lua", "hs", "erl"];
/// Words at the beginning of a file that mark it as generated or vendored.
const MADE: [&str; 3] = ["generated", "do not edit", "vendored"];
/// The beginnings of comments that document the code before them, in C.
const DOCUMENTATION: [&str; 4] = ["///<", "//!<", "/**<", "/*!<"];
/// A longer line is generated.
const LONGEST: usize = 2000;
/// How many lines of a file count as its beginning.
const HEAD: usize = 10;

/// A file with comments that silence a checker.
pub(super) struct Silenced {
    /// The file without them.
    pub(super) without: String,
    /// The number of these comments.
    pub(super) count: usize,
    /// The first comment, shortened for display, and its line number from 1.
    pub(super) first: (String, usize),
    /// Whether one of the comments silences the whole file.
    pub(super) is_whole: bool,
    /// Whether the comments are the only change to the file.
    pub(super) is_all: bool,
}

/// Finds the silencing comments that `now` adds to lines of `then`; `None` if it adds none. Comments on new lines stay in
/// `without`: new code may need them.
pub(super) fn silenced(path: &Path, then: &str, now: &str) -> Option<Silenced> {
    if now.lines().take(HEAD).any(|line| MADE.iter().any(|word| line.to_lowercase().contains(word))) {
        return None;
    }
    let old: HashSet<&str> = then.lines().map(str::trim).collect();
    let is_changed = mutate::within(&mutate::changed_lines(then.as_bytes(), now.as_bytes()));
    let lines: Vec<&str> = now.lines().collect();
    let (mut kept, mut bare) = (Vec::new(), Vec::new());
    let (mut first, mut count, mut is_whole) = (None, 0, false);
    let mut below = None;
    let appended = appended(path, &lines, &old, &is_changed);
    for (at, line) in lines.iter().enumerate() {
        let found = split(line).filter(|_| is_changed(at + 1)).or_else(|| appended.get(&at).cloned());
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

/// Returns a line without its silencing comment, the comment, and whether it silences the whole file. A line of code that
/// only silences is removed entirely.
fn split(line: &str) -> Option<(String, &str, bool)> {
    if line.len() > LONGEST {
        return None;
    }
    match directive(line.trim()) {
        Some(is_whole) => Some((String::new(), line.trim(), is_whole)),
        None => without_comment(line, &OPENERS, &|_, text| silences(text)),
    }
}

/// The same as [`split`] for comments behind old code, whatever they say: a checker of the project itself has its own words. An honest
/// verify depends on such a comment if it requires documentation; then several comments say different things. Returns
/// them by the indices of their lines. A comment on a line of its own is often a licence or documentation, so it counts only by its
/// words, in [`split`].
fn appended<'l>(
    path: &Path,
    lines: &[&'l str],
    old: &HashSet<&str>,
    is_changed: &dyn Fn(usize) -> bool,
) -> HashMap<usize, (String, &'l str, bool)> {
    let inside = inside_texts(path, lines);
    let mut found = HashMap::new();
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| is_changed(at + 1) && !inside[*at]) {
        if line.len() <= LONGEST && split(line).is_none() {
            found.extend(behind_old(path, line, old).map(|comment| (at, comment)));
        }
    }
    let words: HashSet<String> = found.values().map(|(_, text, _)| known_by(text)).collect();
    if found.len() > 1 && words.len() == found.len() {
        found.clear();
    }
    found
}

/// The word by which a checker may know a comment, in lower case: `house` of `# house: let it be`. Of a sentence, all of it.
fn known_by(comment: &str) -> String {
    let text = comment.trim_start_matches(['#', '/', '*', ' ']).trim_end_matches(['*', '/', ' ']);
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(text.len());
    let is_word = text[end..].starts_with([':', '(', '[', '=', ',']);
    if is_word { text[..end].to_lowercase() } else { text.to_lowercase() }
}

/// The same as [`split`] for a comment behind old code. Type comments are code, and a brace or `#endif` is none.
fn behind_old<'l>(path: &Path, line: &'l str, old: &HashSet<&str>) -> Option<(String, &'l str, bool)> {
    without_comment(line, openers(path), &|before, text| {
        let code = before.trim();
        let is_code = code.contains(char::is_alphanumeric) && !code.starts_with('#');
        let comment = &line[before.len()..];
        let is_documentation = DOCUMENTATION.iter().any(|begin| comment.starts_with(begin));
        (is_code && old.contains(code) && !is_documentation && !text.trim_start().starts_with("type:")).then_some(false)
    })
}

/// For each line, whether it begins inside a text of several lines, in Python and JavaScript.
fn inside_texts(path: &Path, lines: &[&str]) -> Vec<bool> {
    let quotes: &[&str] = match Language::of(&path.to_string_lossy(), b"") {
        Some(Language::Python) => &["\"\"\"", "\'\'\'"],
        Some(Language::JavaScript) => &["`"],
        _ => &[],
    };
    let mut open: Option<&str> = None;
    let begins_inside = |line: &&str| {
        let is_inside = open.is_some();
        let mut rest = *line;
        loop {
            let next = match open {
                Some(quote) => rest.find(quote).map(|at| (at, quote)),
                None => quotes.iter().filter_map(|quote| Some((rest.find(quote)?, *quote))).min(),
            };
            let Some((at, quote)) = next else { return is_inside };
            rest = &rest[at + quote.len()..];
            open = if open.is_some() { None } else { Some(quote) };
        }
    };
    lines.iter().map(begins_inside).collect()
}

/// The openers of comments behind code in a language. `//` divides in Python, `--` counts in C.
fn openers(path: &Path) -> &'static [&'static str] {
    match path.extension().and_then(OsStr::to_str) {
        Some(ending) if HASH.contains(&ending) => &["#"],
        Some(ending) if OTHER.contains(&ending) => &[],
        _ => &["//", "/*"],
    }
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

/// Returns a line without the first comment for which `is_whole` has an answer, the comment, and the answer. The arguments of
/// `is_whole` are the code before the comment and the text of the comment.
fn without_comment<'l>(
    line: &'l str,
    openers: &[&str],
    is_whole: &dyn Fn(&str, &str) -> Option<bool>,
) -> Option<(String, &'l str, bool)> {
    for (at, _) in line.char_indices() {
        let Some(opener) = openers.iter().find(|opener| line[at..].starts_with(*opener)) else { continue };
        let before = &line[..at];
        // Skips an opener inside a string.
        if ['"', '\'', '`'].iter().any(|quote| before.matches(*quote).count() % 2 == 1) {
            continue;
        }
        let Some(is_whole) = is_whole(before, &line[at + opener.len()..]) else { continue };
        let close = match *opener {
            "/*" => "*/",
            "<!--" => "-->",
            _ => "",
        };
        let begin = at + opener.len();
        let end = match line[begin..].find(close) {
            Some(_) if close.is_empty() => line.len(),
            Some(end) => begin + end + close.len(),
            // The block goes on in the next line, so an empty one must stay open.
            None if before.trim().is_empty() => return Some((line[..begin].to_owned(), &line[at..], is_whole)),
            None => continue,
        };
        let rest = format!("{}{}", before.trim_end(), &line[end..]);
        let is_whole = is_whole && rest.trim().is_empty();
        return Some((rest, &line[at..end], is_whole));
    }
    None
}

/// `Some` if a line of code silences a compiler, a linter or warnings; the value says whether it does so for the whole file.
fn directive(line: &str) -> Option<bool> {
    let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let is_whole_line = || {
        let count = |one: char| plain.matches(one).count();
        count('(') == count(')') && count('{') == count('}') && (plain.ends_with(';') || plain.ends_with('}'))
    };
    DIRECTIVES
        .iter()
        .find_map(|directive| {
            let begin = directive.trim_end_matches('*');
            plain.starts_with(begin).then(|| directive.ends_with('*'))
        })
        .or_else(|| SWITCHES.iter().any(|switch| plain.starts_with(switch) && is_whole_line()).then_some(true))
}

/// `Some` if the text of a comment silences a checker; the value says whether it does so for the whole file.
fn silences(text: &str) -> Option<bool> {
    let text = text.trim_start_matches(['*', '!', '#', '/', ':']).trim_start().to_lowercase();
    for mark in MARKS {
        let word = mark.trim_end_matches('*');
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if text.strip_prefix(word).is_some_and(|rest| word.ends_with(' ') || !rest.starts_with(goes_on)) {
            return Some(mark.ends_with('*'));
        }
    }
    let end = text.find([':', '-'])?;
    let is_name = !text[..end].is_empty() && text[..end].chars().all(|c| c.is_alphanumeric() || c == '_');
    let said = text[end + 1..].trim();
    // In an ordinary sentence, another word follows.
    let is_verb = |verb: &str| {
        said.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '[', '(', '=', '*']))
    };
    (is_name && VERBS.iter().any(|verb| is_verb(verb))).then_some(false)
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
