//! The measurements of a check after verify.

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

#[derive(Default)]
pub(super) struct CheckFacts {
    /// Evidence files, each with the rule that makes git ignore it.
    pub(super) evidence: Vec<(Evidence, Option<Ignored>)>,
    /// The failure modes, with the results of their checks.
    pub(super) modes: Vec<FailureMode>,
    /// The files after verify and checks.
    pub(super) after: Option<Tree>,
    pub(super) since: Option<BaseDiff>,
    /// The base that the work is compared with.
    pub(super) base: Option<Base>,
    pub(super) started: StartFacts,
    pub(super) harness: Harness,
    pub(super) tests: Vec<String>,
    pub(super) hides: Vec<Hide>,
    pub(super) root: PathBuf,
    pub(super) seen: history::Seen,
    /// Whether today's tests were red on the source of the start.
    pub(super) red_on_base: bool,
}

impl CheckFacts {
    /// Returns the facts that are known before anything is run or measured.
    pub(super) fn of(goal: GoalRef<'_, '_>) -> CheckFacts {
        let seen = history::seen(goal.plan(), goal.name());
        CheckFacts { modes: Case::of(goal).failure_modes, seen, ..CheckFacts::default() }
    }

    /// Returns the changes since the base; `None` without a base.
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

    /// Whether verify was red at the start, and the start is credible: the log agrees with its record, and the files that differ
    /// from the commit under it, if any, belong to the sign-off of another goal or are all unchanged since. Then nothing was
    /// broken before the start and put back after it.
    pub(super) fn red_at_start(&self) -> bool {
        let uncommitted = self.since.as_ref().and_then(|since| since.uncommitted.as_ref());
        let holds = uncommitted.is_none_or(|uncommitted| uncommitted.signed || !uncommitted.touched);
        self.seen == history::Seen::Red && holds && self.started.differs.is_none()
    }
}
