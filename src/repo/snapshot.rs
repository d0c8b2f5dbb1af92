//! Takes a [`Tree`]: reads the files that git knows from the disk, or trusts their ids in the index if that is safe.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use super::age::{is_past, is_same, now};
use super::disk::{PathKind, hash, in_parallel, look, written};
use super::error::{RepoError, RepoResult};
use super::index::{Flag, Flagged, IndexEntry, Stat, Time, parse};
use super::raw::RawLimits;
use super::tree::{Mode, Reason, Skipped, Submodule, Tree, TreeEntry, build, find, sort};
use super::{ObjectId, Repo};
use crate::error::Result;
use crate::store;

/// The maximum length of a path on a disk.
const LONGEST_PATH: usize = 4096;

impl Repo {
    /// Takes the tree of tracked files and of untracked files that git does not ignore. Leaves out `exclude` (the plan
    /// file; relative to the top, or absolute below it) and the temporary files of its writes. Contents are read raw from
    /// the disk. A blob id comes from the index only if the stat data match, the entry is older than the index, and no
    /// flag hides the file. Nothing is stored. Two processes, two more for each submodule (`SIGNOFF.md` §1.4).
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails, `Changed` if a file keeps changing.
    pub fn tree(&self, exclude: &[&Path]) -> Result<Tree> {
        Ok(self.tree_at(&self.relatives(exclude)?, 0, None)?)
    }

    /// Takes a later [`Repo::tree`]. Detects changed files by comparing with `before`, and reads only those. The index is not
    /// trusted, because whoever changed a file can also rewrite the index.
    pub fn tree_since(&self, exclude: &[&Path], before: &Tree) -> Result<Tree> {
        Ok(self.tree_at(&self.relatives(exclude)?, 0, Some(before))?)
    }

    pub(super) fn tree_at(&self, exclude: &[PathBuf], depth: usize, before: Option<&Tree>) -> RepoResult<Tree> {
        let mut tree = self.snapshot(exclude, depth, before, None)?;
        self.add_head(&mut tree, exclude)?;
        Ok(tree)
    }

    /// Like [`Repo::tree`] without HEAD, for [`Repo::tree_since`] to compare with. One process.
    pub fn files(&self, exclude: &[&Path]) -> Result<Tree> {
        Ok(self.snapshot(&self.relatives(exclude)?, 0, None, None)?)
    }

    /// Adds the current HEAD to a tree of [`Repo::files`]. Two processes.
    pub fn at_head(&self, tree: &Tree, exclude: &[&Path]) -> Result<Tree> {
        let mut tree = tree.clone();
        self.add_head(&mut tree, &self.relatives(exclude)?)?;
        Ok(tree)
    }

    fn add_head(&self, tree: &mut Tree, exclude: &[PathBuf]) -> RepoResult<()> {
        let _open = self.keep_open();
        if let Some(head) = self.head_and_tree()? {
            tree.head = Some(head.commit);
            tree.clean_commit = self.is_tree_of_head(tree, head.tree, exclude)?;
        }
        Ok(())
    }

    /// Takes everything except HEAD; with limits, a raw tree ([`Repo::raw`]). One process.
    pub(super) fn snapshot(
        &self,
        exclude: &[PathBuf],
        depth: usize,
        before: Option<&Tree>,
        raw: Option<RawLimits>,
    ) -> RepoResult<Tree> {
        let taken = now();
        // Taken before the listing. If the index is replaced meanwhile, more entries seem too fresh to trust, which does no harm.
        let index_written = written(&self.git_dir.join("index"));
        let bytes = self.list_files()?;
        let listed = parse(&bytes)?;
        let mut builder = SnapshotBuilder {
            repo: self,
            exclude,
            depth,
            index_written,
            taken,
            before,
            raw,
            sparse: None,
            folders: HashMap::new(),
            entries: Vec::new(),
            to_read: Vec::new(),
            submodules: Vec::new(),
            skipped: Vec::new(),
            flagged: Vec::new(),
            conflicted: Vec::new(),
            left_out: Vec::new(),
            index: Sha256::new(),
        };
        for indexed in &listed.indexed {
            builder.indexed(indexed)?;
        }
        for other in &listed.others {
            builder.other(other)?;
        }
        builder.finish()
    }

