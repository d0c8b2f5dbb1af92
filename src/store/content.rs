//! The new content of a write: edits or a whole file.

use std::io::{self, Write};

use crate::plan::edit::Edit;

/// New content, based on the old content.
pub(super) enum Content {
    /// The old bytes, with edits.
    Edits(Vec<Edit>),
    /// Entirely new bytes.
    Whole(Vec<u8>),
}

impl Content {
    /// Sorts the edits by place; edits at the same place keep their order.
    pub(super) fn edits(mut edits: Vec<Edit>) -> Self {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Content::Edits(edits)
    }

    /// Whether the write would leave the file unchanged.
    pub(super) fn is_same(&self, source: &[u8]) -> bool {
        match self {
            Content::Edits(edits) => {
                edits.iter().all(|edit| source.get(edit.range.clone()).is_some_and(|old| old == edit.text))
            }
            Content::Whole(bytes) => bytes == source,
        }
    }

    /// Returns the fault of the edits, if there is one: they reach out of the source, or overlap.
    pub(super) fn fault(&self, source: &[u8]) -> Option<&'static str> {
        let Content::Edits(edits) = self else { return None };
        let mut at = 0;
        for edit in edits {
            if edit.range.start < at {
                return Some("has edits that overlap");
            }
            if edit.range.end < edit.range.start || edit.range.end > source.len() {
                return Some("reaches out of the file");
            }
            at = edit.range.end;
        }
        None
    }

    /// Writes the result in one forward copy, without a second copy of the file in memory.
    pub(super) fn write(&self, source: &[u8], to: &mut impl Write) -> io::Result<()> {
        let edits = match self {
            Content::Whole(bytes) => return to.write_all(bytes),
            Content::Edits(edits) => edits,
        };
        let part = |range| source.get(range).ok_or(io::ErrorKind::InvalidInput);
        let mut at = 0;
        for edit in edits {
            to.write_all(part(at..edit.range.start)?)?;
            to.write_all(&edit.text)?;
            at = edit.range.end;
        }
        to.write_all(part(at..source.len())?)
    }
}
