//! Checkpoints: the files at the end of a step, kept only in this clone (`CONTRACT.md` §5.1).
//!
//! ```text
//! <git dir>/plan/checkpoints/<plan key>/0007.json    what it is of, and all that a tree cannot hold
//! <common git dir>/plan/checkpoints/objects/         the blobs and trees that the commit at HEAD lacks
//! ```
//!
//! The record is written last. A checkpoint that cannot be taken never stops a step: the step counts, and one line gives the reason.

mod document;
mod prune;
mod record;
mod saved_path;

use std::path::PathBuf;
use std::time::Instant;

use crate::base;
use crate::config;
use crate::error::Result;
use crate::host;
use crate::plan::contract::plan_contract;
use crate::plan::model::Plan;
use crate::repo::{Flag, KeepOutcome, KeptTreeLimits, Mode, RawLimits, RawTree, Reason, Repo};
use crate::store::{self, Place};

pub(in crate::contract) use document::folder_name;
pub use document::{UnreadableRecord, list, path};
pub use prune::prune;
pub use record::{Checkpoint, Kind, LeftOut, SeparateRepo};
pub use saved_path::SavedPath;

/// The state file with the session that was told that there is no repository.
const TOLD: &str = "checkpoints-told";

/// Takes a checkpoint after a change of plan.md was written, if checkpoints are on. Returns lines for the user: why there is none, or what
/// it leaves out. Never fails.
pub fn take(place: &Place, kind: Kind, step: Option<&str>) -> Vec<String> {
    let source = match store::read(place) {
        Ok(source) => source,
        Err(error) => return vec![missing(kind, step, &error.message)],
    };
    let Ok(plan) = place.parse(&source) else { return Vec::new() };
    if !is_on(&plan) {
        return Vec::new();
    }
    match take_of(place, &plan, kind, step) {
        Ok(notes) => notes,
        Err(error) => vec![missing(kind, step, &error.message)],
    }
}

/// True if checkpoints are taken: as the front matter says, otherwise in contract mode; never if the user's configuration turns them off.
pub fn is_on(plan: &Plan<'_>) -> bool {
    let wanted = match plan.front_value("checkpoints") {
        Some(word) => word == "true",
        None => plan.is_contract_mode(),
    };
    wanted && !config::load().is_ok_and(|config| config.checkpoints == Some(config::Switch::Off))
}

fn take_of(place: &Place, plan: &Plan<'_>, kind: Kind, step: Option<&str>) -> Result<Vec<String>> {
    let Some(repo) = base::open(place)? else { return Ok(no_repository(place)) };
    let limits = KeptTreeLimits::default();
    let Some(files) = read(&repo, place, None, &limits)? else {
        return Ok(vec![missing(kind, step, &too_slow(&limits))]);
    };
    match save(&repo, place, plan, &files, Label::new(kind, step), &limits)? {
        Err(why) => Ok(vec![missing(kind, step, &why)]),
        Ok(checkpoint) => {
            let mut notes: Vec<String> = left_out_note(&checkpoint).into_iter().collect();
            notes.extend(prune(&repo, place, plan));
            Ok(notes)
        }
    }
}

/// Reads the files of the work tree for a checkpoint; `None` if that takes too long.
pub fn read(repo: &Repo, place: &Place, before: Option<&RawTree>, limits: &KeptTreeLimits) -> Result<Option<RawTree>> {
    let within = RawLimits { file: limits.file, until: Instant::now() + limits.time };
    repo.raw(&[&place.file], before.map(|before| &before.tree), within)
}

/// The moment of a checkpoint, with its details.
#[derive(Clone, Debug)]
pub struct Label<'l> {
    /// The moment.
    pub kind: Kind,
    /// The step that has just ended.
    pub step: Option<&'l str>,
    /// Before a rewind: the files that the rewind creates.
    pub created: Vec<PathBuf>,
    /// Before a rewind: folders without a file that the rewind fills.
    pub hollow: Vec<PathBuf>,
}

impl<'l> Label<'l> {
    /// Creates a label for a moment that is not a rewind.
    pub fn new(kind: Kind, step: Option<&'l str>) -> Self {
        Label { kind, step, created: Vec::new(), hollow: Vec::new() }
    }
}

