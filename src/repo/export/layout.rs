//! The files that an export will hold: a tree, with files added, replaced or removed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::Result;
use crate::repo::id::object_id;
use crate::repo::index::Stat;
use crate::repo::tree::{Mode, TreeEntry, build, sort};
use crate::repo::{Format, ObjectId};

/// One file of a [`Layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutFile {
    mode: Mode,
    id: ObjectId,
    pub(super) from: BytesFrom,
}

/// Where a file's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BytesFrom {
    /// The work tree, if the file still has these stat data; otherwise the object store.
    Disk(Stat),
    /// The object store.
    Store,
    /// These bytes.
    Bytes(Rc<[u8]>),
}

impl LayoutFile {
    /// Its mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Its blob.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    pub(super) fn is(&self, mode: Mode, id: ObjectId) -> bool {
        self.mode == mode && self.id == id
    }
}

/// A tree that need not be stored anywhere. Paths are relative to the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    files: BTreeMap<PathBuf, LayoutFile>,
}

impl Layout {
    /// The files of a tree.
    pub fn of(entries: &[TreeEntry]) -> Self {
        let file = |entry: &TreeEntry| LayoutFile {
            mode: entry.mode,
            id: entry.id,
            from: entry.stat.map_or(BytesFrom::Store, BytesFrom::Disk),
        };
        Layout { files: entries.iter().map(|entry| (entry.path.clone(), file(entry))).collect() }
    }

    /// The file at `path`.
    pub fn get(&self, path: &Path) -> Option<&LayoutFile> {
        self.files.get(path)
    }

    /// Every file, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &LayoutFile)> {
        self.files.iter().map(|(path, file)| (path.as_path(), file))
    }

    /// Every path, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether it has no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether there is a file below the folder `path`.
    pub fn has_below(&self, path: &Path) -> bool {
        let after = (std::ops::Bound::Excluded(path.to_owned()), std::ops::Bound::Unbounded);
        self.files.range(after).next().is_some_and(|(next, _)| next.starts_with(path))
    }

    /// The sorted paths of files that differ between the two layouts.
    pub(super) fn differences<'l>(&'l self, other: &'l Layout) -> Vec<&'l Path> {
        let mut others = other.files().peekable();
        let mut found = Vec::new();
        for (path, file) in self.files() {
            while let Some((gone, _)) = others.next_if(|(theirs, _)| *theirs < path) {
                found.push(gone);
            }
            match others.next_if(|(theirs, _)| *theirs == path) {
                Some((_, theirs)) if file.is(theirs.mode, theirs.id) => {}
                _ => found.push(path),
            }
        }
        found.extend(others.map(|(gone, _)| gone));
        found
    }

    /// Takes a file over from another layout, or removes it if that layout does not have it. A file that is in the place of one of
    /// its folders is removed.
    pub fn take(&mut self, path: &Path, other: &Layout) {
        let Some(file) = other.get(path) else { return drop(self.files.remove(path)) };
        path.ancestors().skip(1).for_each(|above| drop(self.files.remove(above)));
        self.files.insert(path.to_owned(), file.clone());
    }

    /// Adds a file.
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>, format: Format) {
        let id = object_id(format, "blob", &bytes);
        let file = LayoutFile { mode: Mode::File, id, from: BytesFrom::Bytes(bytes.into()) };
        self.files.insert(path.to_owned(), file);
    }

    /// Replaces the bytes of the file at `path` and keeps its mode. Does nothing if there is no file.
    pub fn put(&mut self, path: &Path, bytes: Vec<u8>) {
        if let Some(file) = self.files.get_mut(path) {
            file.id = object_id(file.id.format(), "blob", &bytes);
            file.from = BytesFrom::Bytes(bytes.into());
        }
    }

    /// This layout with other bytes in the file at `path`.
    pub fn with(&self, path: &Path, bytes: Vec<u8>) -> Self {
        let mut layout = self.clone();
        layout.put(path, bytes);
        layout
    }

    /// This layout with these files of the other one.
    pub fn taking<'p>(&self, paths: impl IntoIterator<Item = &'p Path>, other: &Layout) -> Self {
        let mut layout = self.clone();
        paths.into_iter().for_each(|path| layout.take(path, other));
        layout
    }

    /// The id that git would give this tree. Fails if a path is both a file and a folder.
    pub fn id(&self, format: Format) -> Result<ObjectId> {
        let entry = |(path, file): (&PathBuf, &LayoutFile)| TreeEntry {
            path: path.clone(),
            mode: file.mode,
            id: file.id,
            tracked: true,
            read: false,
            stat: None,
        };
        let mut entries: Vec<TreeEntry> = self.files.iter().map(entry).collect();
        sort(&mut entries);
        Ok(build(format, &entries, &mut |_, _| {})?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_what_came_went_or_changed() {
        let layout = |files: &[(&str, &str)]| {
            let mut layout = Layout::default();
            files.iter().for_each(|(path, text)| layout.add(Path::new(path), (*text).into(), Format::Sha1));
            layout
        };
        let now = layout(&[("a", "1"), ("c-d", "1"), ("c/d", "2"), ("f", "1")]);
        let then = layout(&[("a", "1"), ("b", "1"), ("c/d", "1"), ("e", "1"), ("g", "1")]);
        let paths = ["b", "c/d", "c-d", "e", "f", "g"].map(Path::new);
        assert_eq!((now.differences(&then), then.differences(&now)), (paths.to_vec(), paths.to_vec()));
        assert_eq!(now.differences(&now), Vec::<&Path>::new());
    }
}