    /// Whether `tree` is HEAD's tree without the excluded files. To compare, HEAD's versions of these files are added to `tree`.
    fn is_tree_of_head(&self, tree: &Tree, head: ObjectId, exclude: &[PathBuf]) -> RepoResult<bool> {
        if tree.id == head {
            return Ok(true);
        }
        let kept = if exclude.is_empty() { Vec::new() } else { self.entries_at(head, exclude)? };
        if kept.is_empty() {
            return Ok(false);
        }
        let mut entries = tree.entries.clone();
        entries.extend(kept);
        sort(&mut entries);
        Ok(build(self.format, &entries, &mut |_, _| {}).is_ok_and(|id| id == head))
    }

    pub(super) fn relatives(&self, paths: &[&Path]) -> Result<Vec<PathBuf>> {
        paths.iter().map(|path| self.relative(path)).collect()
    }

    /// Returns `path` relative to the top of the work tree; a path outside it, or in its git folder, is an error.
    pub fn relative(&self, path: &Path) -> Result<PathBuf> {
        let relative = if path.is_absolute() { path.strip_prefix(&self.top).ok() } else { Some(path) };
        match relative {
            Some(relative) if is_inside(relative.as_os_str().as_bytes()) => Ok(relative.to_owned()),
            _ => Err(RepoError::Outside { path: path.to_owned(), top: self.top.clone() }.into()),
        }
    }
}

/// Whether a path stays in the work tree and outside its git folder.
fn is_inside(path: &[u8]) -> bool {
    let outside = |name: &[u8]| name.is_empty() || name == b"." || name == b".." || name.eq_ignore_ascii_case(b".git");
    path.len() <= LONGEST_PATH && !path.split(|byte| *byte == b'/').any(outside)
}

/// A tree under construction.
struct SnapshotBuilder<'a> {
    repo: &'a Repo,
    exclude: &'a [PathBuf],
    depth: usize,
    index_written: Option<Time>,
    /// When the snapshot began.
    taken: Time,
    before: Option<&'a Tree>,
    raw: Option<RawLimits>,
    sparse: Option<bool>,
    /// Whether a path is a real folder, with no link on the way from the top.
    folders: HashMap<PathBuf, bool>,
    entries: Vec<TreeEntry>,
    to_read: Vec<ToRead>,
    submodules: Vec<Submodule>,
    skipped: Vec<Skipped>,
    flagged: Vec<Flagged>,
    conflicted: Vec<PathBuf>,
    left_out: Vec<PathBuf>,
    index: Sha256,
}

