//! The changes of a rewind to the files, computed from the listing of a checkpoint and the current listing (`CONTRACT.md` §5.2). It writes
//! nothing.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::contract::checkpoint::Checkpoint;
use crate::error::{Error, Kind, Result};
use crate::repo::{
    ANY, FileWrite, Mode, ModeChange, ObjectId, PathChange, RawEntry, RawLimits, RawTree, Reason, Repo, Restoration,
    TreeEntry, changes, find_entry, is_plain_name,
};
use crate::store::Place;

/// The maximum size of a `.gitignore`, in bytes; a larger one is refused.
const RULES: u64 = 1 << 20;

/// The changes of a rewind.
#[derive(Debug, Default)]
pub struct Difference {
    /// The files to write and to delete.
    pub restoration: Restoration,
    /// Each touched file, by path, and how it has changed since the checkpoint: a file that is `Added` is deleted.
    pub touched: BTreeMap<PathBuf, PathChange>,
    /// Currently ignored files that are overwritten or deleted. They are saved first.
    pub extra: Vec<(TreeEntry, u16)>,
    /// Files that are created where no file exists now.
    pub created: Vec<PathBuf>,
    /// Paths that are left alone although they may differ, with the reason.
    pub stays: BTreeMap<PathBuf, String>,
    /// The number of files outside the plan's folder that differ. They are left alone.
    pub elsewhere: usize,
}

/// Decides whether a path may be touched.
struct PathScope<'c> {
    prefix: PathBuf,
    only: &'c [PathBuf],
    plan: PathBuf,
    left_out: BTreeMap<&'c Path, &'c str>,
    absent: HashSet<&'c Path>,
    /// Submodules and other repositories, in the checkpoint or now.
    apart: BTreeSet<PathBuf>,
    /// Current files that cannot be saved.
    unsaved: BTreeMap<&'c Path, &'static str>,
}

/// Compares the files of a checkpoint, `then`, with the current files. `only` holds paths relative to the top; empty for all.
///
/// # Errors
/// [`Kind::Input`] if the record names paths that no checkpoint can hold; [`Kind::No`] if its ignore rules are no longer kept;
/// [`Kind::Unknown`] if git fails.
pub(super) fn difference(
    repo: &Repo,
    place: &Place,
    checkpoint: &Checkpoint,
    then: &[TreeEntry],
    now: &RawTree,
    only: &[PathBuf],
    limits: RawLimits,
) -> Result<Difference> {
    check_names(repo, checkpoint, then)?;
    let scope = PathScope::new(repo, place, checkpoint, then, now, only)?;
    let mut found = Difference {
        restoration: Restoration {
            folders: folders(checkpoint, then),
            kept: checkpoint.hollow.iter().cloned().collect(),
            ..Restoration::default()
        },
        ..Difference::default()
    };
    for left in &checkpoint.left_out {
        found.stays.insert(left.path.clone(), format!("left out of checkpoint {}: {}", checkpoint.number, left.why));
    }
    for change in changes(then, &now.tree.entries) {
        if !scope.admits(&change.path, &mut found) {
            continue;
        }
        let was = find_entry(then, &change.path);
        let is = find_entry(&now.tree.entries, &change.path);
        match (was, is) {
            (Some(was), None) => found.missing(repo, checkpoint, was, now, limits)?,
            (None, Some(is)) => found.delete(is),
            (Some(was), Some(is)) => found.replace(checkpoint, was, is),
            (None, None) => {}
        }
    }
    found.modes(checkpoint, then, now, &scope);
    found.made_by_the_rewind(repo, checkpoint, then, now, &scope, limits)?;
    found.keep_ignored(repo, checkpoint, then)?;
    found.name_bare(repo, checkpoint, then, now)?;
    Ok(found)
}

