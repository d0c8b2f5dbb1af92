//! A write: lock, stable read, patch, exchange, check (`FORMAT.md` §3).

use std::ffi::{OsStr, OsString};
use std::io;

use super::backups::{Backups, Class};
use super::content::Content;
use super::folder::Folder;
use super::marks::{ChangePresence, Marks};
use super::place::Place;
use super::read::{self, FileVersion};
use super::stamp::Stamp;
use super::{error, lock, swap, temp};
use crate::disk::Likeness;
use crate::error::{Error, Result};
use crate::plan::edit::Edit;

/// How often a write is tried in total if someone saves meanwhile.
const TRIES: u32 = 8;

/// The result of a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Whether plan.md changed. False if the edits made no difference: then nothing was written at all.
    pub changed: bool,
    /// How many times the change was applied: more than once if someone saved meanwhile.
    pub tries: u32,
    /// Notes to the user, one line each, mostly about kept versions that they may look for.
    pub notes: Vec<String>,
}

/// Changes plan.md: `make` gets the bytes and returns edits. It is called again with newer bytes if someone saved
/// meanwhile, so it must not remember the old ones.
///
/// Takes two fsyncs and no process; two more fsyncs each time an editor saves at the same moment.
///
/// # Errors
/// An error of `make`; [`crate::error::Kind::Changed`]: the lock was not free in time, or someone saved meanwhile and
/// the change does not apply to their version, which stays; [`crate::error::Kind::Input`]: the file cannot be read or
/// written; [`crate::error::Kind::Unknown`]: the state folder cannot be written.
pub fn update(place: &Place, mut make: impl FnMut(&[u8]) -> Result<Vec<Edit>>) -> Result<Updated> {
    run(place, &mut |source| make(source).map(Content::edits))
}

type Make<'m> = &'m mut dyn FnMut(&[u8]) -> Result<Content>;

/// Like [`update`], for any content.
pub(super) fn run(place: &Place, make: Make<'_>) -> Result<Updated> {
    let _lock = lock::take(place, lock::PATIENCE)?;
    let mut writer = LockedWrite::open(place)?;
    writer.sweep()?;
    let source = read::stable(&writer.folder, &writer.file, &place.shown)?;
    writer.may_write(&source)?;
    let class = writer.backups.reconcile(Some(&source));
    let content = make(&source.bytes)?;
    let (links, inode) = (source.links, source.stamp.inode);
    let done = writer.write(source, class, content, make);
    // A late save is reported only once; so not if the write failed, because then the caller gets only the error.
    if done.is_ok() && writer.backups.catch_late() {
        writer.notes.push(error::late(&place.shown));
    }
    writer.backups.prune();
    let (changed, tries) = done?;
    if changed && links > 1 {
        writer.notes.push(error::linked(&place.shown, inode));
    }
    Ok(Updated { changed, tries, notes: writer.notes })
}

/// Someone else's version, which the exchange displaced and the current attempt builds on. It is at `name`; our
/// version, with stamp `ours`, is at plan.md's place.
struct DisplacedVersion {
    name: OsString,
    ours: Stamp,
}

enum DisplacedState {
    /// The expected version.
    Same,
    /// Another version.
    Other(FileVersion),
    /// No complete version: the file is still being saved, or is missing.
    Unsettled,
}

/// The state of a write that holds the lock.
pub(super) struct LockedWrite<'p> {
    place: &'p Place,
    pub(super) folder: Folder,
    pub(super) file: OsString,
    pub(super) backups: Backups,
    names: u32,
    pub(super) notes: Vec<String>,
}

impl<'p> LockedWrite<'p> {
    pub(super) fn open(place: &'p Place) -> Result<Self> {
        let folder = Folder::open(&place.root).map_err(|error| error::plan("written", &place.shown, &error))?;
        let file = place.file.file_name().unwrap_or_default().to_owned();
        Ok(LockedWrite { place, folder, file, backups: Backups::open(place)?, names: 0, notes: Vec::new() })
    }

    /// Moves files that killed runs left beside plan.md to the backups: each may be a user's version. A file that is only a second
    /// name of plan.md is removed.
    pub(super) fn sweep(&mut self) -> Result<()> {
        let failed = |error: &io::Error| error::plan("written", &self.place.shown, error);
        let left = self.folder.names(|name| temp::is_temporary(&self.file, name)).map_err(|error| failed(&error))?;
        for name in left {
            let Ok(meta) = self.folder.meta(&name) else { continue };
            if !meta.is_file() {
                continue;
            }
            let stands = self.folder.meta(&self.file).ok();
            if stands.is_some_and(|stands| Stamp::of(&stands).inode == Stamp::of(&meta).inode) {
                self.folder.remove(&name).map_err(|error| failed(&error))?;
                continue;
            }
            let class = if self.backups.is_current(&self.folder, &name) { Class::Written } else { Class::Left };
            self.backups.put(&self.folder, &name, class).map_err(|error| self.state(&error))?;
            if class == Class::Left {
                self.notes.push(error::kept(&self.place.shown, "that an interrupted run left"));
            }
        }
        Ok(())
    }

