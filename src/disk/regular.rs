//! Opens files whose names come from outside.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a regular file, or a link to one, for reading. Never blocks: a pipe is refused.
///
/// # Errors
/// The file cannot be opened; [`io::ErrorKind::InvalidData`] if it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, OFlags::NONBLOCK)
}

/// Like [`open_regular`], but refuses a symbolic link as well.
///
/// # Errors
/// As [`open_regular`].
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    open(path, OFlags::NONBLOCK | OFlags::NOFOLLOW)
}

fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Whether both describe the same file, under any name.
pub fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Reads a whole file, opened as in [`open_regular`].
///
/// # Errors
/// As [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut open_regular(path)?, &mut bytes)?;
    Ok(bytes)
}
