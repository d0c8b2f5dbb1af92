//! Finds new comments behind old lines of code.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use super::split::{LONGEST, split, without_comment};
use crate::mutate::Language;

/// The extensions of sources whose comments begin with `#`.
const HASH: [&str; 13] = ["py", "pyi", "rb", "sh", "bash", "zsh", "pl", "pm", "r", "jl", "nim", "ex", "exs"];
/// The extensions of sources in which none of `//`, `/*` and `#` begins a comment.
const OTHER: [&str; 3] = ["lua", "hs", "erl"];
/// The beginnings of comments that document the code before them, in C.
const DOCUMENTATION: [&str; 4] = ["///<", "//!<", "/**<", "/*!<"];

/// The same as [`split`] for comments behind old code, whatever they say: a checker of the project itself has its own words. An honest
/// verify depends on such a comment if it requires documentation; then several comments say different things. Returns
/// them by the indices of their lines. A comment on a line of its own is often a licence or documentation, so it counts only by its
/// words, in [`split`].
pub(super) fn appended<'l>(
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
        Some(Language::Python) => &["\"\"\"", "'''"],
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
pub(super) fn openers(path: &Path) -> &'static [&'static str] {
    match path.extension().and_then(OsStr::to_str) {
        Some(ending) if HASH.contains(&ending) => &["#"],
        Some(ending) if OTHER.contains(&ending) => &[],
        _ => &["//", "/*"],
    }
}
