//! What the full gate is asked about.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::plan::model::GoalKind;
use crate::repo::{Entry, Repo};
use crate::signoff::base::Base;
use crate::signoff::gate::Depth;
use crate::signoff::history::Seen;
use crate::signoff::stage1::Line;
use crate::signoff::start::StartRecord;
use crate::signoff::watch::Watch;

/// What the full gate is asked about. Any tree will do: the work tree at the end of a goal, or a commit's.
#[derive(Clone, Copy)]
pub struct ReplayRequest<'j> {
    /// The repository.
    pub repo: &'j Repo,
    /// The plan's root, absolute, links resolved, in the work tree: verify runs in the same folder of an export.
    pub root: &'j Path,
    /// The goal's id.
    pub goal: &'j str,
    /// The goal's verify.
    pub line: &'j Line,
    /// The commands that rule out failure modes, with the numbers of these.
    pub checks: &'j [(usize, Line)],
    /// The goal's kind.
    pub kind: GoalKind,
    /// The goal's `may_change`.
    pub may_change: &'j [String],
    /// The files of the tree, as [`Repo::tree`] or [`Repo::entries`] has them.
    pub entries: &'j [Entry],
    /// The plan file, where it lies in the work tree and not in the tree: exported as it stands, for git and for those who
    /// look at every file.
    pub plan_file: Option<&'j Path>,
    /// Submodules that are checked out and clean: linked in.
    pub submodules: &'j [PathBuf],
    /// What the work is held against, where there is something.
    pub base: Option<&'j Base>,
    /// The record of the last start, where it is at hand.
    pub start: Option<&'j StartRecord>,
    /// What the log says about verify at the start; where that stood on files of no commit, it is not believed alone.
    pub seen: Seen,
    /// The limit of one run of verify.
    pub limit: Duration,
    /// How much of the gate was asked for.
    pub depth: Depth,
    /// The limit of all.
    pub budget: Duration,
    /// How long verify took in place, in seconds, where it was run there.
    pub usual: Option<f64>,
    /// More folders to link in, by name or by path (`gate_keep`).
    pub keep: &'j [String],
    /// Nobody ran verify in place (`audit --rerun`): how it was at the start is tried here, tests are counted at the start
    /// and now, and what is not green in the export is not excused.
    pub alone: bool,
    /// Who watches.
    pub watch: &'j dyn Watch,
}
