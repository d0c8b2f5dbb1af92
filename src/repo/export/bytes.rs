//! Finds the bytes of the files to write: from the work tree if they still match the tree, otherwise from the object store.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::layout::{BytesFrom, LayoutFile};
use crate::repo::batch::ObjectInfo;
use crate::repo::disk::{PathKind, in_parallel, look, open};
use crate::repo::error::RepoError;
use crate::repo::id::object_id;
use crate::repo::index::Stat;
use crate::repo::tree::Mode;
use crate::repo::{ObjectId, Repo};

/// The maximum number of files in memory at once.
const AT_ONCE: usize = 256;
/// The number of bytes of objects in memory at once.
const BATCH: u64 = 32 << 20;
/// The maximum number of bytes of a file: a file is in memory as a whole, and a larger one is an error.
const LARGEST: u64 = 1 << 30;

type OnFile<'e> = dyn FnMut(&Path, &LayoutFile, &[u8]) -> Result<(), RepoError> + 'e;

/// Receives the bytes of the blob with this number.
pub(in crate::repo) type OnBlob<'t> = dyn FnMut(usize, &[u8]) -> Result<(), RepoError> + 't;

/// Files whose content on disk differs from the tree, although they did not change since the tree was taken.
#[derive(Debug, Default)]
pub(super) struct Mismatches {
    /// The bytes on disk are a known conversion of the tree's; the bytes on disk were passed on.
    pub(super) converted: Vec<PathBuf>,
    /// The bytes on disk are no known conversion; the tree's bytes were passed on.
    pub(super) filtered: Vec<PathBuf>,
}

/// Passes the bytes of every file to `each`, and returns the paths whose bytes on disk differ from the tree.
pub(super) fn each(
    repo: &Repo,
    wanted: &[(&Path, &LayoutFile)],
    each: &mut OnFile<'_>,
) -> Result<Mismatches, RepoError> {
    let mut stored: Vec<(&Path, &LayoutFile)> = Vec::new();
    let mut mismatches: Vec<(&Path, &LayoutFile, Vec<u8>)> = Vec::new();
    for part in wanted.chunks(AT_ONCE) {
        let top = &repo.top;
        let read = in_parallel(&places(part), |(path, mode, id, stat)| read(&top.join(path), *mode, *id, *stat));
        let mut read = read.into_iter();
        for (path, file) in part {
            match &file.from {
                BytesFrom::Bytes(bytes) => each(path, file, bytes)?,
                BytesFrom::Store => stored.push((path, file)),
                BytesFrom::Disk(_) => match read.next().unwrap_or(Ok(DiskContent::Gone))? {
                    DiskContent::Same(bytes) => each(path, file, &bytes)?,
                    DiskContent::Other(bytes) => mismatches.push((path, file, bytes)),
                    DiskContent::Gone => stored.push((path, file)),
                },
            }
        }
    }
    let mut paths = Mismatches::default();
    let ids: Vec<ObjectId> = mismatches.iter().map(|(_, file, _)| file.id()).collect();
    repo.blobs(&ids, &mut |at, blob| {
        let (path, file, bytes) = &mismatches[at];
        let explained = explains(bytes, blob);
        let list = if explained { &mut paths.converted } else { &mut paths.filtered };
        list.push(path.to_path_buf());
        each(path, file, if explained { bytes } else { blob })
    })?;
    let ids: Vec<ObjectId> = stored.iter().map(|(_, file)| file.id()).collect();
    repo.blobs(&ids, &mut |at, blob| each(stored[at].0, stored[at].1, blob))?;
    Ok(paths)
}

/// The files of `part` to look for on disk.
fn places<'p>(part: &[(&'p Path, &'p LayoutFile)]) -> Vec<(&'p Path, Mode, ObjectId, Stat)> {
    let place = |(path, file): &(&'p Path, &'p LayoutFile)| match file.from {
        BytesFrom::Disk(stat) => Some((*path, file.mode(), file.id(), stat)),
        _ => None,
    };
    part.iter().filter_map(place).collect()
}

enum DiskContent {
    /// The tree's bytes.
    Same(Vec<u8>),
    /// Other bytes, in the file from which the tree was taken.
    Other(Vec<u8>),
    /// A different file, or none.
    Gone,
}

fn read(path: &Path, mode: Mode, id: ObjectId, stat: Stat) -> Result<DiskContent, RepoError> {
    let trouble = |error| RepoError::Look { path: path.to_owned(), error };
    let same = |bytes: Vec<u8>| match object_id(id.format(), "blob", &bytes) == id {
        true => DiskContent::Same(bytes),
        false => DiskContent::Other(bytes),
    };
    match look(path).map_err(trouble)? {
        PathKind::Content(now, at) if now == mode && at == stat => {}
        _ => return Ok(DiskContent::Gone),
    }
    if mode == Mode::Link {
        return Ok(same(std::os::unix::ffi::OsStringExt::into_vec(
            path.read_link().map_err(trouble)?.into_os_string(),
        )));
    }
    let mut bytes = Vec::new();
    open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(trouble)?;
    if bytes.len() as u64 > LARGEST {
        return Err(RepoError::TooMuch { what: format!("`{}`", path.display()) });
    }
    Ok(same(bytes))
}

/// Whether the work tree's bytes are a conversion of the blob that can be verified: line ends, or git-lfs. Any other file, such
/// as one with a wrong index entry, is exported as in the tree.
fn explains(bytes: &[u8], blob: &[u8]) -> bool {
    let mut plain = bytes.to_vec();
    let mut after = plain.iter().skip(1).copied().chain([0]).collect::<Vec<u8>>().into_iter();
    plain.retain(|byte| !(after.next() == Some(b'\n') && *byte == b'\r'));
    plain == blob || is_pointer_to(blob, bytes)
}

/// Whether the blob is a git-lfs pointer (its specification, v1) to these bytes.
fn is_pointer_to(blob: &[u8], bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(blob.get(..1024).unwrap_or(blob)) else { return false };
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    text.starts_with("version https://git-lfs.github.com/spec/")
        && value("size ").is_some_and(|size| size == bytes.len().to_string())
        && value("oid sha256:").is_some_and(|oid| oid == format!("{:x}", Sha256::digest(bytes)))
}

impl Repo {
    /// Passes stored blobs to `each`, in order, in batches that fit into memory. One process, and one per batch.
    pub(in crate::repo) fn blobs(&self, ids: &[ObjectId], each: &mut OnBlob<'_>) -> Result<(), RepoError> {
        let found = self.look_up(ids.iter().map(ObjectId::to_string))?;
        let mut at = 0;
        while at < ids.len() {
            let (mut end, mut total) = (at, 0);
            while end < ids.len() && (end == at || total < BATCH) {
                let size = found[end].and_then(ObjectInfo::blob).ok_or(RepoError::Missing { id: ids[end] })?;
                if size > LARGEST {
                    return Err(RepoError::TooMuch { what: format!("object {}", ids[end]) });
                }
                total += size;
                end += 1;
            }
            self.read_all(&ids[at..end], &mut |number, blob| {
                each(at + number, blob.ok_or(RepoError::Missing { id: ids[at + number] })?)
            })?;
            at = end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_large_files_are_conversions_and_nothing_else_is() {
        assert!(explains(b"a\r\nb\r\n", b"a\nb\n"));
        assert!(!explains(b"a\rb\n", b"ab\n"));
        assert!(!explains(b"x", b"y"));
        let oid = format!("{:x}", Sha256::digest(b"large"));
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 5\n");
        assert!(explains(b"large", pointer.as_bytes()));
        assert!(!explains(b"Large", pointer.as_bytes()));
    }
}
