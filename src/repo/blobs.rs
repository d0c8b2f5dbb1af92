//! Reads stored trees and blobs.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use super::batch::check;
use super::error::{RepoError, RepoResult};
use super::git::{failed, said};
use super::tree::{Mode, TreeEntry, sort};
use super::{ObjectId, Repo};
use crate::error::Result;

impl Repo {
    /// Returns every file of a stored tree or commit, sorted as for [`changes`](super::changes). One process; none if a process is
    /// kept open.
    pub fn entries(&self, tree: ObjectId) -> Result<Vec<TreeEntry>> {
        if let Some(Some(entries)) = self.walk(&tree.to_string())? {
            return Ok(entries);
        }
        Ok(self.list_tree(&["ls-tree", "-r", "-z", "--full-tree", &tree.to_string()].map(OsString::from))?)
    }

    /// Returns the paths in which two stored trees differ. git skips folders that are the same in both. One process.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if a tree is not stored here.
    pub fn changed_paths(&self, one: ObjectId, other: ObjectId) -> Result<Vec<PathBuf>> {
        let args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", &one.to_string(), &other.to_string()];
        let bytes = self.git(&args, b"")?;
        let names = bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| PathBuf::from(OsString::from_vec(name.to_vec()))).collect())
    }

    /// Returns the files of the tree or commit whose id begins with these digits; `None` if there is none here, or several. The
    /// caller must check that it is the right one, because a ref can have such a name. One process.
    pub fn entries_of(&self, digits: &str) -> Result<Option<Vec<TreeEntry>>> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digits.is_empty() || !digits.bytes().all(is_hex) {
            return Ok(None);
        }
        if let Some(listed) = self.walk(digits)? {
            return Ok(listed);
        }
        let listed = self.list_tree(&["ls-tree", "-r", "-z", "--full-tree", digits].map(OsString::from));
        match listed {
            Err(RepoError::Git { .. }) => Ok(None),
            listed => Ok(Some(listed?)),
        }
    }

    /// Returns the content of the file at `path` in a stored tree or commit, or a link's text. `None` if there is no file, or if
    /// it is a folder or a submodule. Two processes.
    pub fn file_at(&self, tree: ObjectId, path: &Path) -> Result<Option<Vec<u8>>> {
        let path = self.relative(path)?;
        match self.entries_at(tree, &[path])?.first() {
            Some(entry) if entry.mode != Mode::Submodule => Ok(Some(self.blob(entry.id)?)),
            _ => Ok(None),
        }
    }

    /// Returns the bytes of a stored blob. One process.
    pub fn blob(&self, id: ObjectId) -> Result<Vec<u8>> {
        Ok(self.all_of(&[id])?.pop().flatten().ok_or(RepoError::Missing { id })?)
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
    pub(super) fn entries_at(&self, tree: ObjectId, paths: &[PathBuf]) -> RepoResult<Vec<TreeEntry>> {
        if let Some(entries) = self.pick(tree, paths)? {
            return Ok(entries);
        }
        let head = ["ls-tree", "-z", "--full-tree", &tree.to_string(), "--"].map(OsString::from);
        let args: Vec<OsString> = head.into_iter().chain(paths.iter().map(OsString::from)).collect();
        self.list_tree(&args)
    }

    /// Every file of the tree that a name refers to, sorted, from the process that is kept open. The outer `None`: no process is open.
    /// The inner `None`: there is no tree of that name.
    fn walk(&self, name: &str) -> RepoResult<Option<Option<Vec<TreeEntry>>>> {
        let Some(found) = self.object_infos(&[format!("{name}^{{tree}}").into_bytes()])? else { return Ok(None) };
        let Some(root) = found.into_iter().next().flatten() else { return Ok(Some(None)) };
        let mut entries = Vec::new();
        let mut folders = vec![(Vec::new(), root.id)];
        // Level by level, so that many folders can be read at once.
        while !folders.is_empty() {
            let ids: Vec<ObjectId> = folders.iter().map(|(_, id)| *id).collect();
            let mut inner = Vec::new();
            let told = self.read_trees(&ids, &mut |number, lines| {
                let above = &folders[number].0;
                for (bits, name, id) in lines {
                    let path = [above, name].concat();
                    match Mode::from_bits(bits) {
                        Some(mode) => entries.push(stored(path, mode, id)),
                        None if bits == FOLDER => inner.push(([&path[..], b"/"].concat(), id)),
                        None => {}
                    }
                }
            })?;
            if !told {
                return Ok(None);
            }
            folders = inner;
        }
        sort(&mut entries);
        Ok(Some(Some(entries)))
    }

    /// The entries of a stored tree or commit at exactly these paths, from the process that is kept open; `None` without one.
    fn pick(&self, tree: ObjectId, paths: &[PathBuf]) -> RepoResult<Option<Vec<TreeEntry>>> {
        let name = format!("{tree}^{{tree}}").into_bytes();
        let Some(Some(root)) = self.object_infos(&[name])?.and_then(|found| found.into_iter().next()) else {
            return Ok(None);
        };
        let mut entries = Vec::new();
        for path in paths {
            let mut at = Some((FOLDER, root.id));
            for part in path.as_os_str().as_bytes().split(|byte| *byte == b'/') {
                let Some((FOLDER, folder)) = at else { break };
                at = None;
                let take = &mut |_: usize, lines: Vec<TreeRecord<'_>>| {
                    at = lines.iter().find(|(_, name, _)| *name == part).map(|(bits, _, id)| (*bits, *id));
                };
                if !self.read_trees(&[folder], take)? {
                    return Ok(None);
                }
            }
            let file = at.and_then(|(bits, id)| Some((Mode::from_bits(bits)?, id)));
            entries.extend(file.map(|(mode, id)| stored(path.as_os_str().as_bytes().to_vec(), mode, id)));
        }
        sort(&mut entries);
        Ok(Some(entries))
    }

    /// Passes the records of each of these trees to `each`, from the process that is kept open; false without one.
    fn read_trees(&self, ids: &[ObjectId], each: &mut dyn FnMut(usize, Vec<TreeRecord<'_>>)) -> RepoResult<bool> {
        let names: Vec<Vec<u8>> = ids.iter().map(|id| id.to_string().into_bytes()).collect();
        self.read_objects(&names, &mut 0, &mut |number, bytes| {
            let id = ids[number];
            let bytes = bytes.ok_or(RepoError::Missing { id })?;
            check("tree", id, bytes)?;
            let found = || String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
            each(number, records(bytes, id).ok_or_else(|| RepoError::Answer { what: "cat-file", found: found() })?);
            Ok(())
        })
    }

    fn list_tree(&self, args: &[OsString]) -> RepoResult<Vec<TreeEntry>> {
        let bytes = self.git(args, b"")?;
        let mut entries = Vec::new();
        for record in bytes.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
            let found = || String::from_utf8_lossy(record).into_owned();
            let (mode, id, path) = line(record).ok_or_else(|| RepoError::Answer { what: "ls-tree", found: found() })?;
            if let Some(mode) = Mode::from_bits(mode) {
                entries.push(stored(path.into_os_string().into_vec(), mode, id));
            }
        }
        sort(&mut entries);
        Ok(entries)
    }
}

