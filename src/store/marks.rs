//! Tells whether another version of plan.md already holds a change: its author may have read our version before saving.

use std::collections::HashSet;

use super::content::Content;

/// How much of a change a version holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangePresence {
    Whole,
    Part,
    Nothing,
}

/// The lines that identify a change: the lines that only the new version has; without such lines, the ones that only the old one has.
pub(super) struct Marks {
    lines: Vec<Vec<u8>>,
    are_added: bool,
}

impl Marks {
    /// The marks of the change from `source` to `content`.
    pub(super) fn of(source: &[u8], content: &Content) -> Self {
        let mut result = Vec::new();
        // Writing to a `Vec` cannot fail; edits that do not fit leave no lines to recognise.
        let _ = content.write(source, &mut result);
        let only = |some: &[u8], others: &[u8]| {
            let others = lines(others);
            let mut only: Vec<Vec<u8>> = lines(some).difference(&others).map(|line| line.to_vec()).collect();
            only.sort();
            only
        };
        let added = only(&result, source);
        if added.is_empty() {
            return Marks { lines: only(source, &result), are_added: false };
        }
        Marks { lines: added, are_added: true }
    }

    /// How much of the change `version` holds. A removal is held completely or not at all: a line that someone else removed proves nothing.
    pub(super) fn held_by(&self, version: &[u8]) -> ChangePresence {
        let there = lines(version);
        let held = self.lines.iter().filter(|line| there.contains(line.as_slice()) == self.are_added).count();
        match held {
            0 => ChangePresence::Nothing,
            _ if held == self.lines.len() => ChangePresence::Whole,
            _ if self.are_added => ChangePresence::Part,
            _ => ChangePresence::Nothing,
        }
    }
}

/// The non-empty lines, without the white space at their ends, which editors change.
fn lines(text: &[u8]) -> HashSet<&[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(source: &str, result: &str, version: &str) -> ChangePresence {
        Marks::of(source.as_bytes(), &Content::Whole(result.into())).held_by(version.as_bytes())
    }

    #[test]
    fn a_change_is_known_by_the_lines_that_only_it_has() {
        // `status: open` was there before, so it proves nothing.
        let (old, new) = ("a\nstatus: open\n", "a\nstatus: open\n## Goal: B\nstatus: open\n");
        assert_eq!(held(old, new, "a\nstatus: open\n## Goal: B\r\nstatus: done\r\n"), ChangePresence::Whole);
        assert_eq!(held(old, new, "a\nstatus: open\n## Goal: C\nstatus: open\n"), ChangePresence::Nothing);
        assert_eq!(held("", "one\ntwo\n", "two\nthree\n"), ChangePresence::Part);
    }

    #[test]
    fn a_removal_is_known_by_what_is_gone() {
        assert_eq!(held("a\nb\nc\n", "a\n", "a\nd\n"), ChangePresence::Whole);
        assert_eq!(held("a\nb\nc\n", "a\n", "a\nb\n"), ChangePresence::Nothing);
        assert_eq!(held("a\nb\n", "b\na\n", "b\na\n"), ChangePresence::Nothing, "nothing tells it");
    }
}
