//! Goes back to the files of a checkpoint (`CONTRACT.md` §5.2 to §5.5).
//!
//! ```text
//! prepare (no write) ──► the person agrees ──► plan lock ──► listing again ──► checkpoint of the files of now
//!   ──► journal ──► deletions, writes ──► plan.md ──► journal removed
//! ```
//!
//! A file that cannot be saved first is not touched. A failure after the journal is written puts everything back.

mod difference;
mod groups;
mod journal;
pub mod plan_restoration;
mod roll_back;
mod target;

use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use difference::Difference;
pub use groups::Group;
pub use journal::{Journal, spoken};
pub use target::RewindTarget;

use crate::base;
use crate::contract::checkpoint::{self, Checkpoint, Kind, Label};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::plan::model::Plan;
use crate::plan::text::counted;
use crate::process::interrupt::SignalHold;
use crate::repo::{KeptTreeLimits, ObjectId, RawEntry, RawLimits, RawTree, Repo, TreeEntry, above, changes};
use crate::store::Place;

/// The longest time for reading files: a person waits for a rewind and can stop it.
const PATIENCE: Duration = Duration::from_secs(600);
/// The most paths that a message names.
const NAMED: usize = 5;

/// The options of a rewind.
#[derive(Clone, Debug)]
pub struct RewindRequest {
    /// The checkpoint to go to.
    pub target: RewindTarget,
    /// Only these files and folders, relative to the top; empty for all.
    pub only: Vec<PathBuf>,
    /// Allows the checkpoint of another branch.
    pub here: bool,
}

/// A rewind that was possible when it was prepared.
#[derive(Debug)]
pub struct Rewind {
    repo: Repo,
    place: Place,
    request: RewindRequest,
    /// The checkpoint to go to.
    pub target: Checkpoint,
    /// The changes to the files.
    pub difference: Difference,
    then: Vec<TreeEntry>,
    now: RawTree,
    /// The journal of an interrupted rewind that this one finishes or undoes.
    interrupted: Option<Journal>,
    /// The data to put the files back, once files were touched.
    done: Option<AppliedRewind>,
}

/// A rewind that has changed the files.
#[derive(Debug)]
struct AppliedRewind {
    before: Checkpoint,
    /// The files before, including ignored files that it touches.
    now: RawTree,
}

/// Refuses to continue while a rewind is interrupted.
///
/// # Errors
/// [`ErrorKind::Refused`] with R26.
pub fn refuse_interrupted(place: &Place) -> Result<()> {
    match Journal::read(place)? {
        Some(journal) => Err(journal.refusal(place)),
        None => Ok(()),
    }
}

impl Rewind {
    /// Finds the checkpoint, compares the files, and looks for everything that would stop the rewind midway. Writes nothing.
    ///
    /// # Errors
    /// The errors of `CONTRACT.md` §5.3.
    pub fn prepare(place: &Place, plan: &Plan<'_>, mut request: RewindRequest) -> Result<Self> {
        let repo = base::open(place)?.ok_or_else(|| {
            Error::new(ErrorKind::No, "no checkpoint is kept here: they need a git repository with a work tree")
                .harmless()
        })?;
        let interrupted = Journal::read(place)?;
        let target = target::find(place, plan, &request.target, interrupted.as_ref())?;
        if let Some(journal) = &interrupted {
            request.only = journal.only();
        }
        if let Some(busy) = repo.busy()? {
            let message = format!("refused: {} is in progress (`{}`)", busy.what, busy.sign);
            return Err(Error::new(ErrorKind::Refused, message)
                .harmless()
                .hint("finish or abort it first: `git status` says how"));
        }
        if !request.here {
            target::check_branch(&repo, &target)?;
        }
        let then = repo.has(target.tree)?.then(|| repo.entries(target.tree).ok()).flatten();
        let then = then.ok_or_else(|| target::gone(&target, &[]))?;
        let now = list(&repo, place, None)?;
        let difference = difference::difference(&repo, place, &target, &then, &now, &request.only, limits())?;
        let mut rewind =
            Rewind { repo, place: place.clone(), request, target, difference, then, now, interrupted, done: None };
        rewind.note_emptied();
        rewind.check()?;
        Ok(rewind)
    }

    /// The journal of the interrupted rewind, and how this rewind ends it: `finished`, `undone`.
    pub fn ends(&self) -> Option<(&Journal, &'static str)> {
        let word = |journal: &Journal| if self.target.number == journal.target { "finished" } else { "undone" };
        self.interrupted.as_ref().map(|journal| (journal, word(journal)))
    }

    /// True if no file is touched.
    pub fn is_without_files(&self) -> bool {
        self.difference.touched.is_empty()
    }

    /// The number of files that this run changes.
    pub fn files(&self) -> usize {
        self.difference.touched.len()
    }

