//! Storing a tree: the blobs that were read from the disk, and the tree objects.

use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::error::Trouble;
use super::tree::{Entry, Mode, Tree, build};
use super::{ObjectId, Repo};
use crate::error::Result;

impl Repo {
    /// Stores every object of `tree` that may not be stored yet, as loose objects of the repository, and makes sure that
    /// each got the id it was expected to have. Two processes at most; without a ref ([`Repo::pin`]) git will collect
    /// them one day.
    ///
    /// Errors: [`Kind::Changed`](crate::error::Kind) where a file is not what it was when the tree was taken.
    pub fn store(&self, tree: &Tree) -> Result<()> {
        self.store_blobs(tree)?;
        Ok(self.store_trees(tree)?)
    }

    fn store_blobs(&self, tree: &Tree) -> std::result::Result<(), Trouble> {
        let read: Vec<&Entry> = tree.entries.iter().filter(|entry| entry.read).collect();
        if read.is_empty() {
            return Ok(());
        }
        let ids = match self.hash_all(&read) {
            Err(trouble @ Trouble::Process(_)) => return Err(trouble),
            Err(trouble) => return Err(self.vanished(&read).unwrap_or(trouble)),
            Ok(ids) => ids,
        };
        match read.iter().zip(ids).find(|(entry, id)| *id != Some(entry.id)) {
            Some((entry, _)) => Err(Trouble::Unstable { path: entry.path.clone() }),
            None => Ok(()),
        }
    }

    /// Stores what now stands at these entries' paths; the id of each.
    fn hash_all(&self, entries: &[&Entry]) -> std::result::Result<Vec<Option<ObjectId>>, Trouble> {
        let folder = tempfile::tempdir().map_err(|error| Trouble::Look { path: std::env::temp_dir(), error })?;
        let mut stdin = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let path = self.top.join(&entry.path);
            let source = if entry.mode == Mode::Link { link_text(&path, folder.path(), number)? } else { path };
            quote(source.as_os_str().as_bytes(), &mut stdin);
        }
        let stdout = self.git(&["hash-object", "-t", "blob", "-w", "--no-filters", "--stdin-paths"], &stdin)?;
        let mut ids: Vec<_> = String::from_utf8_lossy(&stdout).lines().map(ObjectId::parse).collect();
        ids.resize(entries.len(), None);
        Ok(ids)
    }

    /// The first of these entries that is no file, or no link, any more.
    fn vanished(&self, entries: &[&Entry]) -> Option<Trouble> {
        let stands = |entry: &Entry| match self.top.join(&entry.path).symlink_metadata() {
            Ok(meta) => {
                if entry.mode == Mode::Link {
                    meta.is_symlink()
                } else {
                    meta.is_file()
                }
            }
            Err(_) => false,
        };
        let entry = entries.iter().find(|entry| !stands(entry))?;
        Some(Trouble::Unstable { path: entry.path.clone() })
    }

    fn store_trees(&self, tree: &Tree) -> std::result::Result<(), Trouble> {
        let mut stdin = Vec::new();
        build(self.format, &tree.entries, &mut |lines| {
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
        let stdout = self.git(&["mktree", "-z", "--missing", "--batch"], &stdin)?;
        let text = String::from_utf8_lossy(&stdout);
        let last = text.lines().next_back().unwrap_or_default();
        if ObjectId::parse(last) == Some(tree.id) {
            return Ok(());
        }
        Err(Trouble::Stored { path: self.top.clone(), expected: tree.id, stored: last.to_owned() })
    }
}

/// git would follow the link: its text is handed over as a file.
fn link_text(link: &Path, folder: &Path, number: usize) -> std::result::Result<std::path::PathBuf, Trouble> {
    let trouble = |error| Trouble::Look { path: link.to_owned(), error };
    let copy = folder.join(number.to_string());
    std::fs::write(&copy, link.read_link().map_err(trouble)?.as_os_str().as_bytes()).map_err(trouble)?;
    Ok(copy)
}

/// A line of `--stdin-paths`, quoted as git quotes, so that any name fits on it.
fn quote(path: &[u8], line: &mut Vec<u8>) {
    line.push(b'"');
    for byte in path {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', *byte]),
            0..=0x1f | 0x7f.. => line.extend(format!("\\{byte:03o}").into_bytes()),
            _ => line.push(*byte),
        }
    }
    line.extend(b"\"\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_fits_on_a_line() {
        let mut line = Vec::new();
        quote(b"a\"b\\c\nd \xff", &mut line);
        assert_eq!(line, b"\"a\\\"b\\\\c\\012d \\377\"\n");
    }
}
