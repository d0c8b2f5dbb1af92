//! Reads stored trees and blobs.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use super::error::RepoError;
use super::git::{failed, said};
use super::tree::{Entry, Mode, sort};
use super::{ObjectId, Repo};
use crate::error::Result;

impl Repo {
    /// Every file of a stored tree or commit, sorted, as [`changes`](super::changes) takes them. One process.
    pub fn entries(&self, tree: ObjectId) -> Result<Vec<Entry>> {
        Ok(self.list(tree)?)
    }

    pub(super) fn list(&self, tree: ObjectId) -> std::result::Result<Vec<Entry>, RepoError> {
        self.list_tree(&["ls-tree", "-r", "-z", "--full-tree", &tree.to_string()].map(OsString::from))
    }

    /// The paths in which two stored trees differ. git skips what is the same in both. One process.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if a tree is not stored here.
    pub fn changed_paths(&self, one: ObjectId, other: ObjectId) -> Result<Vec<PathBuf>> {
        let args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", &one.to_string(), &other.to_string()];
        let bytes = self.git(&args, b"")?;
        let names = bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| PathBuf::from(OsString::from_vec(name.to_vec()))).collect())
    }

    /// The files of the tree or commit whose id begins with these digits; none if there is none here, or several. The
    /// caller must check that it is the right one, because a ref can have such a name. One process.
    pub fn entries_of(&self, digits: &str) -> Result<Option<Vec<Entry>>> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digits.is_empty() || !digits.bytes().all(is_hex) {
            return Ok(None);
        }
        let listed = self.list_tree(&["ls-tree", "-r", "-z", "--full-tree", digits].map(OsString::from));
        match listed {
            Err(RepoError::Git { .. }) => Ok(None),
            listed => Ok(Some(listed?)),
        }
    }

    /// The content of the file at `path` in a stored tree or commit, or a link's text. None if there is no file, or if
    /// it is a folder or a submodule. Two processes.
    pub fn file_at(&self, tree: ObjectId, path: &Path) -> Result<Option<Vec<u8>>> {
        let path = self.relative(path)?;
        match self.entries_at(tree, &[path])?.first() {
            Some(entry) if entry.mode != Mode::Submodule => Ok(Some(self.blob(entry.id)?)),
            _ => Ok(None),
        }
    }

    /// The bytes of a stored blob. One process.
    pub fn blob(&self, id: ObjectId) -> Result<Vec<u8>> {
        Ok(self.git(&["cat-file", "blob", &id.to_string()], b"")?)
    }

    /// Whether the object is stored here. A base from another clone may be missing. One process.
    pub fn has(&self, id: ObjectId) -> Result<bool> {
        let args = ["cat-file", "-e", &id.to_string()];
        let captured = self.ask(&args, b"")?;
        match captured.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ if said(&captured).contains("Not a valid object name") => Ok(false),
            _ => Err(failed(&args, &captured).into()),
        }
    }

    /// The entries of a stored tree at exactly these paths.
    pub(super) fn entries_at(&self, tree: ObjectId, paths: &[PathBuf]) -> std::result::Result<Vec<Entry>, RepoError> {
        let head = ["ls-tree", "-z", "--full-tree", &tree.to_string(), "--"].map(OsString::from);
        let args: Vec<OsString> = head.into_iter().chain(paths.iter().map(OsString::from)).collect();
        self.list_tree(&args)
    }

    fn list_tree(&self, args: &[OsString]) -> std::result::Result<Vec<Entry>, RepoError> {
        let bytes = self.git(args, b"")?;
        let mut entries = Vec::new();
        for record in bytes.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
            let found = || String::from_utf8_lossy(record).into_owned();
            let (mode, id, path) = line(record).ok_or_else(|| RepoError::Answer { what: "ls-tree", found: found() })?;
            if let Some(mode) = Mode::from_bits(mode) {
                entries.push(Entry { path, mode, id, tracked: true, read: false, stat: None });
            }
        }
        sort(&mut entries);
        Ok(entries)
    }
}

/// `100644 blob <id><TAB><path>`.
fn line(record: &[u8]) -> Option<(u32, ObjectId, PathBuf)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split(' ');
    let (mode, _kind, id) = (words.next()?, words.next()?, words.next()?);
    let path = PathBuf::from(OsString::from_vec(record[tab + 1..].to_vec()));
    Some((u32::from_str_radix(mode, 8).ok()?, ObjectId::parse(id)?, path))
}
