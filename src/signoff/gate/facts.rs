//! What the checks look at.

use std::path::PathBuf;
use std::time::SystemTime;

use super::Depth;
use crate::plan::model::GoalRef;
use crate::repo::evidence::Evidence;
use crate::repo::{Ignored, Tree};
use crate::signoff::history::Seen;
use crate::signoff::stage1::{Line, Report};

/// What the checks look at.
pub struct Facts<'f> {
    /// How much of the gate is asked for.
    pub depth: Depth,
    /// The goal, as it was read.
    pub goal: GoalRef<'f, 'f>,
    /// Its verify line and what it did.
    pub verify: Option<(&'f Line, &'f Report)>,
    /// The whole output of verify and whether it is whole, where a log was kept.
    pub output: Option<&'f (String, bool)>,
    /// The files before and after verify, where there is a repository.
    pub trees: Option<(&'f Tree, &'f Tree)>,
    /// What changed since the base; none where no base is pinned.
    pub base: Option<&'f Base>,
    /// The base is at hand, or there is no repository that could hold one.
    pub pinned: bool,
    /// The evidence files, each with the rule that makes git ignore it.
    pub evidence: &'f [(Evidence, Option<Ignored>)],
    /// What the log says about verify.
    pub seen: Seen,
    /// The goal contract's digest.
    pub contract: String,
    /// The one that the log named before a change by hand.
    pub changed_since: Option<&'f str>,
    /// The one at the last start, where it was amended since.
    pub started_with: Option<&'f str>,
}

/// What changed since the tree at the goal's start.
pub struct Base {
    /// Nothing did.
    pub unchanged: bool,
    /// Evidence files that hold the same bytes as then.
    pub same: Vec<PathBuf>,
    /// The file changed last among those that differ, evidence aside.
    pub newest: Option<(PathBuf, SystemTime)>,
}
