//! Searches the text of a goal for files and words. Some rows allow what the subject or a criterion of the goal asks for.

use std::path::Path;

use crate::plan::model::GoalRef;
use crate::shell::quote;

/// Returns the subject and the criteria of a goal.
pub(crate) fn of(goal: GoalRef<'_, '_>) -> Vec<String> {
    let criteria = goal.criteria().into_iter().map(std::borrow::Cow::into_owned);
    std::iter::once(goal.subject().to_owned()).chain(criteria).collect()
}

/// Whether one sentence names the file, by its path or its name, and contains `word` (in lower case).
pub(super) fn names(said: &[String], path: &Path, word: &str) -> bool {
    let whole = path.to_string_lossy().to_lowercase();
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let is_split = whole.contains([' ', '(', ')', ',']);
    let is_end = |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?');
    said.iter().map(|sentence| sentence.to_lowercase()).any(|sentence| {
        let words = sentence.split(|c: char| c.is_whitespace() || matches!(c, '`' | '\'' | '"' | '(' | ')' | ','));
        let mut words = words.map(|word| word.trim_end_matches(is_end));
        let mut has_path = || words.any(|word| word == whole || word == name) || is_split && sentence.contains(&whole);
        sentence.contains(word) && has_path()
    })
}

/// Whether a word of the goal's text begins with one of these words (in lower case).
pub(super) fn speaks_of(said: &[String], words: &[&str]) -> bool {
    let said = said.join("\n").to_lowercase();
    said.split(|c: char| !c.is_alphanumeric()).any(|word| words.iter().any(|begin| word.starts_with(begin)))
}

/// Returns the command that adds a criterion to the goal, in backticks.
pub(super) fn command(goal: &str, criterion: &str) -> String {
    format!("`plan goal set {goal} --add-done-when {}`", quote(criterion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_a_file_by_its_path_or_its_name() {
        let named = |said: &str, path: &str| names(&[said.to_owned()], Path::new(path), "");
        for (said, path) in [
            ("Add a rule to .flake8", ".flake8"),
            ("`mypy.ini` is strict.", "mypy.ini"),
            ("tools/Lint.json, tools/b.json are changed", "tools/lint.json"),
            ("The list (known.txt) is empty", "data/known.txt"),
        ] {
            assert!(named(said, path), "{said}: {path}");
        }
        for (said, path) in [("mypy is green", "mypy.ini"), ("flake8 passes", ".flake8"), ("a/known.txt", "known.txt")]
        {
            assert!(!named(said, path), "{said}: {path}");
        }
        assert!(!names(&["a.py is right".to_owned()], Path::new("a.py"), "suppress"));
    }
}