    pub(super) fn next_name(&mut self) -> OsString {
        self.names += 1;
        temp::name(&self.file, self.names - 1)
    }

    /// Keeps a copy of our version before it is put in plan.md's place.
    pub(super) fn keep(&mut self, name: &OsStr, stamp: &Stamp) -> Result<()> {
        self.backups.keep_current(&self.folder, name, stamp).map_err(|error| self.state(&error))
    }

    /// Keeps bytes that plan.md had, unless a version with them is kept already.
    pub(super) fn keep_bytes(&mut self, bytes: &[u8]) -> Result<bool> {
        self.backups.keep_bytes(bytes).map_err(|error| self.state(&error))
    }

    /// Checks the permission to write. Renaming would work over a read-only file too, but such a file is meant to stay as it is.
    fn may_write(&self, source: &FileVersion) -> Result<()> {
        if source.owner.is_protected() {
            return Err(error::write_protected(&self.place.shown));
        }
        match self.folder.may_write(&self.file) {
            // The file is missing between the two steps of an editor's save: the exchange waits for it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            answer => answer.map_err(|error| self.failed(&error)),
        }
    }

    /// Writes until the displaced version is the one that the change was made for, or a newer version already holds the change.
    fn write(&mut self, source: FileVersion, class: Class, content: Content, make: Make<'_>) -> Result<(bool, u32)> {
        let (mut source, mut content) = (source, content);
        let mut theirs: Option<DisplacedVersion> = None;
        let mut made = Vec::new();
        for tries in 1..=TRIES {
            if content.is_same(&source.bytes) {
                let changed = theirs.is_some();
                self.give_up(theirs)?;
                return Ok((changed, tries));
            }
            let like = theirs.as_ref().map_or_else(|| self.file.clone(), |theirs| theirs.name.clone());
            let (name, stamp) = match self.place_new(&source, &content, &like) {
                Ok(placed) => placed,
                Err(error) => return self.give_up(theirs).and(Err(error)),
            };
            let look = self.look(&name, &source, theirs.as_ref());
            if !matches!(look, DisplacedState::Same) {
                self.backups.overwritten(theirs.as_ref().map_or(&source.stamp, |theirs| &theirs.ours));
                if let Some(older) = theirs.take() {
                    self.shelve(&older.name, Class::Saved);
                }
            }
            let newer = match look {
                DisplacedState::Same => {
                    self.shelve(&name, if theirs.is_some() { Class::Written } else { class });
                    if let Some(theirs) = theirs {
                        self.shelve(&theirs.name, Class::Saved);
                    }
                    self.backups.drop_currents_but(Some(&stamp));
                    return Ok((true, tries));
                }
                DisplacedState::Other(newer) => Some(newer),
                DisplacedState::Unsettled => None,
            };
            // The version displaced just now may be based on our version of an earlier try, but not on the one that displaced it.
            let is_there = newer.as_ref().is_some_and(|newer| held(&made, &newer.bytes) != ChangePresence::Nothing);
            made.push(Marks::of(&source.bytes, &content));
            let displaced = DisplacedVersion { name, ours: stamp };
            let Some(newer) = newer.filter(|_| !is_there) else {
                return self.end(displaced, &made, None).map(|()| (true, tries));
            };
            source = newer;
            content = match make(&source.bytes) {
                Ok(content) => content,
                Err(why) => return self.end(displaced, &made, Some(&why)).map(|()| (true, tries)),
            };
            theirs = Some(displaced);
        }
        match theirs {
            Some(theirs) => self.end(theirs, &made, None).map(|()| (true, TRIES)),
            None => Err(error::overtaken(&self.place.shown, None)),
        }
    }

    /// Gives up on the change: puts the displaced version back. Returns an error unless the version that is then in place holds
    /// one of the changes that were `made`. `why` is the reason that the change does not apply to the other version.
    fn end(&mut self, theirs: DisplacedVersion, made: &[Marks], why: Option<&Error>) -> Result<()> {
        self.put_back(&theirs.name, theirs.ours)?;
        let stands = read::glance(&self.folder, &self.file);
        match stands.map_or(ChangePresence::Nothing, |source| held(made, &source.bytes)) {
            ChangePresence::Whole => Ok(()),
            ChangePresence::Part => Err(error::overtaken_in_part(&self.place.shown)),
            ChangePresence::Nothing => Err(error::overtaken(&self.place.shown, why)),
        }
    }