    /// The number of files that both runs change, if this run finishes an interrupted rewind, because the log has one line for both.
    /// Otherwise the same as [`Rewind::files`].
    pub fn files_in_all(&self) -> usize {
        let first = self.ends().filter(|(_, end)| *end == "finished").map(|(journal, _)| journal.paths());
        let only_first = |path: &&PathBuf| !self.difference.touched.contains_key(*path);
        first.unwrap_or_default().iter().filter(only_first).count() + self.files()
    }

    /// True if it restores only some paths; then plan.md stays as it is.
    pub fn is_partial(&self) -> bool {
        !self.request.only.is_empty()
    }

    /// The touched files, grouped by the step that changed them.
    pub fn groups(&self) -> Vec<Group> {
        groups::groups(&self.repo, &self.place, &self.target, &self.now, &self.difference)
    }

    /// Lines about the parts that a rewind leaves alone: commits, submodules, files outside the plan's folder.
    pub fn notes(&self) -> Vec<String> {
        groups::notes(&self.repo, &self.target, &self.now, &self.difference)
    }

    /// Notes the folders that the interrupted rewind has emptied or created. They belong to nobody else.
    fn note_emptied(&mut self) {
        if let Some(journal) = &self.interrupted {
            let paths = journal.paths();
            self.difference.restoration.emptied = above(paths.iter().map(PathBuf::as_path));
        }
    }

    /// Checks for everything that would stop the rewind midway.
    fn check(&self) -> Result<()> {
        let writes = &self.difference.restoration.writes;
        let ids: Vec<ObjectId> = writes.iter().map(|write| write.id).collect();
        let missing = self.repo.missing(&ids)?;
        if !missing.is_empty() {
            let paths: Vec<&PathBuf> =
                writes.iter().filter(|write| missing.contains(&write.id)).map(|write| &write.path).collect();
            return Err(target::gone(&self.target, &paths));
        }
        let obstacles = self.repo.obstacles(&self.place.root, &self.difference.restoration);
        let Some((first, rest)) = obstacles.split_first() else { return Ok(()) };
        let message = format!("refused: {first}");
        let error = Error::new(ErrorKind::Refused, message).harmless();
        let error = rest.iter().take(NAMED).fold(error, |error, other| error.hint(other));
        Err(error.hint("move it away or make it writable, then run it again"))
    }

    /// Saves the current files and carries the rewind out. The caller holds the lock of plan.md.
    ///
    /// # Errors
    /// [`ErrorKind::Changed`] if files changed since [`Rewind::prepare`], [`ErrorKind::Refused`] if files cannot be saved first,
    /// [`ErrorKind::No`] if the rewind failed. Either everything is as before, or the journal stays and the error says so.
    pub fn carry_out(&mut self, plan: &Plan<'_>) -> Result<()> {
        self.look_again()?;
        let mut now = self.now.clone();
        now.add(&self.repo, std::mem::take(&mut self.difference.extra))?;
        let kind = if self.interrupted.is_some() { Kind::Halfway } else { Kind::Before };
        let step = current_step(&self.place, plan);
        let created = self.difference.created.clone();
        let hollow = self.hollow();
        let label = Label { kind, step: Some(&step), created, hollow };
        let saved = checkpoint::save(
            &self.repo,
            &self.place,
            plan,
            &now,
            label,
            &KeptTreeLimits { time: PATIENCE, ..KeptTreeLimits::default() },
        )?;
        let before = saved.map_err(|why| {
            Error::new(ErrorKind::Refused, format!("refused: the current files cannot be saved first: {why}"))
                .harmless()
        })?;
        self.check_saved()?;
        self.repo.flush_kept()?;
        let restoration = &self.difference.restoration;
        // If this finishes or undoes another rewind, the journal keeps that rewind's two directions.
        let journal =
            Journal::new(&self.target, &self.request.target.name(), &self.request.only, before.number, restoration);
        let journal = match &self.interrupted {
            Some(first) => journal.part_of(first),
            None => journal,
        };
        let _held = SignalHold::begin();
        journal.write(&self.place)?;
        let restored = self.repo.restore(&self.place.root, restoration);
        self.done = Some(AppliedRewind { before, now });
        restored.map_err(|error| self.give_up(error))
    }

    /// Makes sure that the bytes of every file that is deleted or overwritten can be read back.
    fn check_saved(&self) -> Result<()> {
        let restoration = &self.difference.restoration;
        let goes = restoration.deletions.iter();
        let goes: Vec<&TreeEntry> =
            goes.chain(restoration.writes.iter().filter_map(|write| write.now.as_ref())).collect();
        let missing = self.repo.missing(&goes.iter().map(|entry| entry.id).collect::<Vec<_>>())?;
        if missing.is_empty() {
            return Ok(());
        }
        let paths: Vec<&PathBuf> =
            goes.iter().filter(|entry| missing.contains(&entry.id)).map(|entry| &entry.path).collect();
        let message = format!("refused: {} cannot be saved first: {}", counted(paths.len(), "file"), named(&paths));
        Err(Error::new(ErrorKind::Refused, message).harmless())
    }