/// Refuses names that only a forged record can hold.
fn check_names(repo: &Repo, checkpoint: &Checkpoint, then: &[TreeEntry]) -> Result<()> {
    let forged = |what: String| Error::input(format!("checkpoint {} names {what}", checkpoint.number)).harmless();
    let paths = then.iter().map(|entry| &entry.path);
    let more = checkpoint
        .created
        .iter()
        .chain(&checkpoint.hollow)
        .chain(checkpoint.bits.keys())
        .chain(checkpoint.folders.keys());
    if let Some(bad) = paths.chain(more).find(|path| !is_plain_name(path)) {
        return Err(forged(format!("`{}`", bad.display())));
    }
    repo.tree_id(then).map_err(|error| forged(error.message))?;
    let mut folded = HashSet::new();
    let twice = then.iter().find(|entry| !folded.insert(entry.path.to_string_lossy().to_lowercase()));
    match twice.filter(|_| repo.folds_case()) {
        Some(twice) => {
            let path = twice.path.display();
            let message = format!(
                "refused: this file system treats `{path}` and another file of checkpoint {} as the same file",
                checkpoint.number
            );
            Err(Error::new(Kind::Refused, message).harmless())
        }
        None => Ok(()),
    }
}

impl<'c> PathScope<'c> {
    fn new(
        repo: &Repo,
        place: &Place,
        checkpoint: &'c Checkpoint,
        then: &[TreeEntry],
        now: &'c RawTree,
        only: &'c [PathBuf],
    ) -> Result<Self> {
        let relative = |path: &Path| path.strip_prefix(repo.top()).unwrap_or(path).to_owned();
        let links = then.iter().chain(&now.tree.entries).filter(|entry| entry.mode == Mode::Submodule);
        let nested = now.tree.skipped.iter().filter(|skipped| skipped.reason == Reason::Nested);
        let apart = checkpoint.apart.iter().map(|apart| apart.path.clone());
        let apart =
            apart.chain(links.map(|entry| entry.path.clone())).chain(nested.map(|skipped| skipped.path.clone()));
        let skipped = now.tree.skipped.iter();
        Ok(PathScope {
            prefix: relative(&place.root),
            only,
            plan: repo.relative(&place.file)?,
            left_out: checkpoint.left_out.iter().map(|left| (left.path.as_path(), left.why.as_str())).collect(),
            absent: checkpoint.absent.iter().map(PathBuf::as_path).collect(),
            apart: apart.collect(),
            unsaved: skipped.filter_map(|skipped| Some((skipped.path.as_path(), skipped.reason.of_file()?))).collect(),
        })
    }

    /// True if a path that differs may be touched; if not, `found` gets the reason.
    fn admits(&self, path: &Path, found: &mut Difference) -> bool {
        let is_wanted = |only: &PathBuf| path.starts_with(only);
        if *path == *self.plan || !(self.only.is_empty() || self.only.iter().any(is_wanted)) {
            return false;
        }
        if !path.starts_with(&self.prefix) {
            found.elsewhere += 1;
            return false;
        }
        // These are reported separately, in the notes on submodules.
        if path.ancestors().any(|above| self.apart.contains(above)) {
            return false;
        }
        if self.left_out.contains_key(path) || self.absent.contains(path) {
            return false;
        }
        match self.unsaved.get(path) {
            Some(why) => {
                found.stays.insert(path.to_owned(), (*why).to_owned());
                false
            }
            None => true,
        }
    }
}

impl Difference {
    fn delete(&mut self, now: &TreeEntry) {
        self.touched.insert(now.path.clone(), PathChange::Added);
        self.restoration.deletions.push(now.clone());
    }

    fn replace(&mut self, checkpoint: &Checkpoint, was: &TreeEntry, is: &TreeEntry) {
        let bits = checkpoint.bits_of(&was.path, was.mode);
        if was.id == is.id && is_file(was.mode) && is_file(is.mode) {
            self.touched.insert(was.path.clone(), PathChange::Permission);
            self.restoration.modes.push(ModeChange { now: is.clone(), bits });
        } else {
            self.touched.insert(was.path.clone(), PathChange::Modified);
            let write = FileWrite { path: was.path.clone(), mode: was.mode, id: was.id, bits, now: Some(is.clone()) };
            self.restoration.writes.push(write);
        }
    }

