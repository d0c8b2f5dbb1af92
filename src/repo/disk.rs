//! Files on disk: examined without following links, and hashed raw, without the repository's filters.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{Mode as Permissions, OFlags};

use super::error::RepoError;
use super::id::{Format, ObjectHasher, ObjectId, object_id};
use super::index::{Stat, Time};
use super::tree::Mode;

/// The kind of thing at a path.
#[derive(Debug)]
pub(super) enum PathKind {
    Absent,
    Folder,
    /// A pipe, socket or device, which is never opened.
    Special,
    /// A file or a link, with its mode in a tree.
    Content(Mode, Stat),
}

/// Looks at `path` itself, not at the target of a link.
pub(super) fn look(path: &Path) -> io::Result<PathKind> {
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(PathKind::Absent);
        }
        Err(error) => return Err(error),
    };
    let kind = meta.file_type();
    Ok(match mode(&meta) {
        Some(mode) => PathKind::Content(mode, stat(&meta)),
        None if kind.is_dir() => PathKind::Folder,
        None => PathKind::Special,
    })
}

fn mode(meta: &Metadata) -> Option<Mode> {
    let kind = meta.file_type();
    match (kind.is_symlink(), kind.is_file(), meta.mode() & 0o100 != 0) {
        (true, ..) => Some(Mode::Link),
        (_, true, true) => Some(Mode::Executable),
        (_, true, false) => Some(Mode::File),
        _ => None,
    }
}

/// The stat data of the file, cut as in the index.
fn stat(meta: &Metadata) -> Stat {
    Stat {
        ctime: (meta.ctime() as u32, meta.ctime_nsec() as u32),
        mtime: (meta.mtime() as u32, meta.mtime_nsec() as u32),
        inode: meta.ino() as u32,
        user: meta.uid(),
        group: meta.gid(),
        size: meta.size() as u32,
    }
}

/// The time when `path` was last written, in the units of the index.
pub(super) fn written(path: &Path) -> Option<Time> {
    let meta = path.symlink_metadata().ok()?;
    Some((meta.mtime() as u32, meta.mtime_nsec() as u32))
}

/// Returns the mode and blob id of the link at `path`, or of the file of at most `most` bytes there.
///
/// # Errors
/// `FileTooLarge` for a larger file, which is not read.
pub(super) fn hash(path: &Path, format: Format, most: u64) -> Result<(Mode, ObjectId), RepoError> {
    let trouble = |error| RepoError::Look { path: path.to_owned(), error };
    let meta = path.symlink_metadata().map_err(trouble)?;
    if meta.file_type().is_symlink() {
        let text = path.read_link().map_err(trouble)?;
        return Ok((Mode::Link, object_id(format, "blob", text.as_os_str().as_bytes())));
    }
    for _ in 0..5 {
        let file = open(path).map_err(trouble)?;
        if let Some(hashed) = hash_file(file, format, most).map_err(trouble)? {
            return Ok(hashed);
        }
    }
    Err(RepoError::Unstable { path: path.to_owned() })
}

/// Opens without following a link and without waiting for a pipe's other end.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Permissions::empty())?))
}

/// Hashes an open file; `None` if it grew or shrank meanwhile.
fn hash_file(file: File, format: Format, most: u64) -> io::Result<Option<(Mode, ObjectId)>> {
    let meta = file.metadata()?;
    let mode = mode(&meta).ok_or_else(|| io::Error::other("not a regular file"))?;
    if meta.size() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut hasher = ObjectHasher::new(format, "blob", meta.size());
    let mut buffer = vec![0; (meta.size() + 1).min(64 * 1024) as usize];
    let mut length = 0;
    let mut file = file.take(meta.size() + 1);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                hasher.update(&buffer[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((length == meta.size()).then(|| (mode, hasher.finish())))
}

/// Runs `work` on every item, with one thread per processor, and returns the results in order.
pub(super) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8).min(items.len() / 64 + 1);
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(32, Ordering::Relaxed);
            let Some(part) = items.get(start..items.len().min(start + 32)).filter(|part| !part.is_empty()) else {
                return done;
            };
            done.extend(part.iter().enumerate().map(|(offset, item)| (start + offset, work(item))));
        }
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        all.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
        all
    });
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_come_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(in_parallel(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(in_parallel(&[] as &[usize], |item| *item), [] as [usize; 0]);
    }

    #[test]
    fn links_are_hashed_as_text_and_pipes_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("hello\n", &link).unwrap();
        let (mode, id) = hash(&link, Format::Sha1, u64::MAX).unwrap();
        assert_eq!((mode, id.to_string().as_str()), (Mode::Link, "ce013625030ba8dba906f756967f9e9ca394464a"));
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(look(&pipe).unwrap(), PathKind::Special));
        assert!(hash(&pipe, Format::Sha1, u64::MAX).unwrap_err().to_string().ends_with("not a regular file"));
    }
}
