//! Reads many stored objects at once with `git cat-file`, in two processes for any number.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::error::{RepoError, RepoResult};
use super::id::object_id;
use super::{ObjectId, Repo};
use crate::error::Result;

/// The object that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectInfo {
    pub(super) id: ObjectId,
    pub(super) kind: Object,
    /// Its size in bytes.
    pub(super) size: u64,
}

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Blob,
    Commit,
    Other,
}

/// Receives the bytes of the object with this number; `None` if it does not exist.
pub(super) type OnObject<'t> = dyn FnMut(usize, Option<&[u8]>) -> RepoResult<()> + 't;

impl ObjectInfo {
    /// Its size, if it is a blob.
    pub(super) fn blob(self) -> Option<u64> {
        (self.kind == Object::Blob).then_some(self.size)
    }
}

impl Repo {
    /// Returns the bytes of each of these blobs, in order. `None` for an object that is larger than `most` bytes, not a blob, or
    /// not stored here. So a pushed ref cannot fill the memory. Two processes; none for an empty list.
    pub fn contents(&self, ids: &[ObjectId], most: u64) -> Result<Vec<Option<Vec<u8>>>> {
        self.contents_within(&ids.iter().map(|id| (*id, most)).collect::<Vec<_>>())
    }

    /// Like [`Repo::contents`], with a separate limit for each blob. Two processes.
    pub fn contents_within(&self, ids: &[(ObjectId, u64)]) -> Result<Vec<Option<Vec<u8>>>> {
        let found = self.look_up(ids.iter().map(|(id, _)| id.to_string()))?;
        let is_small = |(found, (_, most)): (&Option<ObjectInfo>, &(ObjectId, u64))| {
            found.and_then(ObjectInfo::blob).is_some_and(|size| size <= *most)
        };
        let small: Vec<bool> = found.iter().zip(ids).map(is_small).collect();
        let wanted: Vec<ObjectId> =
            small.iter().zip(ids).filter(|(small, _)| **small).map(|(_, (id, _))| *id).collect();
        let mut bytes = self.all_of(&wanted)?.into_iter();
        Ok(small.into_iter().map(|small| if small { bytes.next().flatten() } else { None }).collect())
    }

    /// Like [`Repo::contents`], by id, and only with blobs that were read. Two processes.
    pub fn small_blobs(&self, ids: &[ObjectId], most: u64) -> Result<BTreeMap<ObjectId, Vec<u8>>> {
        let ids: Vec<ObjectId> = ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let bytes = self.contents(&ids, most)?;
        Ok(ids.into_iter().zip(bytes).filter_map(|(id, bytes)| Some((id, bytes?))).collect())
    }

    /// The newest versions of the file at `path`, newest first, from at most `count` commits that changed it. Commits
    /// without the file, or with more than `most` bytes, are skipped. Four processes; one on a branch without commits.
    pub fn versions(&self, path: &Path, count: usize, most: u64) -> Result<Vec<Vec<u8>>> {
        let blobs: Vec<ObjectId> = self.small_versions(path, count, most)?.into_iter().map(|(_, blob)| blob).collect();
        Ok(self.all_of(&blobs)?.into_iter().flatten().collect())
    }

