//! The temporary file beside plan.md: it holds our new version before the exchange, and the displaced version after it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::content::Content;
use super::folder::Folder;
use super::stamp::Stamp;
use crate::disk::Likeness;

/// How many bytes of a file are compared at a time.
const PIECE: usize = 128 * 1024;

/// Whether `name` is the name of a temporary file that a write of `file` makes (`.plan.md.4711.tmp`). Such a file exists
/// only during a write and after a killed one; the next write moves it to undo.
pub fn is_temporary(file: &OsStr, name: &OsStr) -> bool {
    let middle = name.as_bytes().strip_prefix(b".").and_then(|rest| rest.strip_prefix(file.as_bytes()));
    let middle = middle.and_then(|rest| rest.strip_prefix(b".")).and_then(|rest| rest.strip_suffix(b".tmp"));
    middle.is_some_and(|middle| {
        middle.first().is_some_and(u8::is_ascii_digit)
            && middle.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
    })
}

/// The name of this process's `n`-th temporary file for `file`.
pub(super) fn name(file: &OsStr, n: u32) -> OsString {
    let tail = match n {
        0 => format!(".{}.tmp", std::process::id()),
        n => format!(".{}-{n}.tmp", std::process::id()),
    };
    OsString::from_vec([b".", file.as_bytes(), tail.as_bytes()].concat())
}

/// Writes and syncs a temporary file with owner, mode and attributes of `like`; without `like`, the user's umask sets the mode.
/// After a failure the file is removed: it is ours, and was never anyone's version.
pub(super) fn write(
    folder: &Folder,
    name: &OsStr,
    source: &[u8],
    content: &Content,
    like: Option<&Likeness>,
) -> io::Result<Stamp> {
    let file = folder.create(name, if like.is_some() { 0o600 } else { 0o666 })?;
    let filled = fill(file, source, content, like);
    if filled.is_err() {
        let _ = folder.remove(name);
    }
    filled
}

fn fill(file: File, source: &[u8], content: &Content, like: Option<&Likeness>) -> io::Result<Stamp> {
    let mut writer = BufWriter::with_capacity(32 * 1024, file);
    content.write(source, &mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(like) = like {
        like.put_on(&file)?;
    }
    file.sync_all()?;
    Ok(Stamp::of(&file.metadata()?))
}

/// Whether a file holds exactly these bytes. Reads in pieces, so that the comparison needs no second copy in memory.
pub(super) fn holds(file: &mut impl Read, mut bytes: &[u8]) -> io::Result<bool> {
    // The buffer is one byte longer than expected, so that a longer file is noticed.
    let mut piece = vec![0; PIECE.min(bytes.len() + 1)];
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        match bytes.strip_prefix(piece.get(..length).unwrap_or_default()) {
            Some(rest) => bytes = rest,
            None => return Ok(false),
        }
    }
}

/// Whether two files hold the same bytes.
pub(super) fn same(a: &mut impl Read, b: &mut impl Read) -> io::Result<bool> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        a.take(PIECE as u64).read_to_end(&mut left)?;
        b.take(PIECE as u64).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}
