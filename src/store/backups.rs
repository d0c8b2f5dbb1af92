//! Backups under the state folder (`FORMAT.md` §3): each version that a write replaced, and a copy of the version that `plan`
//! wrote last.
//!
//! There is one file per version, `<time>.<class>.<inode>-<modified>-<size>.<plan>.md`, all in one folder, so that a user
//! can find them with `ls`. The middle part records the state of the file when it was moved here: an editor that still had
//! it open may have saved into it since.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::folder::Folder;
use super::place::Place;
use super::read::FileVersion;
use super::stamp::Stamp;
use super::{state, temp};
use crate::error::Result;

/// The maximum number of kept versions that `plan` wrote.
const OWN_LIMIT: usize = 50;
/// The maximum number of kept versions that someone else wrote or wrote over.
const OTHERS_LIMIT: usize = 1000;
/// The maximum number of bytes of both together.
const BYTES_LIMIT: u64 = 64 << 20;

/// Why a version is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Someone saved it while `plan` was writing. Kept forever.
    Saved,
    /// A killed run left it. Kept forever.
    Left,
    /// Someone saved it; `plan` read it and wrote the next version.
    Edited,
    /// `plan` wrote it, and also wrote the next version.
    Written,
    /// `plan` wrote it, and someone else wrote over it.
    Overwritten,
}

impl Class {
    /// The word in file names and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Class::Saved => "saved",
            Class::Left => "left",
            Class::Edited => "edited",
            Class::Written => "written",
            Class::Overwritten => "overwritten",
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Class::Saved, Class::Left, Class::Edited, Class::Written, Class::Overwritten]
            .into_iter()
            .find(|class| class.word() == word)
    }

    const fn for_good(self) -> bool {
        matches!(self, Class::Saved | Class::Left)
    }
}

/// The word in place of a class for the copy of the version that `plan` wrote last.
const CURRENT: &str = "current";
/// The word in place of a class for the copy of someone's version that `plan` displaced and put back.
const RETURNED: &str = "returned";
const TIME: &str = "%Y%m%d-%H%M%S-%6f";

/// One kept version.
#[derive(Clone, Debug)]
pub(super) struct Backup {
    pub(super) time: String,
    /// `None` for the copy of the version that `plan` last put in plan.md's place.
    pub(super) class: Option<Class>,
    /// For such a copy: it is someone's own version, which was put back.
    is_returned: bool,
    /// The state of the file when it was moved here; for a copy, the state of its original.
    was: Stamp,
    pub(super) path: PathBuf,
}

impl Backup {
    /// Whether this is the copy of the file with this stamp.
    pub(super) fn is_copy_of(&self, stamp: &Stamp) -> bool {
        self.class.is_none() && self.was == *stamp
    }

    /// The class of the copy once another version is in plan.md's place.
    pub(super) fn class_as_past(&self) -> Class {
        self.class.unwrap_or(if self.is_returned { Class::Saved } else { Class::Overwritten })
    }

    /// Whether the file was changed after it was moved here. If the repository was copied, every file has a new inode, and
    /// nothing can be told.
    fn is_late(&self) -> bool {
        let now = fs::symlink_metadata(&self.path).map(|meta| Stamp::of(&meta));
        now.is_ok_and(|now| now.inode == self.was.inode && now != self.was)
    }

    /// Whether the copy is complete. A run that was killed while copying leaves a shorter one, whose original was never put in place.
    pub(super) fn is_whole(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|meta| meta.len() == self.was.size)
    }

    /// The time in the file name.
    pub(super) fn timestamp(&self) -> Timestamp {
        DateTime::strptime(TIME, &self.time)
            .and_then(|time| TimeZone::UTC.to_timestamp(time))
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }

    fn parse(folder: &Path, name: &str, key: &str) -> Option<Self> {
        let mut parts = name.split('.');
        let mut part = || parts.next();
        let (time, class, identity) = (part()?, part()?, part()?);
        if part()? != key || part()? != "md" || part().is_some() || DateTime::strptime(TIME, time).is_err() {
            return None;
        }
        let is_returned = class == RETURNED;
        let class = if is_returned || class == CURRENT { None } else { Some(Class::of(class)?) };
        let mut numbers = identity.split('-');
        let (inode, modified, size) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let was = Stamp { inode: inode.parse().ok()?, modified: modified.parse().ok()?, size: size.parse().ok()? };
        Some(Backup { time: time.to_owned(), class, is_returned, was, path: folder.join(name) })
    }
}

/// The versions of one plan file.
pub(super) struct Backups {
    folder: PathBuf,
    key: String,
    /// The kept versions, oldest first.
    pub(super) entries: Vec<Backup>,
}

