//! What an export shall hold: a tree, with files put in, replaced or taken out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::Result;
use crate::repo::id::object_id;
use crate::repo::index::Stat;
use crate::repo::tree::{Entry, Mode, build, sort};
use crate::repo::{Format, ObjectId};

/// One file of a [`Layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    mode: Mode,
    id: ObjectId,
    pub(super) from: From,
}

/// Where a file's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// The work tree, where the file had these numbers; else the object store.
    Disk(Stat),
    /// The object store.
    Store,
    /// These.
    Bytes(Rc<[u8]>),
}

impl Piece {
    /// What it is.
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

/// A tree that need not be stored anywhere: paths relative to the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pieces: BTreeMap<PathBuf, Piece>,
}

impl Layout {
    /// The files of a tree.
    pub fn of(entries: &[Entry]) -> Self {
        let piece =
            |entry: &Entry| Piece { mode: entry.mode, id: entry.id, from: entry.stat.map_or(From::Store, From::Disk) };
        Layout { pieces: entries.iter().map(|entry| (entry.path.clone(), piece(entry))).collect() }
    }

    /// The file at `path`.
    pub fn get(&self, path: &Path) -> Option<&Piece> {
        self.pieces.get(path)
    }

    /// Every file, sorted by path.
    pub fn pieces(&self) -> impl Iterator<Item = (&Path, &Piece)> {
        self.pieces.iter().map(|(path, piece)| (path.as_path(), piece))
    }

    /// Every path, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.pieces.keys().map(PathBuf::as_path)
    }

    /// How many files it has.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// It has no file.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether there is a file below the folder `path`.
    pub fn has_below(&self, path: &Path) -> bool {
        let after = (std::ops::Bound::Excluded(path.to_owned()), std::ops::Bound::Unbounded);
        self.pieces.range(after).next().is_some_and(|(next, _)| next.starts_with(path))
    }

    /// Takes a file over from another layout; where that has none, there is none here either. A file where its folder must
    /// be gives place.
    pub fn take(&mut self, path: &Path, other: &Layout) {
        let Some(piece) = other.get(path) else { return drop(self.pieces.remove(path)) };
        path.ancestors().skip(1).for_each(|above| drop(self.pieces.remove(above)));
        self.pieces.insert(path.to_owned(), piece.clone());
    }

    /// Adds a file.
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>, format: Format) {
        let id = object_id(format, "blob", &bytes);
        let piece = Piece { mode: Mode::File, id, from: From::Bytes(bytes.into()) };
        self.pieces.insert(path.to_owned(), piece);
    }

    /// Gives the file at `path` other bytes; it keeps its mode. Nothing happens where there is no file.
    pub fn put(&mut self, path: &Path, bytes: Vec<u8>) {
        if let Some(piece) = self.pieces.get_mut(path) {
            piece.id = object_id(piece.id.format(), "blob", &bytes);
            piece.from = From::Bytes(bytes.into());
        }
    }

    /// The id that git would give this tree. Errors: a file that is a folder too.
    pub fn id(&self, format: Format) -> Result<ObjectId> {
        let entry = |(path, piece): (&PathBuf, &Piece)| Entry {
            path: path.clone(),
            mode: piece.mode,
            id: piece.id,
            tracked: true,
            read: false,
            stat: None,
        };
        let mut entries: Vec<Entry> = self.pieces.iter().map(entry).collect();
        sort(&mut entries);
        Ok(build(format, &entries, &mut |_, _| {})?)
    }
}