    /// Puts the files back after an error, and returns the error for the user.
    pub fn give_up(&mut self, error: Error) -> Error {
        let Some(done) = self.done.take() else { return error };
        let _held = SignalHold::begin();
        let back = roll_back::roll_back(&self.repo, &self.place, &self.difference.restoration, &done.before, &done.now);
        // An interrupted rewind stays interrupted.
        let back = back.and_then(|()| if self.interrupted.is_some() { Ok(()) } else { Journal::remove(&self.place) });
        let kind = if error.kind == ErrorKind::Changed { ErrorKind::Changed } else { ErrorKind::No };
        match back {
            Ok(()) => Error {
                kind,
                message: format!("rewound nothing: {}", error.message),
                hints: error.hints,
                is_harmless: false,
            },
            Err(trouble) => Error::new(
                kind,
                format!(
                    "the rewind stopped midway: {}; and not everything could be put back: {}",
                    error.message, trouble.message
                ),
            )
            .hint("`plan rewind --list` shows what is kept; run the same command again, or `plan rewind --undo`"),
        }
    }

    /// Removes the journal, after plan.md went back too.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] if the journal cannot be removed.
    pub fn finish(&self) -> Result<()> {
        let mut paths: Vec<PathBuf> = self.difference.restoration.paths().map(PathBuf::from).collect();
        paths.extend(self.interrupted.iter().flat_map(Journal::paths));
        self.repo.sweep_restored(&self.place.root, &paths)?;
        Journal::remove(&self.place)
    }

    /// The folders that exist, hold no listed file, and get one.
    fn hollow(&self) -> Vec<PathBuf> {
        let made = above(self.difference.created.iter().map(PathBuf::as_path));
        let stands = |folder: &PathBuf| matches!(self.repo.raw_entry(folder, limits()), Ok(RawEntry::Folder));
        made.into_iter().filter(|folder| !self.now.folders.contains_key(folder) && stands(folder)).collect()
    }

    /// Lists the files again, under the lock: they must be as they were when the person agreed.
    fn look_again(&mut self) -> Result<()> {
        let now = list(&self.repo, &self.place, Some(&self.now))?;
        let again = difference::difference(
            &self.repo,
            &self.place,
            &self.target,
            &self.then,
            &now,
            &self.request.only,
            limits(),
        )?;
        let mut changed: Vec<PathBuf> =
            changes(&self.now.tree.entries, &now.tree.entries).into_iter().map(|changed| changed.path).collect();
        let touched = |difference: &Difference| difference.touched.keys().cloned().collect::<Vec<_>>();
        let extra = |difference: &Difference| {
            difference.extra.iter().map(|(entry, bits)| (entry.path.clone(), entry.id, *bits)).collect::<Vec<_>>()
        };
        let is_same = touched(&again) == touched(&self.difference) && extra(&again) == extra(&self.difference);
        if changed.is_empty() && !is_same {
            let before = touched(&self.difference);
            changed = touched(&again).into_iter().filter(|path| !before.contains(path)).collect();
            changed.extend(extra(&again).into_iter().map(|(path, ..)| path));
        }
        if changed.is_empty() && is_same {
            (self.now, self.difference) = (now, again);
            self.note_emptied();
            return Ok(());
        }
        let message = format!("{} changed while you read: {}", counted(changed.len(), "file"), named(&changed));
        Err(Error::new(ErrorKind::Changed, message).harmless().hint("run it again: it shows what is there now"))
    }
}

/// Lists the current files, within a person's patience.
fn list(repo: &Repo, place: &Place, before: Option<&RawTree>) -> Result<RawTree> {
    let limits = KeptTreeLimits { time: PATIENCE, ..KeptTreeLimits::default() };
    checkpoint::read(repo, place, before, &limits)?.ok_or_else(|| {
        Error::new(ErrorKind::Unknown, format!("reading the files took more than {} s", PATIENCE.as_secs())).harmless()
    })
}

fn limits() -> RawLimits {
    RawLimits { file: KeptTreeLimits::default().file, until: Instant::now() + PATIENCE }
}

/// The step at whose end the plan is now: the one that ended last, without those that a rewind made pending again.
fn current_step(place: &Place, plan: &Plan<'_>) -> String {
    let is_settled = |name: &str| plan.find_step(name).is_ok_and(|step| step.raw().mark.is_settled());
    let is_it = |one: &Checkpoint| one.kind == Kind::Start || one.kind == Kind::Step && is_settled(one.step_name());
    let found = checkpoint::list(place).into_iter().rev().flatten().find(is_it);
    found.map_or_else(|| "0".to_owned(), |one| one.step_name().to_owned())
}

fn named<P: AsRef<std::path::Path>>(paths: &[P]) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED).map(|path| path.as_ref().display().to_string()).collect();
    let more = if paths.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