    /// Handles a file of the checkpoint that is not in the current listing: it is gone, or git ignores it now.
    fn missing(
        &mut self,
        repo: &Repo,
        checkpoint: &Checkpoint,
        was: &TreeEntry,
        now: &RawTree,
        limits: RawLimits,
    ) -> Result<()> {
        match repo.raw_entry(&was.path, limits)? {
            RawEntry::Content(is, bits) if !is_alias(&is, now) => {
                if is.id == was.id
                    && is.mode == was.mode
                    && (is.mode == Mode::Link || bits == checkpoint.bits_of(&was.path, was.mode))
                {
                    return Ok(());
                }
                self.replace(checkpoint, was, &is);
                self.extra.push((is, bits));
            }
            RawEntry::Other(why) => drop(self.stays.insert(was.path.clone(), why.to_owned())),
            RawEntry::Absent | RawEntry::Folder | RawEntry::Content(..) => {
                let bits = checkpoint.bits_of(&was.path, was.mode);
                self.touched.insert(was.path.clone(), PathChange::Removed);
                self.created.push(was.path.clone());
                let write = FileWrite { path: was.path.clone(), mode: was.mode, id: was.id, bits, now: None };
                self.restoration.writes.push(write);
            }
        }
        Ok(())
    }

    /// Handles files with the same bytes and other permission bits.
    fn modes(&mut self, checkpoint: &Checkpoint, then: &[TreeEntry], now: &RawTree, scope: &PathScope<'_>) {
        let mut then = then.iter().peekable();
        for (is, bits) in now.tree.entries.iter().zip(&now.bits) {
            while then.peek().is_some_and(|was| was.path.as_os_str() < is.path.as_os_str()) {
                then.next();
            }
            let Some(was) = then.peek().filter(|was| was.path == is.path && was.id == is.id && was.mode == is.mode)
            else {
                continue;
            };
            let wanted = checkpoint.bits_of(&was.path, was.mode);
            if is_file(is.mode) && wanted != *bits && scope.admits(&is.path, self) {
                self.touched.insert(is.path.clone(), PathChange::Permission);
                self.restoration.modes.push(ModeChange { now: is.clone(), bits: wanted });
            }
        }
    }

    /// Deletes the files that the rewind to undo has created, even if git ignores them now.
    fn made_by_the_rewind(
        &mut self,
        repo: &Repo,
        checkpoint: &Checkpoint,
        then: &[TreeEntry],
        now: &RawTree,
        scope: &PathScope<'_>,
        limits: RawLimits,
    ) -> Result<()> {
        for path in &checkpoint.created {
            let is_listed = find_entry(then, path).is_some() || find_entry(&now.tree.entries, path).is_some();
            if is_listed || !scope.admits(path, self) {
                continue;
            }
            if let RawEntry::Content(is, bits) = repo.raw_entry(path, limits)? {
                self.delete(&is);
                self.extra.push((is, bits));
            }
        }
        Ok(())
    }

    /// Keeps the files that the checkpoint's rules ignore: it is unknown whether they existed then.
    fn keep_ignored(&mut self, repo: &Repo, checkpoint: &Checkpoint, then: &[TreeEntry]) -> Result<()> {
        if self.restoration.deletions.is_empty() {
            return Ok(());
        }
        let rules = rules(repo, checkpoint, then.iter())?;
        let deletions = std::mem::take(&mut self.restoration.deletions);
        let paths: Vec<&Path> = deletions.iter().map(|deletion| deletion.path.as_path()).collect();
        let ignored = repo.ignored_under(&rules, &paths)?;
        let created: BTreeSet<&Path> = checkpoint.created.iter().map(PathBuf::as_path).collect();
        for (deletion, is_ignored) in deletions.into_iter().zip(ignored) {
            let path = &deletion.path;
            if is_ignored && !created.contains(path.as_path()) {
                self.touched.remove(path);
                self.stays.insert(path.clone(), format!("ignored {}", checkpoint.moment()));
            } else {
                self.restoration.deletions.push(deletion);
            }
        }
        Ok(())
    }
}