    /// Of the newest `count` commits that changed the file at `path`, returns the oldest one whose version satisfies `is`.
    /// Versions of more than `most` bytes are skipped. Two processes, and one for each 64 versions.
    pub fn first_version(
        &self,
        path: &Path,
        count: usize,
        most: u64,
        is: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Option<ObjectId>> {
        const AT_ONCE: usize = 64;
        let mut versions = self.small_versions(path, count, most)?;
        versions.reverse();
        for part in versions.chunks(AT_ONCE) {
            let bytes = self.all_of(&part.iter().map(|(_, blob)| *blob).collect::<Vec<_>>())?;
            let mut part = part.iter().zip(bytes);
            if let Some(((commit, _), _)) = part.find(|(_, bytes)| bytes.as_deref().is_some_and(is)) {
                return Ok(Some(*commit));
            }
        }
        Ok(None)
    }

    /// Returns commit and blob of each of these versions, newest first, without those of more than `most` bytes.
    fn small_versions(&self, path: &Path, count: usize, most: u64) -> Result<Vec<(ObjectId, ObjectId)>> {
        let path = self.relative(path)?;
        let name = path.as_os_str().as_bytes();
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let commits = self.commits_of(head, &path, count)?;
        let found = self.look_up(commits.iter().map(|commit| [commit.to_string().as_bytes(), b":", name].concat()))?;
        let is_small = |found: &ObjectInfo| found.blob().is_some_and(|size| size <= most);
        let small = |(commit, found): (ObjectId, Option<ObjectInfo>)| Some((commit, found.filter(is_small)?.id));
        Ok(commits.into_iter().zip(found).filter_map(small).collect())
    }

    /// Returns the full id for each of these commit names. `None` if the name is unknown here, ambiguous, or the name of a
    /// branch. One process.
    pub fn commits(&self, names: &[String]) -> Result<Vec<Option<ObjectId>>> {
        // Only names that can be a short id. A branch can have such a name too; then git answers with its commit.
        let plain = |name: &&String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let asked: Vec<&String> = names.iter().filter(plain).collect();
        let found = self.look_up(asked.iter().map(|name| format!("{name}^{{commit}}")))?;
        let begins = |(name, found): (&String, Option<ObjectInfo>)| {
            let id = found.filter(|found| found.kind == Object::Commit)?.id;
            id.to_string().starts_with(&name.to_ascii_lowercase()).then_some((name.clone(), id))
        };
        let known: BTreeMap<String, ObjectId> = asked.into_iter().zip(found).filter_map(begins).collect();
        Ok(names.iter().map(|name| known.get(name).copied()).collect())
    }

    /// Returns the objects of this list that are not stored here. One process; none for an empty list.
    pub fn missing(&self, ids: &[ObjectId]) -> Result<Vec<ObjectId>> {
        let found = self.look_up(ids.iter().map(ObjectId::to_string))?;
        Ok(ids.iter().zip(found).filter(|(_, found)| found.is_none()).map(|(id, _)| *id).collect())
    }

    /// Fails unless every object of this list is stored here. One process; none for an empty list.
    pub fn require(&self, ids: &[ObjectId]) -> Result<()> {
        self.missing(ids)?.first().map_or(Ok(()), |id| Err(RepoError::Missing { id: *id }.into()))
    }

    /// Returns the object that each name refers to. `None` if it is not stored here, or if the name has a line break, which would
    /// end the query. One process; none for an empty list.
    pub(super) fn look_up(&self, names: impl Iterator<Item = impl AsRef<[u8]>>) -> RepoResult<Vec<Option<ObjectInfo>>> {
        let names: Vec<Vec<u8>> = names.map(|name| name.as_ref().to_vec()).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(found) = self.object_infos(&names)? {
            return Ok(found);
        }
        let mut stdin = Vec::new();
        for name in &names {
            stdin.extend_from_slice(if name.contains(&b'\n') { b"" } else { name });
            stdin.push(b'\n');
        }
        let stdout = self.git(&["cat-file", "--batch-check"], &stdin)?;
        let lines = stdout.strip_suffix(b"\n").unwrap_or(&stdout).split(|byte| *byte == b'\n');
        let found: Vec<Option<ObjectInfo>> = lines.map(header).collect();
        if found.len() == names.len() { Ok(found) } else { Err(unclear(&stdout)) }
    }

    /// Calls `each` for each of these blobs, in order; without bytes if the blob is not stored here. The bytes of all blobs may
    /// be in memory at once. One process; none for an empty list.
    pub(super) fn read_all(&self, ids: &[ObjectId], each: &mut OnObject<'_>) -> RepoResult<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let names: Vec<Vec<u8>> = ids.iter().map(|id| id.to_string().into_bytes()).collect();
        let mut done = 0;
        let each = &mut |number: usize, bytes: Option<&[u8]>| {
            bytes.map_or(Ok(()), |bytes| check("blob", ids[number], bytes))?;
            each(number, bytes)
        };
        if self.read_objects(&names, &mut done, each)? {
            return Ok(());
        }
        let stdin: String = ids[done..].iter().map(|id| format!("{id}\n")).collect();
        let stdout = self.git(&["cat-file", "--batch"], stdin.as_bytes())?;
        let mut rest = &stdout[..];
        for number in done..ids.len() {
            let (bytes, next) = answer(rest).ok_or_else(|| unclear(rest))?;
            each(number, bytes)?;
            rest = next;
        }
        Ok(())
    }

    pub(super) fn all_of(&self, ids: &[ObjectId]) -> RepoResult<Vec<Option<Vec<u8>>>> {
        let mut all = Vec::new();
        self.read_all(ids, &mut |_, bytes| {
            all.push(bytes.map(<[u8]>::to_vec));
            Ok(())
        })?;
        Ok(all)
    }
}

/// Fails if the bytes do not match the object's id: git returns whatever its file holds.
pub(super) fn check(kind: &str, id: ObjectId, bytes: &[u8]) -> RepoResult<()> {
    if object_id(id.format(), kind, bytes) == id { Ok(()) } else { Err(RepoError::OtherBytes { id }) }
}

/// Reads `<id> <kind> <size>`. `None` for `<name> missing` and `<name> ambiguous`.
pub(super) fn header(line: &[u8]) -> Option<ObjectInfo> {
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let (id, kind, size, None) = (words.next()?, words.next()?, words.next()?, words.next()) else { return None };
    let kind = match kind {
        "blob" => Object::Blob,
        "commit" => Object::Commit,
        _ => Object::Other,
    };
    Some(ObjectInfo { id: ObjectId::parse(id)?, kind, size: size.parse().ok()? })
}

/// Splits an answer into its first object and the rest. An object is a header, a line break, the bytes, a line break; a missing
/// object is one line that says so.
fn answer(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
    if line.ends_with(b" missing") {
        return Some((None, rest));
    }
    let (body, rest) = rest.split_at_checked(usize::try_from(header(line)?.size).ok()?)?;
    Some((Some(body), rest.strip_prefix(b"\n")?))
}

fn unclear(answer: &[u8]) -> RepoError {
    let line = answer.split(|byte| *byte == b'\n').next().unwrap_or_default();
    RepoError::Answer { what: "cat-file", found: String::from_utf8_lossy(line).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_cut_at_their_sizes() {
        let id = "ce013625030ba8dba906f756967f9e9ca394464a";
        let text = format!("{id} blob 5\na\nb\n\n\n{id} missing\n{id} blob 0\n\n");
        let (first, rest) = answer(text.as_bytes()).unwrap();
        let (second, rest) = answer(rest).unwrap();
        let (third, rest) = answer(rest).unwrap();
        assert_eq!((first, second, third, rest), (Some(&b"a\nb\n\n"[..]), None, Some(&b""[..]), &b""[..]));
        assert_eq!(answer(format!("{id} blob 60\nshort\n").as_bytes()), None);
        assert_eq!(answer(format!("{id} blob 2\nlong\n").as_bytes()), None);
        assert_eq!(answer(b"nonsense\n"), None);
    }

    #[test]
    fn a_name_that_reads_like_an_answer_is_none() {
        let id = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert!(header(format!("{id} blob 5").as_bytes()).is_some());
        for line in [format!("{id} blob 5 missing"), format!("{id}:a blob 5"), format!("{id} missing")] {
            assert_eq!(header(line.as_bytes()), None, "{line}");
        }
    }
}
