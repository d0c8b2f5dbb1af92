//! What was measured of a check after verify.

use std::path::{Path, PathBuf};

use crate::base::Base;
use crate::gate::facts::{BaseDiff, StartFacts};
use crate::gate::harness::Harness;
use crate::plan::history;
use crate::plan::model::GoalRef;
use crate::repo::evidence::Evidence;
use crate::repo::{Hide, Ignored, Tree};
use crate::signoff::diff_stat::{DiffStat, Role};
use crate::signoff::judge::case::Case;
use crate::verify::check::FailureMode;

/// The measured facts of a check.
#[derive(Default)]
pub(super) struct Facts {
    /// Evidence files, each with the rule that makes git ignore it.
    pub(super) evidence: Vec<(Evidence, Option<Ignored>)>,
    /// The failure modes, with what came of their checks.
    pub(super) modes: Vec<FailureMode>,
    /// The files after verify and checks.
    pub(super) after: Option<Tree>,
    pub(super) since: Option<BaseDiff>,
    /// What the work is held against.
    pub(super) base: Option<Base>,
    pub(super) started: StartFacts,
    pub(super) harness: Harness,
    pub(super) tests: Vec<String>,
    pub(super) hides: Vec<Hide>,
    pub(super) root: PathBuf,
    pub(super) output: Option<(String, bool)>,
    pub(super) seen: history::Seen,
    /// Today's tests were red on the source of the start.
    pub(super) red_on_base: bool,
}

impl Facts {
    /// What is known before anything is run or measured.
    pub(super) fn of(goal: GoalRef<'_, '_>) -> Facts {
        let seen = history::seen(goal.plan(), goal.name());
        Facts { modes: Case::of(goal).failure_modes, seen, ..Facts::default() }
    }

    /// What changed since the base; none without one.
    pub(super) fn diff_stat(&self) -> Option<DiffStat> {
        let since = self.since.as_ref()?;
        let is_evidence = |path: &Path| self.evidence.iter().any(|(file, _)| self.root.join(&file.path) == path);
        let role = |path: &Path| match path {
            path if self.harness.is_harness(path) && !self.harness.is_only_named(path) => Role::Test,
            path if self.harness.is_named(path) => Role::Verify,
            path if is_evidence(path) => Role::Evidence,
            _ => Role::Work,
        };
        Some(DiffStat::of(since.changed.iter().map(|file| (file, role(&file.path)))))
    }

    /// Whether verify was red at a start that holds against the commit under it: on its files, or on others that another goal
    /// was signed off with, or that are all still as they were then, so that nothing was broken before the start and put back
    /// after it.
    pub(super) fn red_at_start(&self) -> bool {
        let uncommitted = self.since.as_ref().and_then(|since| since.uncommitted.as_ref());
        let holds = uncommitted.is_none_or(|uncommitted| uncommitted.signed || !uncommitted.touched);
        self.seen == history::Seen::Red && holds && self.started.differs.is_none()
    }
}
