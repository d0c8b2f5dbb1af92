//! The input of the full gate.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::base::Base;
use crate::base::StartRecord;
use crate::gate::Depth;
use crate::plan::history::Seen;
use crate::plan::model::GoalKind;
use crate::repo::{Repo, TreeEntry};
use crate::verify::stage1::CommandLine;
use crate::verify::watch::Watch;

/// The input of the full gate. The tree can be the work tree at the end of a goal or the tree of a commit.
#[derive(Clone, Copy)]
pub struct ReplayRequest<'j> {
    /// The repository.
    pub repo: &'j Repo,
    /// The plan's root in the work tree: absolute, links resolved. Verify runs in the same folder of an export.
    pub root: &'j Path,
    /// The goal's id.
    pub goal: &'j str,
    /// Its subject and its criteria.
    pub said: &'j [String],
    /// The goal's verify.
    pub line: &'j CommandLine,
    /// The checks of the failure modes, each with the number of its mode.
    pub checks: &'j [(usize, CommandLine)],
    /// The goal's kind.
    pub kind: GoalKind,
    /// The goal's `may_change`.
    pub may_change: &'j [String],
    /// The files of the tree, from [`Repo::tree`] or [`Repo::entries`].
    pub entries: &'j [TreeEntry],
    /// The plan file, if it lies in the work tree but not in the tree. It is exported as it is, for git and for
    /// programs that read every file.
    pub plan_file: Option<&'j Path>,
    /// Submodules that are checked out and clean; they are linked in.
    pub submodules: &'j [PathBuf],
    /// The base to compare the work with, if there is one.
    pub base: Option<&'j Base>,
    /// The record of the last start, if it is available.
    pub start: Option<&'j StartRecord>,
    /// What the log says about verify at the start. If the start had uncommitted files, this alone is not enough.
    pub seen: Seen,
    /// The time limit of one run of verify.
    pub limit: Duration,
    /// How much of the gate runs.
    pub depth: Depth,
    /// The time limit of the whole gate.
    pub budget: Duration,
    /// How long verify took in place, in seconds, if it ran there.
    pub usual: Option<f64>,
    /// More folders to link in, by name or by path (`gate_keep`).
    pub keep: &'j [String],
    /// Nobody ran verify in place (`audit --rerun`). Then the gate tries verify at the start, counts tests at the start
    /// and now, and excuses nothing that is red in the export.
    pub alone: bool,
    /// Shows progress.
    pub watch: &'j dyn Watch,
}
