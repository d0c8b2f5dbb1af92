//! A write: lock, stable read, patch, exchange, look back (`FORMAT.md` §3).

use std::ffi::{OsStr, OsString};
use std::io;

use super::content::Content;
use super::folder::Folder;
use super::place::Place;
use super::read::{self, Source};
use super::shelf::{Class, Shelf};
use super::stamp::Stamp;
use super::{lock, swap, temp, trouble};
use crate::error::{Error, Result};
use crate::plan::edit::Edit;

/// How often a write is done again because someone saved meanwhile.
const TRIES: u32 = 8;

/// What a write did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Whether plan.md is another than before. False where the edits came to nothing: then nothing was written at all.
    pub changed: bool,
    /// How many times the change was applied: more than once where someone saved meanwhile.
    pub tries: u32,
    /// A line each for the person: versions that were kept and that they may look for.
    pub notes: Vec<String>,
}

/// Changes plan.md: `make` sees the bytes and answers with edits. It is called again with newer bytes where someone
/// saved meanwhile, so it must not remember the old ones.
///
/// Two fsyncs and no process; while an editor saves at the same moment, two more for each time.
///
/// # Errors
/// What `make` answers; [`crate::error::Kind::Changed`]: the lock was not free in time, or someone saved meanwhile and
/// the change does not apply to theirs, which stands; [`crate::error::Kind::Input`]: the file cannot be read or
/// written; [`crate::error::Kind::Unknown`]: the state folder cannot be written.
pub fn update(place: &Place, mut make: impl FnMut(&[u8]) -> Result<Vec<Edit>>) -> Result<Updated> {
    run(place, &mut |source| make(source).map(Content::edits))
}

type Make<'m> = &'m mut dyn FnMut(&[u8]) -> Result<Content>;

/// As [`update`], for any content.
pub(super) fn run(place: &Place, make: Make<'_>) -> Result<Updated> {
    let _lock = lock::take(place, lock::PATIENCE)?;
    let mut writer = Writer::open(place)?;
    writer.sweep()?;
    let source = read::stable(&writer.folder, &writer.file, &place.shown)?;
    writer.may_write(&source)?;
    if writer.shelf.catch_late() {
        writer.notes.push(trouble::kept(&place.shown, "that was saved while `plan` wrote"));
    }
    let class = writer.shelf.reconcile(Some(&source));
    let content = make(&source.bytes)?;
    let done = writer.write(source, class, content, make);
    writer.shelf.prune();
    let (changed, tries) = done?;
    Ok(Updated { changed, tries, notes: writer.notes })
}

/// A version of someone else that was displaced and that the present try builds on: it lies at `name`, and ours, with
/// `ours`, stands in its place.
struct Theirs {
    name: OsString,
    ours: Stamp,
}

enum Look {
    /// What was expected.
    Same,
    /// Another version.
    Other(Source),
    /// Something that is no version: still being saved, or no file.
    Unsettled,
}

/// What a write works with, under the lock.
pub(super) struct Writer<'p> {
    place: &'p Place,
    pub(super) folder: Folder,
    pub(super) file: OsString,
    pub(super) shelf: Shelf,
    names: u32,
    pub(super) notes: Vec<String>,
}

impl<'p> Writer<'p> {
    pub(super) fn open(place: &'p Place) -> Result<Self> {
        let folder = Folder::open(&place.root).map_err(|error| trouble::plan("written", &place.shown, &error))?;
        let file = place.file.file_name().unwrap_or_default().to_owned();
        Ok(Writer { place, folder, file, shelf: Shelf::open(place)?, names: 0, notes: Vec::new() })
    }

