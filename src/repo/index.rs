//! Reads the entries of the index and the files that git does not know, with one call of `git ls-files`.

use std::path::PathBuf;

use super::error::RepoError;
use super::{ObjectId, Repo};

/// Seconds and nanoseconds since 1970, cut as in the index.
pub(super) type Time = (u32, u32);

/// The stat data that the index holds for a file whose content it knew, cut to 32 bits as there.
/// `ctime` is always compared, whatever the repository's settings say (`core.checkStat`, `core.trustctime`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) ctime: Time,
    pub(super) mtime: Time,
    pub(super) inode: u32,
    pub(super) user: u32,
    pub(super) group: u32,
    pub(super) size: u32,
}

/// A flag that tells git to ignore changes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `git update-index --assume-unchanged`, also set by `core.ignoreStat`.
    AssumeUnchanged,
    /// `git update-index --skip-worktree`, also set by a sparse checkout.
    SkipWorktree,
}

/// An index entry with such a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flagged {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// The flag.
    pub flag: Flag,
    /// Whether the file is missing on disk.
    pub absent: bool,
}

/// One entry of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry<'a> {
    pub(super) path: &'a [u8],
    pub(super) mode: u32,
    pub(super) id: ObjectId,
    /// 0 normally, 1 to 3 in a conflict.
    pub(super) stage: u8,
    pub(super) assume_unchanged: bool,
    pub(super) skip_worktree: bool,
    pub(super) intent_to_add: bool,
    /// `None` if git's output is not understood. Then the file is hashed.
    pub(super) stat: Option<Stat>,
}

/// The whole answer, in git's order.
#[derive(Debug, Default)]
pub(super) struct IndexListing<'a> {
    pub(super) indexed: Vec<IndexEntry<'a>>,
    /// Paths that are neither in the index nor ignored. A path that ends in `/` is a separate repository.
    pub(super) others: Vec<&'a [u8]>,
}

impl Repo {
    /// Returns the bytes that [`parse`] reads. `--debug` adds the stat data. Its format is not guaranteed; if a part is not
    /// understood, the only cost is hashing a file.
    pub(super) fn list_files(&self) -> Result<Vec<u8>, RepoError> {
        self.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--stage", "-v", "--debug"], b"")
    }
}

/// Parses the output of [`Repo::list_files`].
pub(super) fn parse(bytes: &[u8]) -> Result<IndexListing<'_>, RepoError> {
    let mut listed = IndexListing::default();
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let record = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(path) = record.strip_prefix(b"? ") {
            listed.others.push(path);
            continue;
        }
        let mut indexed = entry(record).ok_or_else(|| RepoError::Answer {
            what: "ls-files",
            found: String::from_utf8_lossy(&record[..record.len().min(200)]).into_owned(),
        })?;
        rest = debug(rest, &mut indexed);
        listed.indexed.push(indexed);
    }
    Ok(listed)
}

/// Parses `H 100644 <id> 0<TAB><path>`. The letter is lower case for assume-unchanged, and `S` for skip-worktree.
fn entry(record: &[u8]) -> Option<IndexEntry<'_>> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split(' ');
    let (tag, mode, id, stage) = (words.next()?, words.next()?, words.next()?, words.next()?);
    Some(IndexEntry {
        path: &record[tab + 1..],
        mode: u32::from_str_radix(mode, 8).ok()?,
        id: ObjectId::parse(id)?,
        stage: stage.parse().ok()?,
        assume_unchanged: tag.starts_with(|letter: char| letter.is_ascii_lowercase()),
        skip_worktree: tag.eq_ignore_ascii_case("s"),
        intent_to_add: false,
        stat: None,
    })
}

/// Parses the indented lines after an entry and returns the rest.
fn debug<'a>(mut rest: &'a [u8], indexed: &mut IndexEntry<'_>) -> &'a [u8] {
    const INTENT_TO_ADD: u32 = 1 << 29;
    let mut stat = Stat::default();
    let mut seen = 0;
    while rest.starts_with(b"  ") {
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
        let line = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        rest = &rest[end..];
        for field in line.trim().split('\t') {
            let Some((name, value)) = field.split_once(": ") else { continue };
            seen += usize::from(remember(&mut stat, name, value).is_some());
            if name == "flags" {
                let flags = u32::from_str_radix(value, 16).unwrap_or_default();
                indexed.intent_to_add = flags & INTENT_TO_ADD != 0;
            }
        }
    }
    indexed.stat = (seen == 6).then_some(stat);
    rest
}

fn remember(stat: &mut Stat, name: &str, value: &str) -> Option<()> {
    let time = || {
        let (seconds, nanoseconds) = value.split_once(':')?;
        Some((seconds.parse().ok()?, nanoseconds.parse().ok()?))
    };
    match name {
        "ctime" => stat.ctime = time()?,
        "mtime" => stat.mtime = time()?,
        "ino" => stat.inode = value.parse().ok()?,
        "uid" => stat.user = value.parse().ok()?,
        "gid" => stat.group = value.parse().ok()?,
        "size" => stat.size = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "ce013625030ba8dba906f756967f9e9ca394464a";
    const DEBUG: &str = "  ctime: 1:2\n  mtime: 3:4\n  dev: 9\tino: 5\n  uid: 6\tgid: 7\n  size: 8\tflags: 100000\n";

    #[test]
    fn entries_and_others_are_told_apart_whatever_their_names() {
        let answer =
            format!("? new\n  ctime: 1:2\0h 100644 {ID} 0\ta\tb\nc\0{DEBUG}S 120000 {ID} 0\tl\0{DEBUG}? nest/\0");
        let listed = parse(answer.as_bytes()).unwrap();
        assert_eq!(listed.others, [b"new\n  ctime: 1:2".as_slice(), b"nest/"]);
        let [first, second] = &listed.indexed[..] else { panic!("{:?}", listed.indexed) };
        assert_eq!((first.path, first.assume_unchanged, first.skip_worktree), (b"a\tb\nc".as_slice(), true, false));
        assert_eq!((second.mode, second.assume_unchanged, second.skip_worktree), (0o120_000, false, true));
        let stat = Stat { ctime: (1, 2), mtime: (3, 4), inode: 5, user: 6, group: 7, size: 8 };
        assert_eq!(first.stat, Some(stat));
    }

    #[test]
    fn stat_data_in_another_form_is_no_stat_data() {
        for debug in
            ["", "  ctime: 1:2\n", &DEBUG.replace("ino: 5", "ino: five"), &DEBUG.replace("mtime: 3:4", "mtime: 3")]
        {
            let answer = format!("H 100644 {ID} 0\ta\0{debug}H 100644 {ID} 0\tb\0{DEBUG}");
            let listed = parse(answer.as_bytes()).unwrap();
            assert_eq!(listed.indexed.len(), 2, "{debug}");
            assert_eq!(listed.indexed[0].stat, None, "{debug}");
            assert!(listed.indexed[1].stat.is_some(), "{debug}");
        }
    }

    #[test]
    fn intent_to_add_is_read_from_the_flags() {
        let answer = format!("H 100644 {ID} 0\ta\0{}", DEBUG.replace("100000", "20004000"));
        assert!(parse(answer.as_bytes()).unwrap().indexed[0].intent_to_add);
    }

    #[test]
    fn what_is_no_entry_is_said() {
        let trouble = parse(b"H 100644 zz 0\ta\0").unwrap_err().to_string();
        assert_eq!(trouble, "`git ls-files` gave an answer that `plan` does not understand: `H 100644 zz 0\ta`");
    }
}
