//! A tree: every file of the work tree that git does not ignore, by path, mode and blob id; and the tree's own id.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::RepoError;
use super::hides::Flagged;
use super::id::{Format, ObjectId, object_id};
use super::index::{Stat, Time};

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A file.
    File,
    /// A file that its owner may execute.
    Executable,
    /// A symbolic link; its blob is the text of the link.
    Link,
    /// A submodule; its id is a commit of another repository.
    Submodule,
}

impl Mode {
    /// As a tree object has it.
    pub const fn octal(self) -> &'static str {
        match self {
            Mode::File => "100644",
            Mode::Executable => "100755",
            Mode::Link => "120000",
            Mode::Submodule => "160000",
        }
    }

    /// The mode that git's number means; old repositories have more of them than these.
    pub(super) const fn from_bits(bits: u32) -> Option<Self> {
        match (bits & 0o170_000, bits & 0o100) {
            (0o100_000, 0) => Some(Mode::File),
            (0o100_000, _) => Some(Mode::Executable),
            (0o120_000, _) => Some(Mode::Link),
            (0o160_000, _) => Some(Mode::Submodule),
            _ => None,
        }
    }
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Relative to the top of the work tree; any bytes but NUL.
    pub path: PathBuf,
    /// What it is.
    pub mode: Mode,
    /// Its blob; a submodule's commit.
    pub id: ObjectId,
    /// It is in the index.
    pub tracked: bool,
    /// Its content was read just now, so its blob may not be stored yet.
    pub(super) read: bool,
    /// The file's numbers when it was looked at; none where it is not on the disk.
    pub(super) stat: Option<Stat>,
}

impl Entry {
    /// It was looked at on the disk; an entry of a stored tree was not.
    pub fn is_on_disk(&self) -> bool {
        self.stat.is_some()
    }
}

/// Something that git would not take into a tree, or that could not be read: named, so that it is not overlooked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// Why it is not in the tree.
    pub reason: Reason,
}

/// Why something is not in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A repository of its own that is no submodule.
    Nested,
    /// A pipe, socket or device in place of a tracked file.
    Special,
    /// The system does not let us read it.
    Unreadable,
}

/// A submodule, named and looked at, but no part of the tree's digest (`SIGNOFF.md` §1.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submodule {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// Its files are not those of its commit.
    pub dirty: bool,
    /// What its files are, where it could be told.
    pub tree: Option<ObjectId>,
}

/// The work tree at one moment: tracked and untracked, not ignored files, without the plan file.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The id that git would give it, whether or not it is stored.
    pub id: ObjectId,
    /// Sorted by the bytes of their paths.
    pub entries: Vec<Entry>,
    /// The commit at HEAD; none on a branch without commits.
    pub head: Option<ObjectId>,
    /// It is HEAD's tree, plan file aside.
    pub clean_commit: bool,
    /// Every submodule that is checked out.
    pub submodules: Vec<Submodule>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// Index entries that tell git to look away from the disk.
    pub flagged: Vec<Flagged>,
    /// Paths that are in conflict in the index.
    pub conflicted: Vec<PathBuf>,
    /// A digest of what the index holds, the plan file aside: entries and flags, no stat data.
    pub(super) index: String,
    /// When the taking began.
    pub(super) taken: Time,
}

impl Tree {
    /// Submodules whose files are not those of their commit: named, not digested.
    pub fn dirty_submodules(&self) -> impl Iterator<Item = &Path> {
        self.submodules.iter().filter(|submodule| submodule.dirty).map(|submodule| submodule.path.as_path())
    }

    /// The entry at `path`, relative to the top.
    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        find(&self.entries, path)
    }
}

/// The entry at `path` among sorted entries.
pub(super) fn find<'a>(entries: &'a [Entry], path: &Path) -> Option<&'a Entry> {
    let bytes = path.as_os_str().as_bytes();
    let index = entries.binary_search_by(|entry| entry.path.as_os_str().as_bytes().cmp(bytes)).ok()?;
    entries.get(index)
}

/// Sorts as git sorts an index, which is also the order that [`build`] needs.
pub(super) fn sort(entries: &mut [Entry]) {
    entries.sort_unstable_by(|a, b| a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes()));
}

/// One line of a tree object.
pub(super) struct TreeLine<'a> {
    pub(super) octal: &'static str,
    pub(super) name: &'a [u8],
    pub(super) id: ObjectId,
}

/// Computes the id of the tree of sorted `entries`, and hands every tree object in it to `each` with its id, innermost first.
pub(super) fn build(
    format: Format,
    entries: &[Entry],
    each: &mut impl FnMut(ObjectId, &[TreeLine<'_>]),
) -> Result<ObjectId, RepoError> {
    folder(format, entries, 0, each)
}

/// The tree of the entries that share the first `depth` bytes of their paths.
fn folder(
    format: Format,
    mut entries: &[Entry],
    depth: usize,
    each: &mut impl FnMut(ObjectId, &[TreeLine<'_>]),
) -> Result<ObjectId, RepoError> {
    let mut lines: Vec<TreeLine<'_>> = Vec::new();
    while let Some(first) = entries.first() {
        let rest = &first.path.as_os_str().as_bytes()[depth..];
        let (line, count) = match rest.iter().position(|byte| *byte == b'/') {
            None => (TreeLine { octal: first.mode.octal(), name: rest, id: first.id }, 1),
            Some(slash) => {
                let prefix = &first.path.as_os_str().as_bytes()[..=depth + slash];
                let count = entries.partition_point(|entry| entry.path.as_os_str().as_bytes().starts_with(prefix));
                let id = folder(format, &entries[..count], prefix.len(), each)?;
                (TreeLine { octal: "40000", name: &rest[..slash], id }, count)
            }
        };
        // Between a file `a` and the files below a folder `a` only names that begin with `a` can stand.
        if lines.iter().rev().take_while(|other| other.name.starts_with(line.name)).any(|other| other.name == line.name)
        {
            return Err(RepoError::Twice { path: first.path.clone() });
        }
        lines.push(line);
        entries = &entries[count..];
    }
    let id = object_id(format, "tree", &object(&lines));
    each(id, &lines);
    Ok(id)
}

fn object(lines: &[TreeLine<'_>]) -> Vec<u8> {
    let mut object = Vec::with_capacity(lines.len() * 48);
    for line in lines {
        object.extend_from_slice(line.octal.as_bytes());
        object.push(b' ');
        object.extend_from_slice(line.name);
        object.push(0);
        object.extend_from_slice(line.id.as_bytes());
    }
    object
}
