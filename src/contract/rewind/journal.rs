//! The journal of a rewind. It is written before the first file is touched and removed when plan.md has gone back too. While it exists, a
//! rewind was interrupted, and both directions are open (`CONTRACT.md` §5.5).

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::base;
use crate::contract::checkpoint::{Checkpoint, SavedPath, folder_name};
use crate::error::{Error, Kind, Result};
use crate::repo::{Mode, RawEntry, RawLimits, Repo, Restoration};
use crate::store::{self, Place};

const VERSION: u32 = 1;
/// The maximum size of a journal, in bytes; `plan` writes no larger one.
const LARGEST: u64 = 256 << 20;

/// The rewind in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Journal {
    version: u32,
    /// The checkpoint to go to.
    pub target: u32,
    /// The target's name in `plan rewind`.
    pub name: String,
    /// The checkpoint of the files before the rewind.
    pub before: u32,
    /// Only these paths are touched; empty for all.
    only: Vec<SavedPath>,
    deleted: Vec<SavedPath>,
    /// Path, blob and mode of each written file.
    written: Vec<(SavedPath, String, String)>,
    /// Files that get other permission bits.
    modes: Vec<(SavedPath, u16)>,
}

impl Journal {
    /// Creates the journal of a restoration that is about to begin.
    pub fn new(target: &Checkpoint, name: &str, only: &[PathBuf], before: u32, restoration: &Restoration) -> Self {
        let saved = |path: &PathBuf| SavedPath(path.clone());
        Journal {
            version: VERSION,
            target: target.number,
            name: name.to_owned(),
            before,
            only: only.iter().map(saved).collect(),
            deleted: restoration.deletions.iter().map(|deletion| saved(&deletion.path)).collect(),
            written: restoration
                .writes
                .iter()
                .map(|write| (saved(&write.path), write.id.to_string(), write.mode.octal().to_owned()))
                .collect(),
            modes: restoration.modes.iter().map(|change| (saved(&change.now.path), change.bits)).collect(),
        }
    }

    /// Returns the same restoration as part of another rewind: both directions of that rewind stay open.
    #[must_use]
    pub fn part_of(self, first: &Journal) -> Self {
        Journal {
            target: first.target,
            name: first.name.clone(),
            before: first.before,
            only: first.only.clone(),
            ..self
        }
    }

    /// True if the rewind in progress is an undo.
    pub fn is_undo(&self) -> bool {
        self.name == "--undo"
    }

    /// The only paths that are touched; empty for all.
    pub fn only(&self) -> Vec<PathBuf> {
        self.only.iter().map(|path| path.0.clone()).collect()
    }

    /// Reads the journal of this plan; `None` if no rewind is in progress.
    ///
    /// # Errors
    /// [`Kind::Input`] if the file is not a journal.
    pub fn read(place: &Place) -> Result<Option<Self>> {
        let path = store::state_file(place, &file_name(place));
        let bytes = match store::read_state(&path, LARGEST) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let message = format!("cannot read `{}`: {}", path.display(), store::reason(&error));
                return Err(Error::new(Kind::Unknown, message));
            }
            Ok(bytes) => bytes,
        };
        let journal: Option<Journal> = serde_json::from_slice(&bytes).ok();
        journal.filter(|journal| journal.version == VERSION).map(Some).ok_or_else(|| {
            Error::input(format!("`{}` is not a journal that this version of `plan` can read", path.display()))
                .hint("a rewind was interrupted: `plan rewind --list` shows the checkpoints, and the newest one before a rewind has the files as they were")
                .hint(format!("to give the rewind up: rm {}", crate::shell::quote(&path.to_string_lossy())))
        })
    }

    /// Writes the journal and flushes it to the disk.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the folder cannot be written.
    pub fn write(&self, place: &Place) -> Result<()> {
        let folder = store::state_folder(place, &folder_name(place))?;
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            file.write_all(&serde_json::to_vec(self).unwrap_or_default())?;
            file.as_file().sync_all()?;
            file.persist(store::state_file(place, &file_name(place))).map_err(|error| error.error)?;
            std::fs::File::open(&folder)?.sync_all()
        };
        write().map_err(|error: std::io::Error| {
            Error::new(Kind::Unknown, format!("cannot write `{}`: {error}", folder.display())).harmless()
        })
    }

    /// Removes the journal: the rewind is complete, or everything is back.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if the journal cannot be removed.
    pub fn remove(place: &Place) -> Result<()> {
        store::remove_state(place, &file_name(place)).map(drop)
    }

    /// Every path in the journal.
    pub fn paths(&self) -> Vec<PathBuf> {
        let written = self.written.iter().map(|(path, ..)| path);
        self.deleted
            .iter()
            .chain(written)
            .chain(self.modes.iter().map(|(path, _)| path))
            .map(|path| path.0.clone())
            .collect()
    }

    /// How many files are as the rewind wants them, and how many there are in all.
    pub fn progress(&self, repo: &Repo) -> (usize, usize) {
        let limits = RawLimits { file: u64::MAX, until: Instant::now() + Duration::from_secs(60) };
        let at = |path: &SavedPath| repo.raw_entry(&path.0, limits).ok();
        let is_gone = |path: &&SavedPath| !matches!(at(path), Some(RawEntry::Content(..) | RawEntry::Other(_)));
        let is_written = |(path, id, mode): &&(SavedPath, String, String)| {
            let found = at(path);
            matches!(found, Some(RawEntry::Content(entry, _)) if entry.id.to_string() == *id && same_kind(entry.mode, mode))
        };
        let has_bits =
            |(path, bits): &&(SavedPath, u16)| matches!(at(path), Some(RawEntry::Content(_, found)) if found == *bits);
        let done = self.deleted.iter().filter(is_gone).count()
            + self.written.iter().filter(is_written).count()
            + self.modes.iter().filter(has_bits).count();
        (done, self.deleted.len() + self.written.len() + self.modes.len())
    }

    /// Returns a text such as `a rewind to step 3 was interrupted after 14 of 30 files`.
    pub fn describe(&self, place: &Place) -> String {
        let count = base::open(place).ok().flatten().map(|repo| self.progress(&repo));
        let count = count.map_or_else(String::new, |(done, all)| format!(" after {done} of {all} files"));
        let what = if self.is_undo() {
            "the undo of a rewind".to_owned()
        } else {
            format!("a rewind to {}", spoken(&self.name))
        };
        format!("{what} was interrupted{count}")
    }

    /// The refusal R26.
    pub fn refusal(&self, place: &Place) -> Error {
        Error::new(Kind::Refused, format!("refused: {}", self.describe(place))).hint(self.way_on())
    }

    /// The commands that end the interrupted rewind.
    pub fn way_on(&self) -> String {
        match self.is_undo() {
            true => format!(
                "`plan rewind --undo` finishes it, `plan rewind @{}` goes back to the rewound files",
                self.before
            ),
            false => format!("`plan rewind {}` finishes it, `plan rewind --undo` puts everything back", self.name),
        }
    }
}

/// The target in words: `step 3`, `before-draft`, `checkpoint 7`.
pub fn spoken(name: &str) -> String {
    match name.strip_prefix('@') {
        Some(number) => format!("checkpoint {number}"),
        None if name.starts_with("before-") => format!("`{name}`"),
        None => format!("step {name}"),
    }
}

fn same_kind(mode: Mode, octal: &str) -> bool {
    (mode == Mode::Link) == (octal == Mode::Link.octal())
}

fn file_name(place: &Place) -> String {
    format!("{}/journal.json", folder_name(place))
}
