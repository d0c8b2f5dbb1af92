//! Reads refs and settings from git's own files if these have the whole answer. This saves a process for each
//! question.
//!
//! A file is used only if it can be read in just one way: a setting that does not occur in the text is not set. Everything else
//! is left to git: refs in another storage, symbolic refs and broken refs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::{ObjectId, Repo};
use crate::disk::open_regular;

/// The maximum number of bytes of a configuration to read here. A larger one is left to git.
const CONFIG: u64 = 256 << 10;
/// The maximum number of bytes of packed refs to read here. Larger ones are left to git.
const PACKED: u64 = 64 << 20;
/// The maximum depth of folders below a prefix.
const DEEPEST: usize = 16;

type Refs = BTreeMap<String, ObjectId>;

impl Repo {
    /// Whether the repository's own configuration may set a key that contains one of these words (lower case). True if a file cannot
    /// be read.
    pub(super) fn may_set(&self, words: &[&str]) -> bool {
        may_set(&self.common_dir, &self.git_dir, words)
    }

    /// The refs at and below these prefixes (`refs/heads`). `None` if only git can tell.
    pub(super) fn refs_in_files(&self, prefixes: &[&str]) -> Option<Refs> {
        // A repository with another storage of refs sets an extension.
        if self.may_set(&["extensions"]) || !prefixes.iter().all(|prefix| is_shared(prefix)) {
            return None;
        }
        let mut refs = Refs::new();
        // The same order as in git: a ref that is packed meanwhile is found in one of the two places.
        for prefix in prefixes {
            loose(&self.common_dir.join(prefix), prefix, 0, &mut refs)?;
        }
        let packed = match read(&self.common_dir.join("packed-refs"), PACKED) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(refs),
            Err(_) => return None,
        };
        for line in packed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && !b"#^".contains(&line[0])) {
            let (id, name) = std::str::from_utf8(line).ok()?.split_once(' ')?;
            let is_below =
                |prefix: &&str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            if prefixes.iter().any(is_below) && !refs.contains_key(name) {
                refs.insert(name.to_owned(), ObjectId::parse(id)?);
            }
        }
        Some(refs)
    }

    /// The full name of the branch that HEAD is on. `None` if HEAD names a commit, or if only git can tell.
    pub(super) fn branch_in_file(&self) -> Option<String> {
        let bytes = read(&self.git_dir.join("HEAD"), 4096).ok()?;
        let name = std::str::from_utf8(&bytes).ok()?.strip_prefix("ref: ")?.trim_end();
        is_shared(name).then(|| name.to_owned())
    }
}

/// Like [`Repo::may_set`], for a repository that is not open yet.
pub(super) fn may_set(common_dir: &Path, git_dir: &Path, words: &[&str]) -> bool {
    [common_dir.join("config"), git_dir.join("config.worktree")].iter().any(|file| match read(file, CONFIG) {
        Ok(mut text) => {
            text.make_ascii_lowercase();
            // Another file may be included, and set anything.
            words.iter().chain(&["include"]).any(|word| memchr::memmem::find(&text, word.as_bytes()).is_some())
        }
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    })
}

/// Whether git accepts this name, for a ref that all work trees share.
fn is_shared(name: &str) -> bool {
    const OWN: [&str; 3] = ["refs/bisect", "refs/rewritten", "refs/worktree"];
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_odd = |byte: u8| !byte.is_ascii_graphic() || b"~^:?*[\\".contains(&byte);
    name.starts_with("refs/")
        && !OWN.iter().any(|own| name.starts_with(own))
        && name.split('/').all(is_plain)
        && !name.bytes().any(is_odd)
        && !name.contains("..")
}

/// Adds the refs in the file or folder at `path`; `None` if one of them is not a plain ref.
fn loose(path: &Path, name: &str, depth: usize, refs: &mut Refs) -> Option<()> {
    let kind = match path.symlink_metadata() {
        Ok(meta) => meta.file_type(),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Some(()),
        Err(_) => return None,
    };
    if kind.is_file() {
        let text = match read(path, 4096) {
            Ok(bytes) => String::from_utf8(bytes).ok()?,
            // The ref was removed or packed after it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(()),
            Err(_) => return None,
        };
        refs.insert(name.to_owned(), ObjectId::parse(text.trim_end())?);
        return Some(());
    }
    if !kind.is_dir() || depth == DEEPEST {
        return None;
    }
    for entry in fs::read_dir(path).ok()? {
        let file_name = entry.ok()?.file_name();
        if file_name.as_bytes().ends_with(b".lock") {
            continue;
        }
        let name = format!("{name}/{}", file_name.to_str()?);
        is_shared(&name).then(|| loose(&path.join(&file_name), &name, depth + 1, refs))??;
    }
    Some(())
}

/// Reads a regular file of at most `most` bytes; does not block on a pipe.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}
