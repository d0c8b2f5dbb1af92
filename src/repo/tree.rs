//! A tree: every file of the work tree that git does not ignore, with path, mode and blob id; and the tree's own id.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::RepoError;
use super::id::{Format, ObjectId, object_id};
use super::index::{Flagged, Stat, Time};

/// The mode of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A regular file.
    File,
    /// A file that its owner may execute.
    Executable,
    /// A symbolic link; its blob is the text of the link.
    Link,
    /// A submodule; its id is a commit of another repository.
    Submodule,
}

impl Mode {
    /// The octal mode in a tree object.
    pub const fn octal(self) -> &'static str {
        match self {
            Mode::File => "100644",
            Mode::Executable => "100755",
            Mode::Link => "120000",
            Mode::Submodule => "160000",
        }
    }

    /// Converts git's number. Other file modes of old repositories are mapped to these.
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
pub struct TreeEntry {
    /// Relative to the top of the work tree; any bytes except NUL.
    pub path: PathBuf,
    /// Its mode.
    pub mode: Mode,
    /// Its blob, or the commit of a submodule.
    pub id: ObjectId,
    /// Whether it is in the index.
    pub tracked: bool,
    /// Whether its content was read just now, so that its blob may not be stored yet.
    pub(super) read: bool,
    /// Its stat data; `None` if it is not on disk.
    pub(super) stat: Option<Stat>,
}

impl TreeEntry {
    /// Whether it was read from disk; an entry of a stored tree was not.
    pub fn is_on_disk(&self) -> bool {
        self.stat.is_some()
    }

    /// Whether both were read from the same file, under any name.
    pub fn is_same_file(&self, other: &TreeEntry) -> bool {
        self.stat.is_some() && self.stat == other.stat
    }
}

/// A path that git would not take into a tree, or that could not be read. It is reported, so that nobody overlooks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// The reason why it is not in the tree.
    pub reason: Reason,
}

/// The reason why a path is not in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A separate repository that is not a submodule.
    Nested,
    /// A pipe, socket or device in the place of a tracked file.
    Special,
    /// The system denies access.
    Unreadable,
    /// The file is larger than the limit of a raw tree.
    TooLarge,
}

impl Reason {
    /// The reason in words for a single file; `None` for another repository.
    pub const fn of_file(self) -> Option<&'static str> {
        match self {
            Reason::TooLarge => Some("too large"),
            Reason::Special => Some("no regular file"),
            Reason::Unreadable => Some("unreadable"),
            Reason::Nested => None,
        }
    }
}

/// A submodule. It is reported, but its files are not part of the tree's digest (`SIGNOFF.md` §1.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submodule {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// Whether its files differ from its commit.
    pub dirty: bool,
    /// The id of its files, if known.
    pub tree: Option<ObjectId>,
}

/// The work tree at one moment: tracked files and untracked files that git does not ignore, without the plan file.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The id that git would give it, stored or not.
    pub id: ObjectId,
    /// Sorted by the bytes of the paths.
    pub entries: Vec<TreeEntry>,
    /// The commit at HEAD; `None` on a branch without commits.
    pub head: Option<ObjectId>,
    /// Whether it equals HEAD's tree, apart from the plan file.
    pub clean_commit: bool,
    /// Every submodule that is checked out or has files.
    pub submodules: Vec<Submodule>,
    /// Paths that were left out.
    pub skipped: Vec<Skipped>,
    /// Index entries with a flag that hides changes on disk.
    pub flagged: Vec<Flagged>,
    /// Paths with conflicts in the index.
    pub conflicted: Vec<PathBuf>,
    /// Excluded paths that git does not ignore.
    pub(super) left_out: Vec<PathBuf>,
    /// A digest of the index without the plan file: entries and flags, no stat data.
    pub(super) index: String,
    /// When the snapshot began.
    pub(super) taken: Time,
}

impl Tree {
    /// Submodules whose files differ from their commit; they are reported, not digested.
    pub fn dirty_submodules(&self) -> impl Iterator<Item = &Path> {
        self.submodules.iter().filter(|submodule| submodule.dirty).map(|submodule| submodule.path.as_path())
    }

    /// Whether git ignores neither the file at `path` (relative to the top) nor a folder above it. The file may be excluded here.
    pub fn is_listed(&self, path: &Path) -> bool {
        self.entry(path).is_some() || self.left_out.iter().any(|left| left == path)
    }

    /// The entry at `path`, relative to the top.
    pub fn entry(&self, path: &Path) -> Option<&TreeEntry> {
        find(&self.entries, path)
    }
}

/// The entry at `path` among sorted entries.
pub fn find<'a>(entries: &'a [TreeEntry], path: &Path) -> Option<&'a TreeEntry> {
    let bytes = path.as_os_str().as_bytes();
    let index = entries.binary_search_by(|entry| entry.path.as_os_str().as_bytes().cmp(bytes)).ok()?;
    entries.get(index)
}

/// Sorts entries as git sorts an index; trees are built in this order.
pub fn sort(entries: &mut [TreeEntry]) {
    entries.sort_unstable_by(|a, b| a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes()));
}

/// One line of a tree object.
pub(super) struct TreeLine<'a> {
    pub(super) octal: &'static str,
    pub(super) name: &'a [u8],
    pub(super) id: ObjectId,
}

/// Computes the id of the tree of sorted `entries`. Passes every tree object to `each` with its id, innermost first.
pub(super) fn build(
    format: Format,
    entries: &[TreeEntry],
    each: &mut impl FnMut(ObjectId, &[TreeLine<'_>]),
) -> Result<ObjectId, RepoError> {
    folder(format, entries, 0, each)
}

/// The tree of the entries that share the first `depth` bytes of their paths.
fn folder(
    format: Format,
    mut entries: &[TreeEntry],
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
        // Between a file `a` and the files below a folder `a`, there are only names that begin with `a`.
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
