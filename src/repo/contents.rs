//! Many blobs at once, and a file through its history.

use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::{ObjectId, Repo};
use crate::error::Result;

impl Repo {
    /// The bytes of each of these blobs, in order; none for one that is larger than `most` bytes, no blob, or not stored here.
    /// Two processes, none where nothing is asked for.
    pub fn contents(&self, ids: &[ObjectId], most: u64) -> Result<Vec<Option<Vec<u8>>>> {
        self.contents_within(&ids.iter().map(|id| (*id, most)).collect::<Vec<_>>())
    }

    /// [`Repo::contents`] with a limit of its own for each blob. Two processes.
    pub fn contents_within(&self, ids: &[(ObjectId, u64)]) -> Result<Vec<Option<Vec<u8>>>> {
        let sizes = self.sizes(ids.iter().map(|(id, _)| id.to_string()))?;
        let small = |((id, size), (_, most)): (&(Option<ObjectId>, u64), &(ObjectId, u64))| id.filter(|_| size <= most);
        let wanted: Vec<Option<ObjectId>> = sizes.iter().zip(ids).map(small).collect();
        let mut stdin = Vec::new();
        wanted.iter().flatten().for_each(|id| drop(writeln!(stdin, "{id}")));
        let stdout = if stdin.is_empty() { Vec::new() } else { self.git(&["cat-file", "--batch"], &stdin)? };
        let mut rest = stdout.as_slice();
        Ok(wanted.into_iter().map(|id| id.and_then(|id| next(&mut rest, id))).collect())
    }

    /// The blobs that `path` (relative to the top) was in the newest commits that changed it, newest first, at most so many.
    /// Two processes; none on a branch without commits.
    pub fn versions(&self, path: &Path, most: usize) -> Result<Vec<ObjectId>> {
        let most = format!("--max-count={most}");
        let args = ["rev-list", &most, "HEAD", "--"].map(std::ffi::OsStr::new);
        let captured = self.ask(&[&args[..], &[path.as_os_str()]].concat(), b"")?;
        // A name with a line break cannot be asked for by line.
        if !captured.status.success() || path.as_os_str().as_bytes().contains(&b'\n') {
            return Ok(Vec::new());
        }
        let commits = String::from_utf8_lossy(&captured.stdout).into_owned();
        let commits = commits.lines().filter(|line| ObjectId::parse(line).is_some());
        let found = self.sizes(commits.map(|commit| format!("{commit}:{}", path.to_string_lossy())))?;
        Ok(found.into_iter().filter_map(|(id, _)| id).collect())
    }

    /// Id and size of each blob that is named; no id where there is none.
    fn sizes(&self, names: impl Iterator<Item = String>) -> Result<Vec<(Option<ObjectId>, u64)>> {
        let mut stdin = Vec::new();
        names.for_each(|name| drop(writeln!(stdin, "{name}")));
        if stdin.is_empty() {
            return Ok(Vec::new());
        }
        let stdout = self.git(&["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], &stdin)?;
        let text = String::from_utf8_lossy(&stdout);
        Ok(text.lines().map(|line| blob(line).map_or((None, 0), |(id, size)| (Some(id), size))).collect())
    }
}

/// `<id> blob <size>`
fn blob(line: &str) -> Option<(ObjectId, u64)> {
    let mut words = line.split(' ');
    let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
    (kind == "blob").then_some((ObjectId::parse(id)?, size.parse().ok()?))
}

/// `<id> blob <size>`, the bytes, and a line break.
fn next(rest: &mut &[u8], id: ObjectId) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (found, size) = blob(std::str::from_utf8(&rest[..end]).ok()?)?;
    let size = usize::try_from(size).ok()?;
    let bytes = rest.get(end + 1..end + 1 + size)?.to_vec();
    *rest = rest.get(end + size + 2..).unwrap_or_default();
    (found == id).then_some(bytes)
}
