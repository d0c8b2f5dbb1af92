//! Changes of a text as data, so that each can be shown, applied and taken back.

use serde::{Deserialize, Serialize};

/// One piece of a text that another takes the place of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Where, in bytes of the text that the edits before this one left.
    pub at: usize,
    /// What stood there; empty for nearly every edit of ours, so that a record of them holds nothing of the file.
    pub old: String,
    /// What stands there now.
    pub new: String,
}

/// `text` after `edits`, one after the other. None where one does not fit.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    edits.iter().try_fold(text.to_owned(), |text, edit| replace(&text, edit.at, &edit.old, &edit.new))
}

/// What [`apply`] made `text` from.
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
