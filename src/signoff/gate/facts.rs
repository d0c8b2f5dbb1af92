//! What the checks look at.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Depth;
use super::harness::Harness;
use super::nothing_ran::Tally;
use crate::plan::contract::GoalContract;
use crate::plan::model::GoalRef;
use crate::repo::evidence::Evidence;
use crate::repo::{Change, Hide, Ignored, Tree};
use crate::signoff::base::Origin;
use crate::signoff::history::Seen;
use crate::signoff::judge::case::Mode;
use crate::signoff::stage1::{Line, Report};
use crate::signoff::start::{Runner, StartRecord};

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
    /// What changed since the base; none where there is none.
    pub base: Option<&'f BaseDiff>,
    /// There is a repository.
    pub in_repository: bool,
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
    /// Somebody said why it is no longer the one of the start.
    pub is_explained: bool,
    /// The failure modes, with what came of their checks.
    pub modes: &'f [Mode],
    /// What is known of the start and of what runs verify now.
    pub start: &'f StartFacts,
    /// Which files decide what verify says.
    pub harness: &'f Harness,
    /// The texts of test files as they are now, some of them.
    pub tests: &'f [String],
    /// The plan's root, relative to the top.
    pub root: &'f Path,
    /// What makes git show less than there is.
    pub hides: &'f [Hide],
}

/// What is known of the start, and the same now.
#[derive(Clone, Debug, Default)]
pub struct StartFacts {
    /// The log tells a start that ought to have left a record, and there is none.
    pub missing: bool,
    /// What a record of a start says otherwise than the log.
    pub differs: Option<String>,
    /// The record of the last start.
    pub last: Option<StartRecord>,
    /// The tests of this verify at the earliest start that ran it.
    pub tests_then: Option<Tally>,
    /// Its tests now.
    pub tests_now: Option<Tally>,
    /// What runs verify now.
    pub runner: Option<Runner>,
    /// The contract that the present one has to be held against, where it differs and is at hand.
    pub contract: Option<GoalContract>,
    /// The present contract.
    pub present: Option<GoalContract>,
}

/// What changed since the base.
#[derive(Clone, Debug)]
pub struct BaseDiff {
    /// Where the base comes from.
    pub origin: Origin,
    /// Nothing changed.
    pub unchanged: bool,
    /// What the start stood on that was in no commit.
    pub uncommitted: Option<Uncommitted>,
    /// Changed files whose contents at the start were too large to be kept.
    pub lost: Vec<PathBuf>,
    /// Evidence files with the same bytes as a file of then, and which that is.
    pub same: Vec<(PathBuf, PathBuf)>,
    /// The file changed last among those that differ, evidence aside.
    pub newest: Option<(PathBuf, SystemTime)>,
    /// Every file that differs, the plan file aside, in order.
    pub changed: Vec<ChangedFile>,
}

/// What a start stood on that was in no commit.
#[derive(Clone, Debug)]
pub struct Uncommitted {
    /// The commit under it, 12 digits.
    pub commit: String,
    /// Files of the commit that were others, or were gone.
    pub files: Vec<PathBuf>,
    /// How many files there were that the commit has not.
    pub new: usize,
    /// All of it is what another goal was signed off with.
    pub signed: bool,
    /// Some of them were changed since the start.
    pub touched: bool,
    /// The files are those of the commit now.
    pub put_back: bool,
}

/// A file that differs from the base.
#[derive(Clone, Debug)]
pub struct ChangedFile {
    /// Relative to the top.
    pub path: PathBuf,
    /// How.
    pub change: Change,
    /// What it was; none where it was not, or is not looked into: too large, no text, too many of them.
    pub then: Option<String>,
    /// What it is; none likewise.
    pub now: Option<String>,
    /// What it leads to now, as a symbolic link.
    pub link: Option<PathBuf>,
}
