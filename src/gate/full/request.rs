//! The input of the full gate.

use std::path::Path;

use crate::base::{Base, StartRecord};
use crate::gate::Depth;
use crate::plan::history::Seen;
use crate::plan::model::GoalKind;
use crate::replay::ReplayRequest;
use crate::repo::TreeEntry;
use crate::verify::stage1::CommandLine;

/// The input of the full gate. The tree can be the work tree at the end of a goal or the tree of a commit.
#[derive(Clone, Copy)]
pub struct FullRequest<'j> {
    /// The goal's verify and how it runs.
    pub replay: ReplayRequest<'j>,
    /// The goal's id.
    pub goal: &'j str,
    /// The goal's subject and criteria.
    pub said: &'j [String],
    /// The checks of the failure modes, each with the number of its mode.
    pub checks: &'j [(usize, CommandLine)],
    /// The verify commands of other goals that were signed off with the same files. All of the work may belong to those goals.
    pub others: &'j [CommandLine],
    /// The goal's kind.
    pub kind: GoalKind,
    /// The goal's `may_change`.
    pub may_change: &'j [String],
    /// The files of the tree, from [`crate::repo::Repo::tree`] or [`crate::repo::Repo::entries`].
    pub entries: &'j [TreeEntry],
    /// The plan file, if it is not in the tree. It is exported for git and for programs that read every file.
    pub plan_file: Option<&'j Path>,
    /// The base to compare the work with, if there is one.
    pub base: Option<&'j Base>,
    /// The record of the last start, if it is available.
    pub start: Option<&'j StartRecord>,
    /// The result of verify at the start according to the log. If the start had uncommitted files, this alone is not enough.
    pub seen: Seen,
    /// How much of the gate runs.
    pub depth: Depth,
    /// Whether the gate runs without a run of verify in place (`audit --rerun`). Then it tries verify at the start, counts the
    /// tests at the start and now, and excuses nothing that is red in the export.
    pub alone: bool,
}
