//! The records that belong to the log: attestations and start records, all read at once.

use std::collections::BTreeMap;

use super::attestation::Attestation;
use crate::base::{StartRecord, sign_off_refs};
use crate::error::Result;
use crate::plan::contract::GoalContract;
use crate::plan::log::StartLine;
use crate::repo::{ObjectId, Repo};
use crate::signoff::record;

/// The refs under `refs/plan/`, with the blobs that they name.
#[derive(Default)]
pub(super) struct Refs {
    names: BTreeMap<String, ObjectId>,
    blobs: BTreeMap<ObjectId, Vec<u8>>,
    signoffs: usize,
}

impl Refs {
    /// Reads every sign-off record and start record of this clone. Starts three processes.
    pub(super) fn of(repo: &Repo) -> Result<Self> {
        let refs = repo.list_refs("refs/plan/")?;
        let is_read = |name: &str| name.starts_with("refs/plan/signoffs/") || name.starts_with("refs/plan/starts/");
        let read: Vec<(String, ObjectId)> = refs.into_iter().filter(|(name, _)| is_read(name)).collect();
        let blobs = repo.small_blobs(&read.iter().map(|(_, id)| *id).collect::<Vec<_>>(), record::LARGEST)?;
        let signoffs = read.iter().filter(|(name, _)| name.starts_with("refs/plan/signoffs/")).count();
        Ok(Refs { names: read.into_iter().collect(), blobs, signoffs })
    }

    /// Returns true if this clone has the record of any sign-off: then it must have the record of every sign-off.
    pub(super) fn are_here(&self) -> bool {
        self.signoffs > 0
    }

    /// Returns the attestations for a contract and tree, oldest sign-off first; an error for a record that is not an attestation.
    pub(super) fn attestations(
        &self,
        id: &str,
        contract: &str,
        tree: &str,
    ) -> impl Iterator<Item = std::result::Result<Attestation, String>> + '_ {
        sign_off_refs(id, contract, tree).map_while(|name| self.names.get(&name)).map(|blob| {
            match self.blobs.get(blob) {
                Some(bytes) => Attestation::read(bytes),
                None => Err("it is not a small blob".to_owned()),
            }
        })
    }

    /// Returns the record of a start; `None` if there is no record of a start with this contract and tree.
    pub(super) fn start(&self, id: &str, start: &StartLine<'_>) -> Option<StartRecord> {
        let blob = StartRecord::named(&self.names, id, start)?;
        StartRecord::read(self.blobs.get(&blob)?, id, start.contract, start.tree)
    }

    /// Finds a contract in the records of a goal, by the digits that the log has.
    pub(super) fn contract(&self, id: &str, short: &str) -> Option<GoalContract> {
        for family in ["starts", "signoffs"] {
            let start = format!("refs/plan/{family}/{id}/{short}-");
            let found = self.names.iter().filter(|(name, _)| name.starts_with(&start)).find_map(|(_, blob)| {
                let value: serde_json::Value = serde_json::from_slice(self.blobs.get(blob)?).ok()?;
                GoalContract::read(&value["contract"].to_string()).filter(|contract| contract.digest.is_short(short))
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