    /// Writes our version, with everything except the content taken from `like`, and exchanges it with the file in place.
    /// A failure before the exchange changes nothing.
    fn place_new(&mut self, source: &FileVersion, content: &Content, like: &OsStr) -> Result<(OsString, Stamp)> {
        if let Some(fault) = content.fault(&source.bytes) {
            return Err(error::bad_edits(&self.place.shown, fault));
        }
        let name = self.next_name();
        // If the file is missing for a moment while an editor renames it, its owner is still known from `source`.
        let like = self.folder.file(like).and_then(|(file, _)| Likeness::of(&file));
        let like = like.unwrap_or_else(|_| Likeness::from(source.owner));
        let stamp = temp::write(&self.folder, &name, &source.bytes, content, Some(&like))
            .map_err(|error| self.failed(&error))?;
        let placed = self
            .keep(&name, &stamp)
            .and_then(|()| swap::swap(&self.folder, &name, &self.file).map_err(|error| self.failed(&error)));
        match placed {
            Ok(displaced) => {
                self.flush();
                Ok((self.displaced(displaced), stamp))
            }
            Err(error) => {
                let _ = self.folder.remove(&name);
                self.backups.drop_current(&stamp);
                Err(error)
            }
        }
    }

    /// Returns the name of the displaced version. Adds a note if a part of it could not be kept.
    fn displaced(&mut self, displaced: swap::Displaced) -> OsString {
        let lost = displaced.lost.map(|error| error::lost(&self.place.shown, &error));
        self.notes.extend(lost);
        displaced.name
    }

    /// Makes an exchange durable. The exchange is already done, so an error only adds a note and undoes nothing.
    pub(super) fn flush(&mut self) {
        if let Err(error) = self.folder.sync() {
            let note = error::unflushed(&self.place.shown, &error);
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Examines the version that the exchange displaced. On a later try, our own version of the previous try is expected.
    fn look(&self, name: &OsStr, source: &FileVersion, theirs: Option<&DisplacedVersion>) -> DisplacedState {
        let same = match theirs {
            Some(theirs) => {
                let ours = self.folder.meta(name).is_ok_and(|meta| Stamp::of(&meta) == theirs.ours);
                ours && self.backups.is_current(&self.folder, name)
            }
            None => {
                self.folder.file(name).and_then(|(mut file, _)| temp::holds(&mut file, &source.bytes)).unwrap_or(false)
            }
        };
        if same {
            return DisplacedState::Same;
        }
        match read::settled(&self.folder, name) {
            Ok(Some(newer)) => DisplacedState::Other(newer),
            Ok(None) | Err(_) => DisplacedState::Unsettled,
        }
    }

    /// Ends without a change: puts the other version back, if one was displaced.
    fn give_up(&mut self, theirs: Option<DisplacedVersion>) -> Result<()> {
        match theirs {
            Some(theirs) => self.put_back(&theirs.name, theirs.ours),
            None => Ok(()),
        }
    }

    /// Puts the version at `name` back in plan.md's place, where our version `put` is now. If yet another version is found
    /// there, that one is the newest and is put back instead.
    ///
    /// Someone who read our version may save over theirs as soon as it is back, so a copy of theirs is kept first.
    fn put_back(&mut self, name: &OsStr, put: Stamp) -> Result<()> {
        let ours = put;
        let mut put = put;
        let mut name = name.to_owned();
        for _ in 0..2 * TRIES {
            let back = Stamp::of(&self.folder.meta(&name).map_err(|error| self.failed(&error))?);
            // Their version is put back even if the disk has no room for the copy.
            let _ = self.backups.keep_returned(&self.folder, &name, &back);
            let displaced = swap::swap(&self.folder, &name, &self.file).map_err(|error| self.failed(&error))?;
            name = self.displaced(displaced);
            let found = Stamp::of(&self.folder.meta(&name).map_err(|error| self.failed(&error))?);
            if found == put {
                self.flush();
                self.shelve(&name, if found == ours { Class::Written } else { Class::Saved });
                self.backups.drop_currents_but(Some(&back));
                return Ok(());
            }
            self.backups.overwritten(&put);
            put = back;
        }
        // The version stays beside plan.md, and the next write finds it.
        Err(error::unstable(&self.place.shown))
    }

    /// Moves a displaced version to the backups. The write is already done: if the move fails, the version stays at its name
    /// for the next write to find, and a note tells the user.
    fn shelve(&mut self, name: &OsStr, class: Class) {
        match self.backups.put(&self.folder, name, class) {
            Ok(()) if class == Class::Saved => {
                self.notes.push(error::kept(&self.place.shown, "that was saved while `plan` wrote"));
            }
            Ok(()) => {}
            Err(error) => self.notes.push(error::stays(&self.place.root.join(name), &error)),
        }
    }

    fn failed(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::NotFound => error::gone(&self.place.shown),
            _ => error::plan("written", &self.place.shown, error),
        }
    }

    fn state(&self, error: &io::Error) -> Error {
        error::state(self.backups.folder(), error)
    }
}

/// How much of the change a version holds. Each try made a change of its own, and the best match counts.
fn held(made: &[Marks], version: &[u8]) -> ChangePresence {
    let found: Vec<ChangePresence> = made.iter().map(|marks| marks.held_by(version)).collect();
    [ChangePresence::Whole, ChangePresence::Part]
        .into_iter()
        .find(|held| found.contains(held))
        .unwrap_or(ChangePresence::Nothing)
}
