//! The files of the records: one JSON file for each, written in one step.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::record::{Checkpoint, Kind, LeftOut, SeparateRepo};
use super::saved_path::{self, SavedPath};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::repo::ObjectId;
use crate::store::{self, Place};

/// The schema that this version writes.
const VERSION: u32 = 1;
/// The maximum size of a record, in bytes. `plan` writes no larger one, because plan.md has at most 64 MiB.
const LARGEST: u64 = 256 << 20;

/// The content of a file.
#[derive(Serialize, Deserialize)]
struct CheckpointFile {
    version: u32,
    kind: Kind,
    step: Option<String>,
    goal: Option<String>,
    time: String,
    taken: u64,
    tree: String,
    head: Option<String>,
    branch: Option<String>,
    contract: String,
    host: Option<String>,
    session: Option<String>,
    usual: [u16; 3],
    bits: BTreeMap<SavedPath, u16>,
    folders: BTreeMap<SavedPath, u16>,
    left_out: Vec<(SavedPath, String)>,
    absent: Vec<SavedPath>,
    apart: Vec<(SavedPath, Option<String>, bool)>,
    created: Vec<SavedPath>,
    hollow: Vec<SavedPath>,
    plan: String,
}

/// Only the version, which can also be read from the file of a newer `plan`.
#[derive(Deserialize)]
struct SchemaVersion {
    version: u32,
}

/// A record that cannot be read. The other records are not affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRecord {
    /// Its number.
    pub number: u32,
    /// The reason: `is damaged`, `was written by a newer version of plan`.
    pub why: &'static str,
}

impl UnreadableRecord {
    /// The error for a caller that needs this record.
    pub fn error(&self, place: &Place) -> Error {
        let path = path(place, self.number);
        Error::new(ErrorKind::Input, format!("checkpoint {} {}; the others can be used", self.number, self.why))
            .hint(format!("to remove it: rm {}", crate::shell::quote(&path.to_string_lossy())))
    }
}

/// Returns every record of this plan, oldest first. Starts no process.
pub fn list(place: &Place) -> Vec<std::result::Result<Checkpoint, UnreadableRecord>> {
    let Ok(folder) = std::fs::read_dir(store::state_file(place, &folder_name(place))) else { return Vec::new() };
    let names = folder.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut numbers: Vec<u32> = names.filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|number| read(place, number)).collect()
}

/// The path of a record's file.
pub fn path(place: &Place, number: u32) -> PathBuf {
    store::state_file(place, &file_name(place, number))
}

fn read(place: &Place, number: u32) -> std::result::Result<Checkpoint, UnreadableRecord> {
    let damaged = || UnreadableRecord { number, why: "is damaged" };
    let bytes = store::read_state(&path(place, number), LARGEST).map_err(|_| damaged())?;
    let version: SchemaVersion = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
    if version.version > VERSION {
        return Err(UnreadableRecord { number, why: "was written by a newer version of `plan`" });
    }
    let document: CheckpointFile = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
    checkpoint(number, document).ok_or_else(damaged)
}

/// Writes a record under the next free number and sets that number in it.
pub(super) fn write(place: &Place, checkpoint: &mut Checkpoint) -> Result<()> {
    let folder = store::state_folder(place, &folder_name(place))?;
    let bytes = serde_json::to_vec(&document(checkpoint)).unwrap_or_default();
    let trouble =
        |error: std::io::Error| Error::new(ErrorKind::Unknown, format!("cannot write `{}`: {error}", folder.display()));
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(trouble)?;
    file.write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(trouble)?;
    let newest = list_numbers(&folder).into_iter().max().unwrap_or(0);
    for number in newest + 1.. {
        match file.persist_noclobber(folder.join(format!("{number:04}.json"))) {
            Ok(_) => {
                checkpoint.number = number;
                return Ok(());
            }
            // Another process took the number.
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(trouble(error.error)),
        }
    }
    Ok(())
}

fn list_numbers(folder: &Path) -> Vec<u32> {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok()).collect()
}

/// Removes a record.
pub(super) fn remove(place: &Place, number: u32) -> Result<()> {
    store::remove_state(place, &file_name(place, number)).map(drop)
}

/// The folder of this plan's records below the state folder.
pub(in crate::contract) fn folder_name(place: &Place) -> String {
    format!("checkpoints/{}", place.key())
}

fn file_name(place: &Place, number: u32) -> String {
    format!("{}/{number:04}.json", folder_name(place))
}

/// Converts from the form of the file; `None` if it is not a valid record.
fn checkpoint(number: u32, document: CheckpointFile) -> Option<Checkpoint> {
    let id = |text: Option<String>| match text {
        None => Some(None),
        Some(text) => ObjectId::parse(&text).map(Some),
    };
    let mut apart = Vec::new();
    for (path, commit, dirty) in document.apart {
        apart.push(SeparateRepo { path: path.0, commit: id(commit)?, dirty });
    }
    let paths = |paths: Vec<SavedPath>| paths.into_iter().map(|path| path.0).collect();
    let bits = |bits: BTreeMap<SavedPath, u16>| bits.into_iter().map(|(path, bits)| (path.0, bits & 0o7777)).collect();
    Some(Checkpoint {
        number,
        kind: document.kind,
        step: document.step,
        goal: document.goal,
        time: document.time,
        taken: document.taken,
        tree: ObjectId::parse(&document.tree)?,
        head: id(document.head)?,
        branch: document.branch,
        plan: saved_path::bytes(&document.plan)?,
        contract: document.contract,
        host: document.host,
        session: document.session,
        usual: document.usual.map(|bits| bits & 0o7777),
        bits: bits(document.bits),
        folders: bits(document.folders),
        left_out: document.left_out.into_iter().map(|(path, why)| LeftOut { path: path.0, why }).collect(),
        absent: paths(document.absent),
        apart,
        created: paths(document.created),
        hollow: paths(document.hollow),
    })
}

/// Converts to the form of the file.
fn document(checkpoint: &Checkpoint) -> CheckpointFile {
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| SavedPath(path.clone())).collect();
    let bits =
        |bits: &BTreeMap<PathBuf, u16>| bits.iter().map(|(path, bits)| (SavedPath(path.clone()), *bits)).collect();
    let apart =
        |apart: &SeparateRepo| (SavedPath(apart.path.clone()), apart.commit.map(|id| id.to_string()), apart.dirty);
    CheckpointFile {
        version: VERSION,
        kind: checkpoint.kind,
        step: checkpoint.step.clone(),
        goal: checkpoint.goal.clone(),
        time: checkpoint.time.clone(),
        taken: checkpoint.taken,
        tree: checkpoint.tree.to_string(),
        head: checkpoint.head.map(|id| id.to_string()),
        branch: checkpoint.branch.clone(),
        contract: checkpoint.contract.clone(),
        host: checkpoint.host.clone(),
        session: checkpoint.session.clone(),
        usual: checkpoint.usual,
        bits: bits(&checkpoint.bits),
        folders: bits(&checkpoint.folders),
        left_out: checkpoint.left_out.iter().map(|left| (SavedPath(left.path.clone()), left.why.clone())).collect(),
        absent: paths(&checkpoint.absent),
        apart: checkpoint.apart.iter().map(apart).collect(),
        created: paths(&checkpoint.created),
        hollow: paths(&checkpoint.hollow),
        plan: saved_path::text(&checkpoint.plan),
    }
}
