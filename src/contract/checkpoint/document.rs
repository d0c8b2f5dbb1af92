//! A record as JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::record::{Apart, Checkpoint, Kind, LeftOut};
use super::saved_path::{self, SavedPath};
use crate::repo::ObjectId;

/// The schema that this version writes.
pub(super) const VERSION: u32 = 1;

/// The content of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct CheckpointFile {
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

/// Only the version, of whatever a newer `plan` wrote.
#[derive(Deserialize)]
pub(super) struct SchemaVersion {
    pub(super) version: u32,
}

/// None for what is no record.
pub(super) fn checkpoint(number: u32, document: CheckpointFile) -> Option<Checkpoint> {
    let id = |text: Option<String>| match text {
        None => Some(None),
        Some(text) => ObjectId::parse(&text).map(Some),
    };
    let mut apart = Vec::new();
    for (path, commit, dirty) in document.apart {
        apart.push(Apart { path: path.0, commit: id(commit)?, dirty });
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

/// As it is written.
pub(super) fn document(checkpoint: &Checkpoint) -> CheckpointFile {
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| SavedPath(path.clone())).collect();
    let bits =
        |bits: &BTreeMap<PathBuf, u16>| bits.iter().map(|(path, bits)| (SavedPath(path.clone()), *bits)).collect();
    let apart = |apart: &Apart| (SavedPath(apart.path.clone()), apart.commit.map(|id| id.to_string()), apart.dirty);
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
