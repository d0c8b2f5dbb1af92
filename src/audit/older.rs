//! Contracts in older versions of the plan file, for a change by hand whose old text no record holds.

use std::cell::OnceCell;
use std::path::Path;

use super::past::LARGEST_PLAN;
use crate::plan::contract::GoalContract;
use crate::plan::history::contract_in;
use crate::repo::Repo;

/// How many versions are looked through, newest first.
const VERSIONS: usize = 20;

/// The newest versions of a file; read when first asked for, and then once.
pub(super) struct Older<'r> {
    pub(super) repo: Option<&'r Repo>,
    pub(super) file: &'r Path,
    versions: OnceCell<Vec<Vec<u8>>>,
}

impl<'r> Older<'r> {
    pub(super) fn new(repo: Option<&'r Repo>, file: &'r Path) -> Self {
        Older { repo, file, versions: OnceCell::new() }
    }

    /// The contract of goal `id` with this digest.
    pub(super) fn contract(&self, id: &str, short: &str) -> Option<GoalContract> {
        let versions = self.versions.get_or_init(|| self.read().unwrap_or_default());
        versions.iter().find_map(|bytes| contract_in(bytes, id, short))
    }

    /// Four processes.
    fn read(&self) -> Option<Vec<Vec<u8>>> {
        self.repo?.versions(self.file, VERSIONS, LARGEST_PLAN).ok()
    }
}
