//! All access to git (`SIGNOFF.md` §1.4, §5, §7, §8; `FORMAT.md` §4).
//!
//! This room calls the git program only with plumbing commands that compare no contents; `plan` reads and hashes the
//! files itself. So nothing that a repository configures (hooks, filters, fsmonitor, pagers, text conversions) can run,
//! and a [`Tree`] describes what is on disk.

mod age;
pub mod attributes;
pub mod audit_job;
mod batch;
mod beneath;
mod blobs;
mod busy;
mod compare;
mod disk;
mod error;
pub mod evidence;
pub mod export;
mod fingerprint;
mod git;
mod hides;
mod id;
mod ignore_rules;
mod ignored;
mod index;
mod kept_trees;
mod last_change;
pub mod merge_driver;
mod merge_file;
mod open;
mod raw;
mod reader;
mod ref_files;
mod refs;
mod restore;
mod revision;
mod settings;
mod snapshot;
mod store;
mod submodule;
mod transfer;
mod tree;

use std::path::{Path, PathBuf};

pub use busy::Busy;
pub use compare::{Changed, PathChange, changes, tracked_changes};
pub use export::is_plain_name;
pub use fingerprint::{Difference, Fingerprint};
pub use hides::Hide;
pub use id::{Format, ObjectId};
pub use ignored::{ANY, Ignored, ignoring};
pub use index::{Flag, Flagged};
pub use kept_trees::{KeepOutcome, KeptTree, KeptTreeLimits, LeftOut};
pub use merge_file::{MergePart, merge_file};
pub use raw::{RawEntry, RawLimits, RawTree};
pub use reader::KeptOpen;
pub use refs::Written;
pub use restore::{FileWrite, ModeChange, Restoration, above};
pub use settings::{MERGE_VERB, Settings, check_git, conflict_style, user_name};
pub use transfer::Transfer;
pub use tree::{Mode, Reason, Skipped, Submodule, Tree, TreeEntry, find as find_entry, sort as sort_entries};

/// A repository with a work tree, and the git program to call.
#[derive(Clone, Debug)]
pub struct Repo {
    program: PathBuf,
    top: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    format: Format,
    reader: reader::Reader,
}

impl Repo {
    /// The top of the work tree: absolute, links resolved. Paths in a [`Tree`] are relative to it.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The work tree's own git folder.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git folder that linked work trees share; otherwise the same as [`Repo::git_dir`].
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The hash of this repository's object ids.
    pub fn format(&self) -> Format {
        self.format
    }
}
