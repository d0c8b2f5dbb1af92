//! Whether plan.md moved since it was read.

use std::io::ErrorKind;
use std::time::SystemTime;

use crate::error::Result;
use crate::store::{self, Place, Seen};

/// Looks that a missing file is waited for: an editor that saves by renaming leaves a moment without it.
const PATIENCE: u32 = 2;

/// A plan file that is looked at.
#[derive(Debug)]
pub(super) struct PlanFile {
    place: Place,
    seen: Option<Seen>,
    /// Looks without a file.
    missed: u32,
}

/// What a look found.
#[derive(Debug)]
pub(super) enum Found {
    /// It is as it was.
    Same,
    /// Another version.
    Moved(Vec<u8>),
    /// It cannot be read: a sentence that names it.
    Trouble(String),
}

impl PlanFile {
    pub(super) fn new(place: Place) -> Self {
        PlanFile { place, seen: None, missed: 0 }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// When the file last changed.
    pub(super) fn changed(&self) -> Option<SystemTime> {
        self.seen.map(|seen| seen.modified())
    }

    /// Looks; reads it only where it moved. What is not a plan is trouble too.
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
            // The rest of the message shows the line.
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
        // An editor that saves by renaming.
        std::fs::write(folder.path().join("new"), "# Plan: b\n").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert_eq!([look(), look()], ["# Plan: b\n", "same"]);
        // What is no plan is said once, and the next version counts.
        std::fs::write(&path, "a\0b\n").unwrap();
        assert!(look().starts_with("! ") && look() == "same");
        // One that is gone is said once it stays away.
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
        // A superuser reads it all the same.
        assert!(found.starts_with("! ") || rustix::process::geteuid().is_root(), "{found}");
        mode(0o644);
        assert_eq!(moved(&file.look()), "# Plan: a\n");
    }
}
