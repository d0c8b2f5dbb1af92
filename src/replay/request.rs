//! The input of the runs.

use std::path::Path;
use std::time::Duration;

use crate::repo::{Repo, Submodule};
use crate::verify::stage1::CommandLine;
use crate::verify::watch::Watch;

/// The input of the runs, besides the trees.
#[derive(Clone, Copy)]
pub struct ReplayRequest<'j> {
    /// The repository.
    pub repo: &'j Repo,
    /// The plan's root in the work tree: absolute, links resolved. Verify runs in the same folder of an export.
    pub root: &'j Path,
    /// The line of verify.
    pub line: &'j CommandLine,
    /// Submodules that are checked out; the clean ones are linked in.
    pub submodules: &'j [Submodule],
    /// More folders to link in, by name or by path (`gate_keep`).
    pub keep: &'j [String],
    /// The time limit of one run.
    pub limit: Duration,
    /// The time limit of all runs.
    pub budget: Duration,
    /// How long verify took in place, in seconds, if it ran there.
    pub usual: Option<f64>,
    /// Shows progress.
    pub watch: &'j dyn Watch,
}

impl ReplayRequest<'_> {
    /// The plan's root, relative to the top and empty for the top itself.
    pub(crate) fn inner_root(&self) -> &Path {
        self.root.strip_prefix(self.repo.top()).unwrap_or("".as_ref())
    }
}
