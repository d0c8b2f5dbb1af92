//! The facts that the rows look at.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Depth;
use super::harness::Harness;
use crate::base::{Merged, Origin};
use crate::base::{Runner, StartRecord};
use crate::lang::closing_lines::Tally;
use crate::plan::contract::GoalContract;
use crate::plan::history::Seen;
use crate::plan::model::GoalRef;
use crate::repo::evidence::Evidence;
use crate::repo::{Change, Hide, Ignored, Tree};
use crate::verify::check::FailureMode;
use crate::verify::stage1::{CommandLine, Report};

/// The facts that the rows look at.
pub struct Facts<'f> {
    /// How much of the gate runs.
    pub depth: Depth,
    /// The goal, as it was read.
    pub goal: GoalRef<'f, 'f>,
    /// Its verify line and the report of the run.
    pub verify: Option<(&'f CommandLine, &'f Report)>,
    /// The output of verify and whether it is complete, if a log was kept.
    pub output: Option<&'f (String, bool)>,
    /// The files before and after verify, if there is a repository.
    pub trees: Option<(&'f Tree, &'f Tree)>,
    /// The changes since the base; none without a base.
    pub base: Option<&'f BaseDiff>,
    /// Whether there is a repository.
    pub in_repository: bool,
    /// The evidence files, each with the rule that makes git ignore it.
    pub evidence: &'f [(Evidence, Option<Ignored>)],
    /// What the log says about verify.
    pub seen: Seen,
    /// The digest of the goal contract.
    pub contract: String,
    /// The contract digest that the log named before a change by hand.
    pub changed_since: Option<&'f str>,
    /// The contract digest of the last start, if the contract was amended since.
    pub started_with: Option<&'f str>,
    /// Whether somebody said why the contract differs from the start.
    pub is_explained: bool,
    /// The failure modes, with the results of their checks.
    pub modes: &'f [FailureMode],
    /// The facts of the start, and of what runs verify now.
    pub start: &'f StartFacts,
    /// Which files decide what verify says.
    pub harness: &'f Harness,
    /// The texts of some of today's test files.
    pub tests: &'f [String],
    /// Reads a small text of the work tree by its path from the top.
    pub read: &'f dyn Fn(&str) -> Option<String>,
    /// The plan's root, relative to the top of the work tree.
    pub root: &'f Path,
    /// The plan file, relative to the top of the work tree.
    pub plan_file: &'f Path,
    /// Everything that makes git show less than there is.
    pub hides: &'f [Hide],
}

/// The facts of the start, and the same facts now.
#[derive(Clone, Debug, Default)]
pub struct StartFacts {
    /// The log names a start that should have left a record, and there is none.
    pub missing: bool,
    /// How the record of a start differs from the log.
    pub differs: Option<String>,
    /// The record of the last start.
    pub last: Option<StartRecord>,
    /// The tests of this verify at the earliest start that ran it.
    pub tests_then: Option<Tally>,
    /// The tests of this verify now.
    pub tests_now: Option<Tally>,
    /// What runs verify now.
    pub runner: Option<Runner>,
    /// The contract to compare the present one with, if it differs and is available.
    pub contract: Option<GoalContract>,
    /// The present contract.
    pub present: Option<GoalContract>,
}

/// The changes since the base.
#[derive(Clone, Debug)]
pub struct BaseDiff {
    /// Where the base comes from.
    pub origin: Origin,
    /// Nothing changed.
    pub unchanged: bool,
    /// The uncommitted files at the start.
    pub uncommitted: Option<Uncommitted>,
    /// What the remote's default branch brought since the start.
    pub merged: Option<Merged>,
    /// Changed files whose contents at the start were too large to keep.
    pub lost: Vec<PathBuf>,
    /// Evidence files with the same bytes as a file of the start, each with that file.
    pub same: Vec<(PathBuf, PathBuf)>,
    /// The newest changed file apart from evidence, with its time.
    pub newest: Option<(PathBuf, SystemTime)>,
    /// Every changed file apart from the plan file, in order.
    pub changed: Vec<ChangedFile>,
}

/// The uncommitted files at a start.
#[derive(Clone, Debug)]
pub struct Uncommitted {
    /// The commit under the start, 12 digits.
    pub commit: String,
    /// Files of the commit that were changed or removed.
    pub files: Vec<PathBuf>,
    /// How many files were not in the commit.
    pub new: usize,
    /// All of these files belong to a sign-off of another goal.
    pub signed: bool,
    /// Some of them were changed since the start.
    pub touched: bool,
    /// The files are those of the commit now.
    pub put_back: bool,
}

/// A file that differs from the base.
#[derive(Clone, Debug)]
pub struct ChangedFile {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// How it changed.
    pub change: Change,
    /// Its text at the base. None if it did not exist, is too large, is not text, or there are too many files.
    pub then: Option<String>,
    /// Its text now; none for the same reasons.
    pub now: Option<String>,
    /// The target of a symbolic link now.
    pub link: Option<PathBuf>,
}