    /// Moves what killed runs left beside plan.md to the shelf: it may be a person's version. A second name of plan.md
    /// itself goes.
    pub(super) fn sweep(&mut self) -> Result<()> {
        let failed = |error: &io::Error| trouble::plan("written", &self.place.shown, error);
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
            let class = if self.shelf.is_current(&self.folder, &name) { Class::Written } else { Class::Left };
            self.shelf.put(&self.folder, &name, class).map_err(|error| self.state(&error))?;
            if class == Class::Left {
                self.notes.push(trouble::kept(&self.place.shown, "that an interrupted run left"));
            }
        }
        Ok(())
    }

    pub(super) fn next_name(&mut self) -> OsString {
        self.names += 1;
        temp::name(&self.file, self.names - 1)
    }

    /// Keeps a copy of our version before it takes its place.
    pub(super) fn keep(&mut self, name: &OsStr, stamp: &Stamp) -> Result<()> {
        self.shelf.keep_current(&self.folder, name, stamp).map_err(|error| self.state(&error))
    }

    /// A file that nobody may write is meant to stay: renaming over it would work all the same.
    fn may_write(&self, source: &Source) -> Result<()> {
        if source.owner.is_protected() {
            return Err(trouble::write_protected(&self.place.shown));
        }
        match self.folder.may_write(&self.file) {
            // Between an editor's two steps: the exchange waits for the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            answer => answer.map_err(|error| self.failed(&error)),
        }
    }

    /// Writes until the displaced version is the one that the change was made for.
    fn write(&mut self, source: Source, class: Class, content: Content, make: Make<'_>) -> Result<(bool, u32)> {
        let (mut source, mut content) = (source, content);
        let mut theirs: Option<Theirs> = None;
        for tries in 1..=TRIES {
            if content.is_same(&source.bytes) {
                let changed = theirs.is_some();
                self.give_up(theirs)?;
                return Ok((changed, tries));
            }
            let (name, stamp) = match self.place_new(&source, &content) {
                Ok(placed) => placed,
                Err(error) => return self.give_up(theirs).and(Err(error)),
            };
            let look = self.look(&name, &source, theirs.as_ref());
            if !matches!(look, Look::Same) {
                self.shelf.overwritten(theirs.as_ref().map_or(&source.stamp, |theirs| &theirs.ours));
                if let Some(older) = theirs.take() {
                    self.shelve(&older.name, Class::Saved);
                }
            }
            match look {
                Look::Same => {
                    self.shelve(&name, if theirs.is_some() { Class::Written } else { class });
                    if let Some(theirs) = theirs {
                        self.shelve(&theirs.name, Class::Saved);
                    }
                    self.shelf.drop_currents_but(Some(&stamp));
                    return Ok((true, tries));
                }
                Look::Unsettled => {
                    self.put_back(&name, stamp)?;
                    return Err(trouble::overtaken(&self.place.shown, None));
                }
                Look::Other(newer) => {
                    theirs = Some(Theirs { name, ours: stamp });
                    source = newer;
                }
            }
            content = match make(&source.bytes) {
                Ok(content) => content,
                Err(why) => {
                    self.give_up(theirs)?;
                    return Err(trouble::overtaken(&self.place.shown, Some(&why)));
                }
            };
        }
        self.give_up(theirs)?;
        Err(trouble::overtaken(&self.place.shown, None))
    }

    /// Writes our version and exchanges it with what stands there. Before the exchange every failure leaves things as
    /// they were.
    fn place_new(&mut self, source: &Source, content: &Content) -> Result<(OsString, Stamp)> {
        if let Some(fault) = content.fault(&source.bytes) {
            return Err(trouble::bad_edits(&self.place.shown, fault));
        }
        let name = self.next_name();
        let stamp = temp::write(&self.folder, &name, &source.bytes, content, Some(&source.owner))
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
                self.shelf.drop_current(&stamp);
                Err(error)
            }
        }
    }

    /// Where the displaced version lies; what could not be kept of it is said.
    fn displaced(&mut self, displaced: swap::Displaced) -> OsString {
        let lost = displaced.lost.map(|error| trouble::lost(&self.place.shown, &error));
        self.notes.extend(lost);
        displaced.name
    }

    /// Makes an exchange last. It is done by then: trouble is said and undoes nothing.
    pub(super) fn flush(&mut self) {
        if let Err(error) = self.folder.sync() {
            let note = trouble::unflushed(&self.place.shown, &error);
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Looks at what the exchange displaced. On a later try that should be our own version before this one.
    fn look(&self, name: &OsStr, source: &Source, theirs: Option<&Theirs>) -> Look {
        let same = match theirs {
            Some(theirs) => {
                let ours = self.folder.meta(name).is_ok_and(|meta| Stamp::of(&meta) == theirs.ours);
                ours && self.shelf.is_current(&self.folder, name)
            }
            None => {
                self.folder.file(name).and_then(|(mut file, _)| temp::holds(&mut file, &source.bytes)).unwrap_or(false)
            }
        };
        if same {
            return Look::Same;
        }
        match read::settled(&self.folder, name) {
            Ok(Some(newer)) => Look::Other(newer),
            Ok(None) | Err(_) => Look::Unsettled,
        }
    }

    /// Ends without a change: puts the other's version back, if one was displaced.
    fn give_up(&mut self, theirs: Option<Theirs>) -> Result<()> {
        match theirs {
            Some(theirs) => self.put_back(&theirs.name, theirs.ours),
            None => Ok(()),
        }
    }

    /// Puts what lies at `name` back in plan.md's place, where `put` of ours stands now. Where yet another version
    /// turns up there, that one is the newest and goes back instead.
    fn put_back(&mut self, name: &OsStr, put: Stamp) -> Result<()> {
        let ours = put;
        let mut put = put;
        let mut name = name.to_owned();
        for _ in 0..2 * TRIES {
            let back = Stamp::of(&self.folder.meta(&name).map_err(|error| self.failed(&error))?);
            let displaced = swap::swap(&self.folder, &name, &self.file).map_err(|error| self.failed(&error))?;
            name = self.displaced(displaced);
            let found = Stamp::of(&self.folder.meta(&name).map_err(|error| self.failed(&error))?);
            if found == put {
                self.flush();
                self.shelve(&name, if found == ours { Class::Written } else { Class::Saved });
                self.shelf.drop_currents_but(None);
                return Ok(());
            }
            self.shelf.overwritten(&ours);
            put = back;
        }
        // It stays beside plan.md, where the next write finds it.
        Err(trouble::unstable(&self.place.shown))
    }

    /// Moves a displaced version to the shelf. The write is done by then: where this fails, the version stays where it
    /// is for the next write to find, and the person is told.
    fn shelve(&mut self, name: &OsStr, class: Class) {
        match self.shelf.put(&self.folder, name, class) {
            Ok(()) if class == Class::Saved => {
                self.notes.push(trouble::kept(&self.place.shown, "that was saved while `plan` wrote"));
            }
            Ok(()) => {}
            Err(error) => self.notes.push(trouble::stays(&self.place.root.join(name), &error)),
        }
    }

    fn failed(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::NotFound => trouble::gone(&self.place.shown),
            _ => trouble::plan("written", &self.place.shown, error),
        }
    }

    fn state(&self, error: &io::Error) -> Error {
        trouble::state(self.shelf.folder(), error)
    }
}