impl Difference {
    /// Names the ignored files that git will no longer ignore: the next `git add` would take them.
    fn name_bare(&mut self, repo: &Repo, checkpoint: &Checkpoint, then: &[TreeEntry], now: &RawTree) -> Result<()> {
        if !self.touched.keys().any(|path| is_rules(path)) {
            return Ok(());
        }
        let restored = then.iter().filter(|entry| self.touched.contains_key(&entry.path));
        let mut rules = rules(repo, checkpoint, restored)?;
        let untouched = now.tree.entries.iter().filter(|entry| !self.touched.contains_key(&entry.path));
        for entry in untouched.filter(|entry| is_rules(&entry.path) && is_file(entry.mode)) {
            rules.extend(std::fs::read(repo.top().join(&entry.path)).ok().map(|bytes| (entry.path.clone(), bytes)));
        }
        let paths = repo.all_ignored()?;
        let asked: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let is_ignored = repo.ignored_under(&rules, &asked)?;
        let bare =
            paths.iter().zip(is_ignored).filter(|(path, is_ignored)| !is_ignored && !self.touched.contains_key(*path));
        let bare: Vec<PathBuf> = bare
            .map(|(path, _)| match path.parent() {
                Some(folder) if path.ends_with(ANY) => folder.join(""),
                _ => path.clone(),
            })
            .collect();
        for path in bare {
            self.stays.entry(path).or_insert_with(|| "git no longer ignores it after this".to_owned());
        }
        Ok(())
    }
}

fn is_rules(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".gitignore")
}

fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::File | Mode::Executable)
}

/// The `.gitignore` files among these entries of a checkpoint, with their bytes.
fn rules<'e>(
    repo: &Repo,
    checkpoint: &Checkpoint,
    entries: impl Iterator<Item = &'e TreeEntry>,
) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let files: Vec<&TreeEntry> = entries.filter(|entry| is_rules(&entry.path) && is_file(entry.mode)).collect();
    let ids: Vec<ObjectId> = files.iter().map(|entry| entry.id).collect();
    let contents = repo.contents(&ids, RULES)?;
    let with_bytes = files.iter().zip(contents).map(|(entry, bytes)| {
        let bytes = bytes.ok_or_else(|| {
            let (path, number) = (entry.path.display(), checkpoint.number);
            let message =
                format!("`{path}` of checkpoint {number} is no longer kept, so it is unknown which files it ignored");
            Error::new(Kind::No, message).harmless()
        })?;
        Ok((entry.path.clone(), bytes))
    });
    with_bytes.collect()
}

/// The bits of each folder of the checkpoint: its recorded bits, else the usual ones.
fn folders(checkpoint: &Checkpoint, then: &[TreeEntry]) -> BTreeMap<PathBuf, u16> {
    let mut folders = BTreeMap::new();
    for entry in then {
        for folder in entry.path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            if folders.contains_key(folder) {
                break;
            }
            folders.insert(folder.to_owned(), checkpoint.folders.get(folder).copied().unwrap_or(checkpoint.usual[2]));
        }
    }
    folders
}

/// True if this is a listed file whose name differs only in upper and lower case, on a file system that ignores the case.
fn is_alias(is: &TreeEntry, now: &RawTree) -> bool {
    let folded = |path: &Path| path.to_string_lossy().to_lowercase();
    let name = folded(&is.path);
    now.tree.entries.iter().any(|entry| entry.is_same_file(is) && folded(&entry.path) == name)
}
