//! The facts that the rows of the gate work from.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Depth;
use super::harness::Harness;
use crate::base::{BaseOrigin, Merged};
use crate::base::{Runner, StartRecord};
use crate::lang::closing_lines::TestTally;
use crate::plan::contract::GoalContract;
use crate::plan::history::Seen;
use crate::plan::model::GoalRef;
use crate::repo::evidence::Evidence;
use crate::repo::{Hide, Ignored, PathChange, Tree};
use crate::verify::check::FailureMode;
use crate::verify::stage1::{CommandLine, Report};

/// The facts that the rows of the gate work from.
pub struct GateFacts<'f> {
    /// How much of the gate runs.
    pub depth: Depth,
    /// The goal, as read from the plan file.
    pub goal: GoalRef<'f, 'f>,
    /// The goal's verify line and the report of its run.
    pub verify: Option<(&'f CommandLine, &'f Report)>,
    /// The files before and after verify, if there is a repository.
    pub trees: Option<(&'f Tree, &'f Tree)>,
    /// The changes since the base, or `None` without a base.
    pub base: Option<&'f BaseDiff>,
    /// Whether there is a repository.
    pub in_repository: bool,
    /// The evidence files, each with the rule that makes git ignore it.
    pub evidence: &'f [(Evidence, Option<Ignored>)],
    /// The result of verify at the start, as the log says.
    pub seen: Seen,
    /// The digest of the goal contract.
    pub contract: String,
    /// The contract digest in the log, if the contract was changed by hand since.
    pub changed_since: Option<&'f str>,
    /// The contract digest of the last start, if the contract was amended since.
    pub started_with: Option<&'f str>,
    /// Whether somebody gave a reason why the contract differs from the start.
    pub is_explained: bool,
    /// The failure modes, with the results of their checks.
    pub modes: &'f [FailureMode],
    /// The facts of the start, and the same facts now.
    pub start: &'f StartFacts,
    /// The files that decide the result of verify.
    pub harness: &'f Harness,
    /// The texts of some of today's test files.
    pub tests: &'f [String],
    /// Reads a small text file of the work tree by its path from the top.
    pub read: &'f dyn Fn(&str) -> Option<String>,
    /// The plan's root, relative to the top of the work tree.
    pub root: &'f Path,
    /// The plan file, relative to the top of the work tree.
    pub plan_file: &'f Path,
    /// Everything that makes git show less than the repository holds.
    pub hides: &'f [Hide],
}

/// The facts of the start, and the same facts now.
#[derive(Clone, Debug, Default)]
pub struct StartFacts {
    /// True if the log names a start that should have left a record, but there is none.
    pub missing: bool,
    /// How the record of a start differs from the log.
    pub differs: Option<String>,
    /// Whether another start on the same files saw verify green, where the log says red.
    pub was_green: bool,
    /// The record of the last start.
    pub last: Option<StartRecord>,
    /// The test counts of this verify at the earliest start that ran it.
    pub tests_then: Option<TestTally>,
    /// The test counts of this verify now.
    pub tests_now: Option<TestTally>,
    /// The programs and variables that run verify now.
    pub runner: Option<Runner>,
    /// The older contract with which the current one is compared, if it is available and differs.
    pub contract: Option<GoalContract>,
    /// The current contract.
    pub present: Option<GoalContract>,
}

/// The changes since the base.
#[derive(Clone, Debug)]
pub struct BaseDiff {
    /// Where the base comes from.
    pub origin: BaseOrigin,
    /// True if nothing changed.
    pub unchanged: bool,
    /// The uncommitted files at the start.
    pub uncommitted: Option<Uncommitted>,
    /// The changes that the remote's default branch brought since the start.
    pub merged: Option<Merged>,
    /// Changed files whose contents at the start were too large to keep.
    pub lost: Vec<PathBuf>,
    /// Evidence files with the same bytes as a file of the start, each with the path of that file.
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
    /// The files of the commit that were changed or removed.
    pub files: Vec<PathBuf>,
    /// The number of files that were not in the commit.
    pub new: usize,
    /// True if another goal was signed off with exactly the files of the start.
    pub signed: bool,
    /// True if some of these files were changed since the start.
    pub touched: bool,
    /// True if all files are now as in the commit.
    pub put_back: bool,
}

/// A file that differs from the base.
#[derive(Clone, Debug)]
pub struct ChangedFile {
    /// The path, relative to the top of the work tree.
    pub path: PathBuf,
    /// How it changed.
    pub change: PathChange,
    /// The text at the base. `None` if the file did not exist, is too large, is not text, or there are too many files.
    pub then: Option<String>,
    /// The text now. `None` for the same reasons.
    pub now: Option<String>,
    /// The present target, if the file is a symbolic link.
    pub link: Option<PathBuf>,
}
