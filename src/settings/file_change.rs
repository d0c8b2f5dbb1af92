//! The planned change of one settings file.

use std::path::PathBuf;

use super::disk::SettingsFile;
use super::edit::Edit;
use super::entries::Preexisting;

/// The planned change of one file.
#[derive(Debug)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// The kind of change.
    pub outcome: FileOutcome,
    /// The text of the file afterwards; `None` if there is no file.
    pub after: Option<String>,
    /// True if an uninstall leaves an entry that calls `plan`, because it existed before the install.
    pub keeps: bool,
    /// Copies from before `--remove-comments` whose comments are not in the file afterwards: these copies stay.
    pub copies: Vec<PathBuf>,
    /// The other copies of the file: an uninstall removes them.
    pub(super) spent: Vec<PathBuf>,
    pub(super) found: SettingsFile,
    pub(super) piece: PathBuf,
    pub(super) edits: Vec<Edit>,
    /// True if some edits remove text that is not ours, such as comments.
    pub(super) removes: bool,
    /// True if the file had no entries of `plan`.
    pub(super) fresh: bool,
    pub(super) kept: Preexisting,
}

impl FileChange {
    /// Creates a change in which every other field has its default.
    pub(super) fn new(
        path: PathBuf,
        piece: PathBuf,
        found: SettingsFile,
        outcome: FileOutcome,
        after: Option<String>,
    ) -> Self {
        let (copies, spent, edits, kept) = (Vec::new(), Vec::new(), Vec::new(), Preexisting::default());
        let (keeps, removes, fresh) = (false, false, false);
        FileChange { path, outcome, after, keeps, copies, spent, found, piece, edits, removes, fresh, kept }
    }

    /// Returns the text of the file before; `None` if there was no file.
    pub fn before(&self) -> Option<&str> {
        self.found.text.as_deref()
    }
}

/// The kind of change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOutcome {
    /// The file is created.
    Created,
    /// The file is changed.
    Changed,
    /// The file stays as it is.
    Unchanged,
    /// The file is removed.
    Removed,
    /// The file is ours, but it was edited or another version wrote it: it stays.
    Edited,
}

impl FileOutcome {
    /// Returns the word for this kind of change.
    pub const fn word(self) -> &'static str {
        match self {
            FileOutcome::Created => "created",
            FileOutcome::Changed => "changed",
            FileOutcome::Unchanged => "unchanged",
            FileOutcome::Removed => "removed",
            FileOutcome::Edited => "edited",
        }
    }

    /// Returns true if the file is written or removed.
    pub(super) const fn is_change(self) -> bool {
        matches!(self, FileOutcome::Created | FileOutcome::Changed | FileOutcome::Removed)
    }
}
