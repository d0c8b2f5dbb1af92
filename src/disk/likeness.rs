//! Owner, mode and attributes that a new file takes over from the file it replaces.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

use super::attributes::Attributes;

/// Owner, permissions and extended attributes of a file.
#[derive(Clone, Debug)]
pub struct Likeness {
    owner: Owner,
    attributes: Attributes,
}

impl Likeness {
    /// Reads the likeness of an open file.
    ///
    /// # Errors
    /// The metadata of the file cannot be read.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(Likeness { owner: Owner::of(&file.metadata()?), attributes: Attributes::of(file) })
    }

    /// Applies owner, permissions and attributes to a new file, as far as the system allows it.
    ///
    /// # Errors
    /// The permissions cannot be set.
    pub fn put_on(&self, file: &File) -> io::Result<()> {
        self.owner.put_on(file)?;
        self.attributes.put_on(file);
        Ok(())
    }
}

impl From<Owner> for Likeness {
    /// A likeness without attributes.
    fn from(owner: Owner) -> Self {
        Likeness { owner, attributes: Attributes::default() }
    }
}

/// User, group and permissions of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    user: u32,
    group: u32,
    /// Only the permission bits.
    mode: u32,
}

impl Owner {
    /// Takes user, group and permissions from the metadata.
    pub fn of(meta: &Metadata) -> Self {
        Owner { user: meta.uid(), group: meta.gid(), mode: meta.mode() & 0o7777 }
    }

    /// Whether no one may write the file.
    pub fn is_protected(&self) -> bool {
        self.mode & 0o222 == 0
    }

    /// Sets owner and permissions. Only root can give a file away: for other users only the group is set, if possible.
    fn put_on(&self, file: &File) -> io::Result<()> {
        let own = Owner::of(&file.metadata()?);
        let differs = (own.user, own.group) != (self.user, self.group);
        if differs && fchown(file, Some(self.user), Some(self.group)).is_err() {
            let _ = fchown(file, None, Some(self.group));
        }
        file.set_permissions(Permissions::from_mode(self.mode))
    }
}
