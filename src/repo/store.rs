//! Stores a tree in an object folder: blobs as on disk, and the tree objects.

use std::collections::HashSet;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Instant;

use super::error::{RepoError, RepoResult};
use super::git::{environment, failed, quote};
use super::tree::{Mode, Tree, TreeEntry, build};
use super::{ObjectId, Repo};

/// The maximum number of files, and of bytes, for one call of git. The clock is checked between calls.
const AT_ONCE: usize = 2000;
const BYTES: u64 = 64 << 20;
/// The number of objects that are copied through memory at once.
const COPIED: usize = 8;

impl Repo {
    /// Stores the contents of these entries in an object folder, as on disk, and checks that each gets the id of its entry.
    /// Returns false if the deadline passed.
    pub(super) fn store_blobs(&self, entries: &[&TreeEntry], folder: &Path, deadline: Instant) -> RepoResult<bool> {
        let mut rest = entries;
        while !rest.is_empty() {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            let mut bytes = 0;
            let fits = |entry: &&&TreeEntry| {
                bytes += u64::from(entry.stat.map_or(0, |stat| stat.size));
                bytes <= BYTES
            };
            let count = rest.iter().take(AT_ONCE).take_while(fits).count().max(1);
            let (part, after) = rest.split_at(count);
            self.store_part(part, folder)?;
            rest = after;
        }
        Ok(true)
    }

    fn store_part(&self, entries: &[&TreeEntry], folder: &Path) -> RepoResult<()> {
        let (on_disk, mut others): (Vec<&TreeEntry>, Vec<&TreeEntry>) =
            entries.iter().partition(|entry| entry.is_on_disk());
        let ids = match self.hash_all(&on_disk, folder) {
            Err(trouble @ RepoError::Process(_)) => return Err(trouble),
            Err(trouble) => return Err(self.vanished(&on_disk).unwrap_or(trouble)),
            Ok(ids) => ids,
        };
        for (entry, _) in on_disk.iter().zip(ids).filter(|(entry, id)| *id != Some(entry.id)) {
            if entry.read {
                return Err(RepoError::Unstable { path: entry.path.clone() });
            }
            // The index has another form of the file than the disk (line ends, a filter); that form is in git's own store.
            others.push(entry);
        }
        self.copy_all(&others, folder)
    }

    /// Copies blobs from git's own store.
    fn copy_all(&self, entries: &[&TreeEntry], folder: &Path) -> RepoResult<()> {
        let trouble = |error| RepoError::Look { path: std::env::temp_dir(), error };
        for part in entries.chunks(COPIED) {
            let copies = tempfile::tempdir().map_err(trouble)?;
            let ids: Vec<ObjectId> = part.iter().map(|entry| entry.id).collect();
            let mut stdin = Vec::new();
            self.read_all(&ids, &mut |number, bytes| {
                let copy = copies.path().join(number.to_string());
                std::fs::write(&copy, bytes.ok_or(RepoError::Missing { id: ids[number] })?).map_err(trouble)?;
                quote(copy.as_os_str().as_bytes(), &mut stdin);
                Ok(())
            })?;
            self.hash_paths(&stdin, folder)?;
        }
        Ok(())
    }

    /// Stores the current files at the paths of these entries and returns the id of each.
    fn hash_all(&self, entries: &[&TreeEntry], folder: &Path) -> RepoResult<Vec<Option<ObjectId>>> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let links = tempfile::tempdir().map_err(|error| RepoError::Look { path: std::env::temp_dir(), error })?;
        let mut stdin = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let path = self.top.join(&entry.path);
            let source = if entry.mode == Mode::Link { link_text(&path, links.path(), number)? } else { path };
            quote(source.as_os_str().as_bytes(), &mut stdin);
        }
        let stdout = self.hash_paths(&stdin, folder)?;
        let mut ids: Vec<_> = String::from_utf8_lossy(&stdout).lines().map(ObjectId::parse).collect();
        ids.resize(entries.len(), None);
        Ok(ids)
    }

    fn hash_paths(&self, paths: &[u8], folder: &Path) -> RepoResult<Vec<u8>> {
        self.write(&["hash-object", "-t", "blob", "-w", "--no-filters", "--stdin-paths"], paths, folder)
    }

    /// Runs git so that it writes objects into `folder` and sees no other objects, because an object in git's own store may be
    /// garbage.
    fn write(&self, args: &[&str], stdin: &[u8], folder: &Path) -> RepoResult<Vec<u8>> {
        let captured = self.ask_with(environment(&self.top).set("GIT_OBJECT_DIRECTORY", folder), args, stdin)?;
        if captured.status.success() { Ok(captured.stdout) } else { Err(failed(args, &captured)) }
    }

    /// The first of these entries that is no longer a file or a link.
    fn vanished(&self, entries: &[&TreeEntry]) -> Option<RepoError> {
        let stands = |entry: &TreeEntry| {
            let meta = self.top.join(&entry.path).symlink_metadata();
            meta.is_ok_and(|meta| if entry.mode == Mode::Link { meta.is_symlink() } else { meta.is_file() })
        };
        let entry = entries.iter().find(|entry| !stands(entry))?;
        Some(RepoError::Unstable { path: entry.path.clone() })
    }

    /// Stores the trees of these entries that `known` lacks.
    pub(super) fn store_trees(&self, tree: &Tree, known: &[TreeEntry], folder: &Path) -> RepoResult<()> {
        let mut has = HashSet::new();
        build(self.format, known, &mut |id, _| {
            has.insert(id);
        })?;
        let mut stdin = Vec::new();
        build(self.format, &tree.entries, &mut |id, lines| {
            if has.contains(&id) && id != tree.id {
                return;
            }
            for line in lines {
                let kind = match line.octal {
                    "40000" => "tree",
                    "160000" => "commit",
                    _ => "blob",
                };
                let _ = write!(stdin, "{} {kind} {}\t", line.octal, line.id);
                stdin.extend_from_slice(line.name);
                stdin.push(0);
            }
            stdin.push(0);
        })?;
        let stdout = self.write(&["mktree", "-z", "--missing", "--batch"], &stdin, folder)?;
        let text = String::from_utf8_lossy(&stdout);
        let last = text.lines().next_back().unwrap_or_default();
        if ObjectId::parse(last) == Some(tree.id) {
            return Ok(());
        }
        Err(RepoError::Stored { path: self.top.clone(), expected: tree.id, stored: last.to_owned() })
    }
}

/// Copies a link's text into a file, because git would follow the link.
fn link_text(link: &Path, folder: &Path, number: usize) -> RepoResult<std::path::PathBuf> {
    let trouble = |error| RepoError::Look { path: link.to_owned(), error };
    let copy = folder.join(number.to_string());
    std::fs::write(&copy, link.read_link().map_err(trouble)?.as_os_str().as_bytes()).map_err(trouble)?;
    Ok(copy)
}
