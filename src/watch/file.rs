//! Detects changes of plan.md.

use std::io::ErrorKind;
use std::time::SystemTime;

use crate::error::Result;
use crate::store::{self, Place, Seen};

/// How many looks in a row must miss the file before this is reported: an editor that saves by renaming removes it for a moment.
const PATIENCE: u32 = 2;

/// A plan file that is being watched.
#[derive(Debug)]
pub(super) struct PlanFile {
    place: Place,
    seen: Option<Seen>,
    /// The number of looks in a row without a file.
    missed: u32,
}

/// The result of a look.
#[derive(Debug)]
pub(super) enum Found {
    /// The file has not changed.
    Same,
    /// A new version.
    Moved(Vec<u8>),
    /// The file cannot be read: a sentence that names it.
    Trouble(String),
}

impl PlanFile {
    pub(super) fn new(place: Place) -> Self {
        PlanFile { place, seen: None, missed: 0 }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The time of the file's last change.
    pub(super) fn changed(&self) -> Option<SystemTime> {
        self.seen.map(|seen| seen.modified())
    }

    /// Looks at the file; reads it only if it has changed. A file that is no plan is trouble too.
    pub(super) fn look(&mut self) -> Found {
        let seen = match store::glance_at(&self.place) {
            Ok(seen) => seen,
            Err(error) => {
                self.missed += 1;
                self.seen = None;
                let why = match error.kind() {
                    ErrorKind::NotFound => "it is gone".to_owned(),
                    _ => store::reason(&error),
                };
                let told = format!("{}: {why}", self.place.shown.display());
                return if self.missed == PATIENCE { Found::Trouble(told) } else { Found::Same };
            }
        };
        self.missed = 0;
        if self.seen == Some(seen) {
            return Found::Same;
        }
        self.seen = Some(seen);
        match self.read() {
            Ok(bytes) => Found::Moved(bytes),
            // The other lines of the message show the line.
            Err(error) => Found::Trouble(error.message.lines().next().unwrap_or_default().to_owned()),
        }
    }

    fn read(&self) -> Result<Vec<u8>> {
        let bytes = store::read(&self.place)?;
        self.place.parse(&bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(found: &Found) -> String {
        match found {
            Found::Same => "same".to_owned(),
            Found::Moved(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Found::Trouble(why) => format!("! {why}"),
        }
    }

    #[test]
    fn it_is_read_only_where_it_moved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.md");
        std::fs::write(&path, "# Plan: a\n").unwrap();
        let mut file = PlanFile::new(store::find(folder.path(), None).unwrap());
        let mut look = || moved(&file.look());
        assert_eq!([look(), look()], ["# Plan: a\n", "same"]);
        // An editor that saves by renaming replaces the file.
        std::fs::write(folder.path().join("new"), "# Plan: b\n").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert_eq!([look(), look()], ["# Plan: b\n", "same"]);
        // A file that is no plan is reported once, and the next version counts.
        std::fs::write(&path, "a\0b\n").unwrap();
        assert!(look().starts_with("! ") && look() == "same");
        // A missing file is reported once it stays away.
        std::fs::remove_file(&path).unwrap();
        assert_eq!([look(), look(), look()], ["same", "! plan.md: it is gone", "same"]);
        std::fs::write(&path, "# Plan: b\n").unwrap();
        assert_eq!([look(), look()], ["# Plan: b\n", "same"]);
    }

    #[test]
    fn a_file_that_becomes_readable_again_is_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.md");
        std::fs::write(&path, "# Plan: a\n").unwrap();
        let mut file = PlanFile::new(store::find(folder.path(), None).unwrap());
        assert_eq!(moved(&file.look()), "# Plan: a\n");
        let mode = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(0o000);
        let found = moved(&file.look());
        // A superuser can read it anyway.
        assert!(found.starts_with("! ") || rustix::process::geteuid().is_root(), "{found}");
        mode(0o644);
        assert_eq!(moved(&file.look()), "# Plan: a\n");
    }
}