/// Stores the files and writes the record. An inner error names the exceeded limit; then nothing is kept.
///
/// # Errors
/// As [`Repo::keep`]; [`crate::error::Kind::Unknown`] if the record cannot be written.
pub fn save(
    repo: &Repo,
    place: &Place,
    plan: &Plan<'_>,
    files: &RawTree,
    label: Label<'_>,
    limits: &KeptTreeLimits,
) -> Result<std::result::Result<Checkpoint, String>> {
    let name = record::kept_name(repo, place, &files.tree.id.short());
    if let KeepOutcome::TooMuch(why) = repo.keep(&name, &files.tree, limits)? {
        return Ok(Err(why));
    }
    let found = label.step.and_then(|step| plan.find_step(step).ok());
    let goal = found.map(|step| step.goal().name().to_owned());
    let step = found.map(|step| step.name()).or_else(|| label.step.map(str::to_owned));
    let session = host::running_under(&|name| std::env::var_os(name)).into_iter().next();
    let (host, session) = session.map(|(host, session)| (host.name().to_owned(), session.id)).unzip();
    let mut checkpoint = Checkpoint {
        number: 0,
        kind: label.kind,
        step,
        goal,
        time: config::stamp()?,
        taken: record::now(),
        tree: files.tree.id,
        head: files.tree.head,
        branch: repo.branch()?,
        plan: plan.source.to_vec(),
        contract: plan_contract(plan).short(),
        host,
        session: session.flatten(),
        left_out: left_out(files),
        absent: absent(files),
        apart: apart(files),
        created: label.created,
        hollow: label.hollow,
        ..Checkpoint::without_bits()
    };
    checkpoint.take_bits(files);
    document::write(place, &mut checkpoint)?;
    Ok(Ok(checkpoint))
}

fn left_out(files: &RawTree) -> Vec<LeftOut> {
    let skipped = files.tree.skipped.iter();
    skipped
        .filter_map(|skipped| Some(LeftOut { path: skipped.path.clone(), why: skipped.reason.of_file()?.to_owned() }))
        .collect()
}

/// Files that a sparse checkout leaves absent.
fn absent(files: &RawTree) -> Vec<PathBuf> {
    let sparse = files.tree.flagged.iter().filter(|flagged| flagged.flag == Flag::SkipWorktree && flagged.absent);
    sparse.map(|flagged| flagged.path.clone()).collect()
}

/// Submodules and other repositories. The checkpoint names them, and a rewind never touches them.
fn apart(files: &RawTree) -> Vec<SeparateRepo> {
    let links = files.tree.entries.iter().filter(|entry| entry.mode == Mode::Submodule);
    let dirty = |path| files.tree.submodules.iter().any(|submodule| submodule.path == path && submodule.dirty);
    let submodules = links.map(|entry| SeparateRepo {
        path: entry.path.clone(),
        commit: Some(entry.id),
        dirty: dirty(entry.path.clone()),
    });
    let nested = files.tree.skipped.iter().filter(|skipped| skipped.reason == Reason::Nested);
    submodules
        .chain(nested.map(|skipped| SeparateRepo { path: skipped.path.clone(), commit: None, dirty: false }))
        .collect()
}

fn too_slow(limits: &KeptTreeLimits) -> String {
    format!("reading the files took more than {} s", limits.time.as_secs())
}

fn missing(kind: Kind, step: Option<&str>, why: &str) -> String {
    format!("note: no checkpoint {} was taken: {why}", kind.of(step))
}

fn left_out_note(checkpoint: &Checkpoint) -> Option<String> {
    const SHOWN: usize = 3;
    let named = checkpoint.left_out.iter().take(SHOWN);
    let named: Vec<String> = named.map(|left| format!("`{}` ({})", left.path.display(), left.why)).collect();
    let more = match checkpoint.left_out.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| {
        format!(
            "note: checkpoint {} leaves out {}{more}: a rewind never touches them",
            checkpoint.number,
            named.join(", ")
        )
    })
}

/// Reports a missing repository, once in a session.
fn no_repository(place: &Place) -> Vec<String> {
    let session = host::running_under(&|name| std::env::var_os(name)).into_iter().find_map(|(_, session)| session.id);
    let session = session.unwrap_or_default();
    let told = store::read_state(&store::state_file(place, TOLD), 4096);
    if told.is_ok_and(|told| told == session.as_bytes()) {
        return Vec::new();
    }
    // If the state cannot be written, the session gets the note again.
    let _ = store::write_state(place, TOLD, session.as_bytes());
    let note = "note: no checkpoints are taken here: they need a git repository with a work tree; the step is marked all \
                the same";
    vec![note.to_owned()]
}