impl SnapshotBuilder<'_> {
    fn indexed(&mut self, indexed: &IndexEntry<'_>) -> RepoResult<()> {
        let path = PathBuf::from(OsStr::from_bytes(indexed.path));
        if !is_inside(indexed.path) {
            return Err(RepoError::IndexPath { path: path.to_string_lossy().into_owned() });
        }
        if self.exclude.contains(&path) {
            self.left_out.push(path);
            return Ok(());
        }
        self.note(indexed);
        if indexed.stage != 0 {
            if self.conflicted.last() == Some(&path) {
                return Ok(());
            }
            self.conflicted.push(path.clone());
        }
        let on_disk = self.look(&path);
        self.flag(indexed, &path, matches!(on_disk, Ok(PathKind::Absent)));
        match on_disk {
            Err(_) => self.skip(path, Reason::Unreadable),
            Ok(PathKind::Special) => self.skip(path, Reason::Special),
            Ok(PathKind::Folder) if indexed.mode == 0o160_000 => self.submodule(path, indexed.id)?,
            Ok(PathKind::Folder) => {}
            Ok(PathKind::Absent) => {
                if indexed.skip_worktree && self.raw.is_none() && self.is_sparse()? {
                    self.entries.extend(known(path, Mode::from_bits(indexed.mode), indexed.id, None));
                }
            }
            Ok(PathKind::Content(mode, stat)) => self.content(path, mode, stat, Some(indexed)),
        }
        Ok(())
    }

    fn other(&mut self, other: &[u8]) -> RepoResult<()> {
        let nested = other.strip_suffix(b"/");
        let bytes = nested.unwrap_or(other);
        let path = PathBuf::from(OsStr::from_bytes(bytes));
        if !is_inside(bytes) {
            return Err(RepoError::IndexPath { path: path.to_string_lossy().into_owned() });
        }
        if nested.is_some() {
            self.skip(path, Reason::Nested);
        } else if self.exclude.contains(&path) {
            self.left_out.push(path);
        } else if !self.exclude.iter().any(|plan| is_temporary(plan, &path)) {
            match self.look(&path) {
                Ok(PathKind::Content(mode, stat)) => self.content(path, mode, stat, None),
                Ok(PathKind::Special) => self.skip(path, Reason::Special),
                Ok(PathKind::Absent | PathKind::Folder) => {}
                Err(_) => self.skip(path, Reason::Unreadable),
            }
        }
        Ok(())
    }

    /// Adds a file or link. Its blob id is taken from `before` or from the index, otherwise the file must be read.
    fn content(&mut self, path: PathBuf, mode: Mode, stat: Stat, indexed: Option<&IndexEntry<'_>>) {
        let tracked = indexed.is_some();
        if let Some(before) = self.before {
            match find(&before.entries, &path).filter(|entry| is_same(entry, mode, stat, before.taken)) {
                Some(entry) => self.entries.push(TreeEntry { tracked, ..entry.clone() }),
                None => self.to_read.push(ToRead { path, tracked, stat }),
            }
            return;
        }
        let indexed = indexed.filter(|_| self.raw.is_none());
        match indexed.filter(|indexed| indexed.stat == Some(stat) && self.is_settled(indexed, mode)) {
            Some(indexed) => self.entries.extend(known(path, Some(mode), indexed.id, Some(stat))),
            None => self.to_read.push(ToRead { path, tracked, stat }),
        }
    }

    fn finish(mut self) -> RepoResult<Tree> {
        let format = self.repo.format;
        let raw = self.raw;
        let hashed = in_parallel(&self.to_read, |file| match raw {
            Some(limits) if Instant::now() >= limits.until => Err(RepoError::Late),
            _ => hash(&self.repo.top.join(&file.path), format, raw.map_or(u64::MAX, |limits| limits.file)),
        });
        for (ToRead { path, tracked, stat }, hashed) in std::mem::take(&mut self.to_read).into_iter().zip(hashed) {
            match hashed {
                Ok((mode, id)) => {
                    self.entries.push(TreeEntry { path, mode, id, tracked, read: true, stat: Some(stat) });
                }
                Err(RepoError::Look { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(RepoError::Look { error, .. }) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                    self.skip(path, Reason::TooLarge);
                }
                Err(RepoError::Look { .. }) => self.skip(path, Reason::Unreadable),
                Err(trouble) => return Err(trouble),
            }
        }
        sort(&mut self.entries);
        Ok(Tree {
            id: build(format, &self.entries, &mut |_, _| {})?,
            entries: self.entries,
            head: None,
            clean_commit: false,
            submodules: self.submodules,
            skipped: self.skipped,
            flagged: self.flagged,
            conflicted: self.conflicted,
            left_out: self.left_out,
            index: format!("{:x}", self.index.finalize()),
            taken: self.taken,
        })
    }

    /// Examines a path, after checking that none of the folders above it is a link.
    fn look(&mut self, path: &Path) -> std::io::Result<PathKind> {
        match path.parent() {
            Some(parent) if !self.is_folder(parent)? => Ok(PathKind::Absent),
            _ => look(&self.repo.top.join(path)),
        }
    }

    fn is_folder(&mut self, path: &Path) -> std::io::Result<bool> {
        if path.as_os_str().is_empty() {
            return Ok(true);
        }
        if let Some(known) = self.folders.get(path) {
            return Ok(*known);
        }
        let is_folder = matches!(self.look(path)?, PathKind::Folder);
        self.folders.insert(path.to_owned(), is_folder);
        Ok(is_folder)
    }

    /// Whether the index entry can be trusted: no flag hides it, it is a link on both sides or on neither, and its last change was
    /// before the index was written, so that a later change must show in the stat data. The change must also be before now;
    /// otherwise a later comparison would have to read the file, because for a file that git converts (line ends) git's
    /// blob differs from the bytes.
    fn is_settled(&self, indexed: &IndexEntry<'_>, mode: Mode) -> bool {
        let looks_away = indexed.assume_unchanged || indexed.skip_worktree || indexed.intent_to_add;
        let same_kind = Mode::from_bits(indexed.mode).is_some_and(|was| (was == Mode::Link) == (mode == Mode::Link));
        let (Some(stat), Some(index)) = (indexed.stat, self.index_written) else { return false };
        let fresh = stat.mtime >= index || stat.ctime >= index;
        indexed.stage == 0 && same_kind && !looks_away && !fresh && stat.size != 0 && is_past(stat, self.taken)
    }

    fn submodule(&mut self, path: PathBuf, indexed: ObjectId) -> RepoResult<()> {
        let (submodule, commit) = self.repo.look_into(&path, self.depth)?;
        self.entries.extend(known(path, Some(Mode::Submodule), commit.unwrap_or(indexed), None));
        self.submodules.extend(submodule);
        Ok(())
    }

    fn is_sparse(&mut self) -> RepoResult<bool> {
        if let Some(sparse) = self.sparse {
            return Ok(sparse);
        }
        let captured = self.repo.ask(&["config", "--type=bool", "--get", "core.sparseCheckout"], b"")?;
        let sparse = captured.stdout == b"true\n";
        self.sparse = Some(sparse);
        Ok(sparse)
    }

    fn flag(&mut self, indexed: &IndexEntry<'_>, path: &Path, absent: bool) {
        let mut push = |flag| self.flagged.push(Flagged { path: path.to_owned(), flag, absent });
        if indexed.assume_unchanged {
            push(Flag::AssumeUnchanged);
        }
        if indexed.skip_worktree {
            push(Flag::SkipWorktree);
        }
    }

    fn skip(&mut self, path: PathBuf, reason: Reason) {
        self.skipped.push(Skipped { path, reason });
    }

    fn note(&mut self, indexed: &IndexEntry<'_>) {
        let flags = [indexed.stage, indexed.assume_unchanged.into(), indexed.skip_worktree.into()];
        self.index.update(indexed.mode.to_be_bytes());
        self.index.update(flags);
        self.index.update([u8::from(indexed.intent_to_add)]);
        self.index.update(indexed.id.as_bytes());
        self.index.update(indexed.path);
        self.index.update([0]);
    }
}

/// A file whose content must be read.
struct ToRead {
    path: PathBuf,
    tracked: bool,
    stat: Stat,
}

fn known(path: PathBuf, mode: Option<Mode>, id: ObjectId, stat: Option<Stat>) -> Option<TreeEntry> {
    mode.map(|mode| TreeEntry { path, mode, id, tracked: true, read: false, stat })
}

/// Whether this is a temporary file of a write of the plan file (`FORMAT.md` §3). Only untracked files of that kind are skipped.
fn is_temporary(plan: &Path, path: &Path) -> bool {
    let (Some(plan_name), Some(name)) = (plan.file_name(), path.file_name()) else { return false };
    plan.parent() == path.parent() && store::is_temporary(plan_name, name)
}
