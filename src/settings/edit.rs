//! Edits of a text as data, so that each can be shown, applied and undone.

use serde::{Deserialize, Serialize};

/// Replaces one piece of a text with another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The position in bytes, in the text after the earlier edits.
    pub at: usize,
    /// The old piece. Most of our edits only insert, so it is usually empty, and a record holds nothing of the file.
    pub old: String,
    /// The new piece.
    pub new: String,
}

/// Applies `edits` to `text` in order. `None` if one does not fit.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    edits.iter().try_fold(text.to_owned(), |text, edit| replace(&text, edit.at, &edit.old, &edit.new))
}

/// Returns the text from which [`apply`] made `text`.
pub fn undo(text: &str, edits: &[Edit]) -> Option<String> {
    edits.iter().rev().try_fold(text.to_owned(), |text, edit| replace(&text, edit.at, &edit.new, &edit.old))
}

fn replace(text: &str, at: usize, old: &str, new: &str) -> Option<String> {
    let (front, rest) = text.split_at_checked(at)?;
    Some([front, new, rest.strip_prefix(old)?].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_applied_can_be_taken_back_and_nothing_else() {
        let edits =
            [Edit { at: 1, old: String::new(), new: "xy".into() }, Edit { at: 3, old: "b".into(), new: "é".into() }];
        let text = apply("abc", &edits).unwrap();
        assert_eq!(text, "axyéc");
        assert_eq!(undo(&text, &edits).as_deref(), Some("abc"));
        assert_eq!((undo("axyzc", &edits), undo("é", &edits), apply("", &edits)), (None, None, None));
    }
}
