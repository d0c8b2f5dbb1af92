//! Many stored objects at once: whatever their number, two processes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::error::Trouble;
use super::{ObjectId, Repo};
use crate::error::Result;

impl Repo {
    /// The blobs among these objects that are stored here and have at most `most` bytes; anything else is left out, so that
    /// a ref which somebody pushed can name nothing that fills the memory. Two processes.
    pub fn small_blobs(&self, ids: &[ObjectId], most: u64) -> Result<BTreeMap<ObjectId, Vec<u8>>> {
        let ids: BTreeSet<ObjectId> = ids.iter().copied().collect();
        let looked = self.batch("--batch-check", ids.iter().map(ObjectId::to_string))?;
        let lines = String::from_utf8_lossy(&looked);
        let small: Vec<ObjectId> = lines.lines().filter_map(|line| small_blob(line, most)).collect();
        let bytes = self.batch("--batch", small.iter().map(ObjectId::to_string))?;
        Ok(contents(&bytes)?)
    }

    /// The file at `path` in each of these commits, as far as it was there and has at most `most` bytes. Three
    /// processes.
    pub fn files_at(&self, commits: &[ObjectId], path: &Path, most: u64) -> Result<Vec<Vec<u8>>> {
        let path = self.relative(path)?;
        // A line break would end the question; such a file has no history here.
        let Some(name) = path.to_str().filter(|name| !name.contains('\n')) else { return Ok(Vec::new()) };
        let looked = self.batch("--batch-check", commits.iter().map(|commit| format!("{commit}:{name}")))?;
        let lines = String::from_utf8_lossy(&looked);
        let ids: Vec<ObjectId> = lines.lines().filter_map(|line| small_blob(line, most)).collect();
        let blobs = self.small_blobs(&ids, most)?;
        Ok(ids.iter().filter_map(|id| blobs.get(id).cloned()).collect())
    }

    /// For each of these names of commits the whole id; none where it is unknown here or names several. One process.
    pub fn commits(&self, names: &[String]) -> Result<Vec<Option<ObjectId>>> {
        // Only what can be a short id: a name such as `HEAD` would be resolved too.
        let plain = |name: &&String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let asked: Vec<&String> = names.iter().filter(plain).collect();
        let looked = self.batch("--batch-check", asked.iter().map(|name| format!("{name}^{{commit}}")))?;
        let lines = String::from_utf8_lossy(&looked);
        let found: BTreeMap<&String, Option<ObjectId>> = asked.into_iter().zip(lines.lines().map(commit)).collect();
        Ok(names.iter().map(|name| found.get(name).copied().flatten()).collect())
    }

    fn batch(&self, how: &str, names: impl Iterator<Item = String>) -> std::result::Result<Vec<u8>, Trouble> {
        let stdin: String = names.map(|name| name + "\n").collect();
        if stdin.is_empty() { Ok(Vec::new()) } else { self.git(&["cat-file", how], stdin.as_bytes()) }
    }
}

/// `<id> blob <size>`
fn small_blob(line: &str, most: u64) -> Option<ObjectId> {
    let mut words = line.split(' ');
    let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
    (kind == "blob" && size.parse::<u64>().ok()? <= most).then(|| ObjectId::parse(id)).flatten()
}

fn commit(line: &str) -> Option<ObjectId> {
    let (id, rest) = line.split_once(' ')?;
    rest.starts_with("commit ").then(|| ObjectId::parse(id)).flatten()
}

/// `<id> blob <size>`, a line break, the bytes, a line break; again and again.
fn contents(mut bytes: &[u8]) -> std::result::Result<BTreeMap<ObjectId, Vec<u8>>, Trouble> {
    let mut blobs = BTreeMap::new();
    while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&bytes[..end]);
        let size = head.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let id = head.split(' ').next().and_then(ObjectId::parse);
        let body = size.and_then(|size| Some((bytes.get(end + 1..end + 1 + size)?, end + 2 + size)));
        let (Some(id), Some((body, next))) = (id, body) else {
            return Err(Trouble::Answer { what: "cat-file", found: head.into_owned() });
        };
        blobs.insert(id, body.to_vec());
        bytes = bytes.get(next..).unwrap_or_default();
    }
    Ok(blobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_cut_at_their_sizes() {
        let id = "ce013625030ba8dba906f756967f9e9ca394464a";
        let other = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let text = format!("{id} blob 5\na\nb\n\n\n{other} blob 0\n\n");
        let blobs = contents(text.as_bytes()).unwrap();
        assert_eq!(blobs[&ObjectId::parse(id).unwrap()], b"a\nb\n\n");
        assert_eq!(blobs[&ObjectId::parse(other).unwrap()], b"");
        assert!(contents(format!("{id} blob 60\nshort\n").as_bytes()).is_err());
        assert!(contents(b"nonsense\n").is_err());
    }
}
