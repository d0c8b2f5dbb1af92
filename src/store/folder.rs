//! The folder of plan.md, opened once: every step of a write goes through this handle, so that no step can land in
//! another folder.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// An open folder.
pub(super) struct Folder {
    dir: File,
    path: PathBuf,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?);
        Ok(Folder { dir, path: path.to_owned() })
    }

    /// Opens a regular file for reading. Does not block on a pipe, and follows no link.
    pub(super) fn file(&self, name: &OsStr) -> io::Result<(File, Metadata)> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&self.dir, name, flags, Mode::empty())?);
        let meta = file.metadata()?;
        if meta.is_file() { Ok((file, meta)) } else { Err(io::Error::other("it is not a regular file")) }
    }

    /// Creates a new file; fails if the name is taken.
    pub(super) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.dir, name, flags, Mode::from_raw_mode(mode as rustix::fs::RawMode))?))
    }

    /// Returns the metadata of a name, without following a link.
    pub(super) fn meta(&self, name: &OsStr) -> io::Result<Metadata> {
        fs::symlink_metadata(self.path.join(name))
    }

    /// Whether the caller may write the file.
    pub(super) fn may_write(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::accessat(&self.dir, name, Access::WRITE_OK, AtFlags::EACCESS)?)
    }

    /// Exchanges two names in one step. `Unsupported` if the file system cannot do that.
    pub(super) fn exchange(&self, a: &OsStr, b: &OsStr) -> io::Result<()> {
        self.rename_with(a, b, Flag::Exchange)
    }

    /// Renames a file; fails with `AlreadyExists` if `to` is taken, and with `Unsupported` if the file system cannot
    /// guarantee that.
    pub(super) fn rename_to_free(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.rename_with(from, to, Flag::NoReplace)
    }

    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.dir, from, &self.dir, to)?)
    }

    /// Moves a file out of this folder.
    pub(super) fn rename_out(&self, from: &OsStr, to: &Path) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.dir, from, CWD, to)?)
    }

    /// Gives a file a second name.
    pub(super) fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.dir, from, &self.dir, to, AtFlags::empty())?)
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.dir, name, AtFlags::empty())?)
    }

    /// Makes renames in this folder durable. A file system that cannot sync a folder has nothing to sync.
    pub(super) fn sync(&self) -> io::Result<()> {
        match rustix::fs::fsync(&self.dir) {
            Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            done => Ok(done?),
        }
    }

    /// The names in this folder for which `fits` is true, sorted.
    pub(super) fn names(&self, fits: impl Fn(&OsStr) -> bool) -> io::Result<Vec<OsString>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name();
            if fits(&name) {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    }

    fn rename_with(&self, from: &OsStr, to: &OsStr, flag: Flag) -> io::Result<()> {
        match rename_with(&self.dir, from, to, flag) {
            Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
            done => Ok(done?),
        }
    }
}

enum Flag {
    Exchange,
    NoReplace,
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_with(dir: &File, from: &OsStr, to: &OsStr, flag: Flag) -> rustix::io::Result<()> {
    let flags = match flag {
        Flag::Exchange => RenameFlags::EXCHANGE,
        Flag::NoReplace => RenameFlags::NOREPLACE,
    };
    rustix::fs::renameat_with(dir, from, dir, to, flags)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_with(_: &File, _: &OsStr, _: &OsStr, _: Flag) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}