impl Backups {
    /// Reads the backups; creates no folder.
    pub(super) fn look(place: &Place) -> Self {
        let folder = path(place);
        let key = place.key();
        let mut entries: Vec<Backup> = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|found| found.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|found| Backup::parse(&folder, found.file_name().to_str()?, &key))
            .collect();
        entries.sort_by(|a, b| a.time.cmp(&b.time));
        Backups { folder, key, entries }
    }

    /// Opens the backups for a writer that holds the lock.
    pub(super) fn open(place: &Place) -> Result<Self> {
        state::make(place, &path(place))?;
        Ok(Backups::look(place))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves a file from beside plan.md to the backups. If possible it is moved, not copied, so that a program that still has
    /// it open saves into the kept version.
    pub(super) fn put(&mut self, from: &Folder, name: &OsStr, class: Class) -> io::Result<()> {
        let stamp = Stamp::of(&from.meta(name)?);
        let entry = self.entry(Some(class), &stamp);
        match from.rename_out(name, &entry.path) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => return self.put_copy(from, name, class),
            done => done?,
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Like [`Backups::put`], but across file systems. A version that is kept forever is synced before the original is removed.
    fn put_copy(&mut self, from: &Folder, name: &OsStr, class: Class) -> io::Result<()> {
        for _ in 0..3 {
            let (mut file, meta) = from.file(name)?;
            let mut copy = self.stage()?;
            io::copy(&mut file, &mut copy)?;
            if class.for_good() {
                copy.sync_all()?;
            }
            if Stamp::of(&file.metadata()?) == Stamp::of(&meta) {
                self.unstage(&copy, class)?;
                return from.remove(name);
            }
        }
        Err(io::Error::other("it is being written to"))
    }

    /// An empty file in the folder of the backups, which becomes an entry once it is complete.
    fn stage(&self) -> io::Result<File> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true).mode(0o600).custom_flags(state::no_follow());
        options.open(self.staging())
    }

    fn unstage(&mut self, copy: &File, class: Class) -> io::Result<()> {
        let entry = self.entry(Some(class), &Stamp::of(&copy.metadata()?));
        fs::rename(self.staging(), &entry.path)?;
        self.entries.push(entry);
        Ok(())
    }

    fn staging(&self) -> PathBuf {
        self.folder.join(format!(".{}.tmp", std::process::id()))
    }

    /// Keeps a copy of the version that is about to be put in plan.md's place: an editor may write over it before the next
    /// write sees it.
    pub(super) fn keep_current(&mut self, from: &Folder, name: &OsStr, stamp: &Stamp) -> io::Result<()> {
        let entry = self.entry(None, stamp);
        self.copy(from, name, entry)
    }

    /// Like [`Backups::keep_current`], for someone's version that goes back to plan.md's place.
    pub(super) fn keep_returned(&mut self, from: &Folder, name: &OsStr, stamp: &Stamp) -> io::Result<()> {
        let mut entry = self.entry(None, stamp);
        entry.is_returned = true;
        entry.path = self.path(&entry);
        self.copy(from, name, entry)
    }

    fn copy(&mut self, from: &Folder, name: &OsStr, entry: Backup) -> io::Result<()> {
        let (mut file, _) = from.file(name)?;
        let mut copy = File::options().write(true).create_new(true).mode(0o600).open(&entry.path)?;
        if let Err(error) = io::copy(&mut file, &mut copy) {
            let _ = fs::remove_file(&entry.path);
            return Err(error);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Keeps bytes that plan.md had, unless a version with them is kept already.
    pub(super) fn keep_bytes(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let is_kept = |entry: &Backup| -> io::Result<bool> { temp::holds(&mut File::open(&entry.path)?, bytes) };
        if self.entries.iter().any(|entry| entry.was.size == bytes.len() as u64 && is_kept(entry).unwrap_or(false)) {
            return Ok(false);
        }
        let mut copy = self.stage()?;
        copy.write_all(bytes)?;
        self.unstage(&copy, Class::Edited)?;
        Ok(true)
    }

    /// Compares the copy of the version that `plan` wrote last with the current version `now`. Returns the class of `now`, and
    /// keeps our version if someone wrote over it.
    pub(super) fn reconcile(&mut self, now: Option<&FileVersion>) -> Class {
        let copies: Vec<Backup> = self.entries.iter().filter(|entry| entry.class.is_none()).cloned().collect();
        let mut class = Class::Edited;
        for copy in copies {
            if self.stands(&copy, now).unwrap_or(false) && !copy.is_returned {
                class = Class::Written;
            }
        }
        self.entries.retain(|entry| entry.class.is_some() || now.is_some_and(|now| entry.is_copy_of(&now.stamp)));
        class
    }

    fn stands(&mut self, copy: &Backup, now: Option<&FileVersion>) -> io::Result<bool> {
        if now.is_some_and(|now| copy.is_copy_of(&now.stamp)) {
            return Ok(true);
        }
        if !copy.is_whole() {
            fs::remove_file(&copy.path)?;
            return Ok(false);
        }
        if let Some(now) = now
            && temp::holds(&mut File::open(&copy.path)?, &now.bytes)?
        {
            fs::remove_file(&copy.path)?;
            return Ok(true);
        }
        self.overwritten(&copy.was);
        Ok(false)
    }

    /// Someone wrote over the `original` in plan.md's place: turns the copy of it into a kept version.
    pub(super) fn overwritten(&mut self, original: &Stamp) {
        let Some(at) = self.entries.iter().position(|entry| entry.is_copy_of(original)) else { return };
        let Ok(meta) = fs::symlink_metadata(&self.entries[at].path) else { return };
        let kept = self.entry(Some(self.entries[at].class_as_past()), &Stamp::of(&meta));
        if fs::rename(&self.entries[at].path, &kept.path).is_ok() {
            self.entries.remove(at);
            self.entries.push(kept);
        }
    }

    /// Removes the copies of earlier versions; these versions are in the backups themselves by now.
    pub(super) fn drop_currents_but(&mut self, stamp: Option<&Stamp>) {
        self.entries.retain(|entry| {
            let keep = entry.class.is_some() || stamp.is_some_and(|stamp| entry.is_copy_of(stamp));
            keep || fs::remove_file(&entry.path).is_err()
        });
    }

    /// Removes the copy of a version that was never put in place.
    pub(super) fn drop_current(&mut self, stamp: &Stamp) {
        self.entries.retain(|entry| !entry.is_copy_of(stamp) || fs::remove_file(&entry.path).is_err());
    }

    /// Whether a file beside plan.md is the version that `plan` wrote last.
    pub(super) fn is_current(&self, from: &Folder, name: &OsStr) -> bool {
        let same = |entry: &Backup| -> io::Result<bool> {
            let (mut file, meta) = from.file(name)?;
            Ok(meta.len() == entry.was.size && temp::same(&mut file, &mut File::open(&entry.path)?)?)
        };
        self.entries.iter().any(|entry| entry.class.is_none() && same(entry).unwrap_or(false))
    }

    /// Whether someone saved into displaced versions after they were moved here. Such versions are kept forever from now on.
    pub(super) fn catch_late(&mut self) -> bool {
        let mut found = false;
        for at in 0..self.entries.len() {
            let is_copy = matches!(self.entries[at].class, None | Some(Class::Overwritten));
            found |= !is_copy && self.entries[at].is_late() && self.keep_for_good(at);
        }
        found
    }

    /// Removes versions beyond the limits, oldest first. Errors are ignored: the version stays.
    pub(super) fn prune(&mut self) {
        let (mut own, mut others, mut bytes) = (0, 0, 0);
        let mut beyond = Vec::new();
        for (at, entry) in self.entries.iter().enumerate().rev() {
            match entry.class {
                Some(Class::Written) => own += 1,
                Some(Class::Edited | Class::Overwritten) => others += 1,
                _ => continue,
            }
            let first = own + others == 1;
            bytes += entry.was.size;
            if !first && (own > OWN_LIMIT || others > OTHERS_LIMIT || bytes > BYTES_LIMIT) {
                beyond.push(at);
                bytes -= entry.was.size;
                match entry.class {
                    Some(Class::Written) => own -= 1,
                    _ => others -= 1,
                }
            }
        }
        for at in beyond {
            if !self.entries[at].is_late() && fs::remove_file(&self.entries[at].path).is_ok() {
                self.entries.remove(at);
            }
        }
    }

    /// Turns an entry into a version that a user saved; it keeps its time.
    fn keep_for_good(&mut self, at: usize) -> bool {
        let old = &self.entries[at];
        let Ok(meta) = fs::symlink_metadata(&old.path) else { return false };
        let kept = self.named(old.time.clone(), Some(Class::Saved), &Stamp::of(&meta));
        let moved = fs::rename(&old.path, &kept.path).is_ok();
        if moved {
            self.entries[at] = kept;
        }
        moved
    }

    fn entry(&self, class: Option<Class>, stamp: &Stamp) -> Backup {
        let newest = self.entries.iter().map(|entry| entry.time.as_str()).max();
        self.named(tick(newest, Timestamp::now()), class, stamp)
    }

    fn named(&self, time: String, class: Option<Class>, stamp: &Stamp) -> Backup {
        let mut entry = Backup { time, class, is_returned: false, was: *stamp, path: PathBuf::new() };
        entry.path = self.path(&entry);
        entry
    }

    fn path(&self, entry: &Backup) -> PathBuf {
        let Stamp { inode, modified, size } = entry.was;
        let word = entry.class.map_or(if entry.is_returned { RETURNED } else { CURRENT }, Class::word);
        self.folder.join(format!("{}.{word}.{inode}-{modified}-{size}.{}.md", entry.time, self.key))
    }
}

/// The time for a new entry: now, or just after the newest entry if the clock went back.
fn tick(newest: Option<&str>, now: Timestamp) -> String {
    let now = TimeZone::UTC.to_datetime(now);
    let text = now.strftime(TIME).to_string();
    let Some(newest) = newest.filter(|newest| *newest >= text.as_str()) else { return text };
    let next = DateTime::strptime(TIME, newest).and_then(|time| time.checked_add(jiff::Span::new().microseconds(1)));
    next.unwrap_or(now).strftime(TIME).to_string()
}

fn path(place: &Place) -> PathBuf {
    place.state.join("undo")
}
