//! The source files that the output of a run mentions together with a line number.

use std::path::{Path, PathBuf};

use crate::gate::canary_survived::start;
use crate::gate::full::candidate::Candidate;
use crate::lang::is_made;
use crate::repo::export::Layout;

/// How many names are read from one output.
const MOST: usize = 2000;

/// Returns the source files of a layout that `output` mentions, in its order. Ignores a name that fits several files.
pub(super) fn files(candidate: &Candidate<'_>, layout: &Layout, folder: &Path, output: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for name in output.lines().flat_map(names).take(MOST) {
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let path = file(candidate, layout, folder, name);
        found.extend(path.filter(|path| candidate.is_source(path) && !is_made(path) && !found.contains(path)));
    }
    found
}

fn file(candidate: &Candidate<'_>, layout: &Layout, folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name.strip_prefix("file://").unwrap_or(name));
    let path = if path.is_absolute() { path.strip_prefix(folder).ok()? } else { path };
    start::file(candidate, layout, path, None)
}

/// Finds files: `a/b.py:3`, `File "a/b.py", line 3`, `a/b.ts(3,5)`, `at f (file:///a/b.js:3:5)`, `a/b.sh: 3: x: not found`.
fn names(line: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',');
    let begins_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mut found = Vec::new();
    let mut start = 0;
    for (end, _) in line.match_indices(is_end).chain([(line.len(), "")]) {
        let (word, rest) = (&line[start..end], &line[end..]);
        start = end + rest.chars().next().map_or(0, char::len_utf8);
        let is_said = rest.strip_prefix("\", line ").or_else(|| rest.strip_prefix('(')).is_some_and(begins_number);
        let scheme = if word.starts_with("file://") { "file:".len() } else { 0 };
        let cut = word[scheme..].find(':').map(|at| (&word[..scheme + at], &word[scheme + at + 1..]));
        let name = match cut {
            Some((path, "")) => {
                let number = rest.strip_prefix(" line ").or_else(|| rest.strip_prefix(' ')).unwrap_or_default();
                let end = number.trim_start_matches(|c: char| c.is_ascii_digit());
                (end.len() < number.len() && end.starts_with(':')).then_some(path)
            }
            Some((path, number)) => begins_number(number).then_some(path),
            None => is_said.then_some(word),
        };
        found.extend(name.filter(|name| Path::new(name).extension().is_some()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_file_is_named_by_a_line_in_it() {
        for (line, name) in [
            ("  File \"/x/shop/parse.py\", line 3, in total", "/x/shop/parse.py"),
            ("shop/parse.py:3: ValueError", "shop/parse.py"),
            ("    at total (file:///x/lib/parse.js:3:9)", "file:///x/lib/parse.js"),
            ("    at total (/x/lib/parse.js:3:9)", "/x/lib/parse.js"),
            ("src/a.ts(3,5): error TS2322: no", "src/a.ts"),
            ("thread 'a' (7) panicked at src/lib.rs:3:5:", "src/lib.rs"),
            ("\t/x/price.go:7 +0x1d", "/x/price.go"),
            ("./lib/off.sh: 3: bc: not found", "./lib/off.sh"),
            ("lib/off.sh: line 3: bc: command not found", "lib/off.sh"),
        ] {
            assert_eq!(names(line), [name], "{line}");
        }
        for line in [
            "ok  shop/parse.py", "shop/parse.py: ok", "12:30:05 a.b", "see a.py, line 3", "a.sh: 3 lines",
            "localhost:8080",
        ] {
            assert_eq!(names(line), [""; 0], "{line}");
        }
    }
}
