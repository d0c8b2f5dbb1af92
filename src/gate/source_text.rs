//! Names, words and lines in the text of sources, and words in their paths.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::Path;

/// Whether a character may be part of a name, in most languages.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_name)
}

/// Returns the words of a line that may be names, each with its position.
pub(super) fn names(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split(|c| !is_of_name(c)).scan(0, |next, name| {
        let start = *next;
        *next = start + name.len();
        *next += line[*next..].chars().next().map_or(0, char::len_utf8);
        Some((start, name))
    })
}

/// Returns the positions of a word in a text, except inside longer words. Words consist of the characters for which `is_part` is true.
pub(super) fn whole_words<'t>(
    text: &'t str,
    word: &'t str,
    is_part: impl Fn(char) -> bool + Copy + 't,
) -> impl Iterator<Item = usize> + 't {
    let is_whole = move |at: &usize| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part);
    text.match_indices(word).map(|(at, _)| at).filter(is_whole)
}

/// Whether a path contains one of these words between separators.
pub(super) fn has_word(path: &Path, list: &[&str]) -> bool {
    let path = path.to_string_lossy().to_lowercase();
    path.split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word))
}

/// The white space at the beginning of a line, in bytes.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns how often each item occurs.
pub(super) fn counts<T: Eq + Hash>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}