/// The mode of a folder in a tree.
const FOLDER: u32 = 0o40_000;

/// One record of a stored tree: mode, name, id.
type TreeRecord<'t> = (u32, &'t [u8], ObjectId);

fn stored(path: Vec<u8>, mode: Mode, id: ObjectId) -> TreeEntry {
    TreeEntry { path: PathBuf::from(OsString::from_vec(path)), mode, id, tracked: true, read: false, stat: None }
}

/// Parses a tree object: `100644 <name><NUL><id>`, with ids as long as the tree's own. `None` if it is not a tree.
fn records(mut bytes: &[u8], tree: ObjectId) -> Option<Vec<TreeRecord<'_>>> {
    let length = tree.as_bytes().len();
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let space = memchr::memchr(b' ', bytes)?;
        let end = memchr::memchr(0, bytes)?;
        let mode = u32::from_str_radix(std::str::from_utf8(&bytes[..space]).ok()?, 8).ok()?;
        let id = ObjectId::from_bytes(bytes.get(end + 1..end + 1 + length)?)?;
        records.push((mode, bytes.get(space + 1..end)?, id));
        bytes = &bytes[end + 1 + length..];
    }
    Some(records)
}

/// Parses `100644 blob <id><TAB><path>`.
fn line(record: &[u8]) -> Option<(u32, ObjectId, PathBuf)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split(' ');
    let (mode, _kind, id) = (words.next()?, words.next()?, words.next()?);
    let path = PathBuf::from(OsString::from_vec(record[tab + 1..].to_vec()));
    Some((u32::from_str_radix(mode, 8).ok()?, ObjectId::parse(id)?, path))
}
