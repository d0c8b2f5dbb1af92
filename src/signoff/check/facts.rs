//! The measurements after verify: evidence, digests, and the input of the gate (`SIGNOFF.md` §1.3 to §1.5).

use std::path::{Path, PathBuf};

use super::context::CheckContext;
use super::{Ask, since};
use crate::base::{self, Base, Origin};
use crate::error::Result;
use crate::gate::Finding;
use crate::gate::facts::{BaseDiff, StartFacts};
use crate::gate::harness::Harness;
use crate::gate::{self, fast};
use crate::plan::history;
use crate::repo::evidence::{Evidence, evidence};
use crate::repo::{Hide, Ignored, Tree};
use crate::signoff::checks;
use crate::signoff::diff_stat::{DiffStat, Role, Versions};
use crate::signoff::judge::case::Case;
use crate::verify::check::{Check, FailureMode};
use crate::verify::stage1;

/// The measured facts of a check.
pub(super) struct Facts {
    depth: gate::Depth,
    /// Evidence files, each with the rule that makes git ignore it.
    pub(super) evidence: Vec<(Evidence, Option<Ignored>)>,
    /// The failure modes, with what came of their checks.
    pub(super) modes: Vec<FailureMode>,
    /// The files after verify and checks.
    pub(super) after: Option<Tree>,
    /// As log lines have it.
    pub(super) tree: String,
    /// As log lines have it.
    pub(super) at: String,
    since: Option<BaseDiff>,
    /// What the work is held against.
    pub(super) base: Option<Base>,
    pub(super) started: StartFacts,
    harness: Harness,
    tests: Vec<String>,
    hides: Vec<Hide>,
    root: PathBuf,
    output: Option<(String, bool)>,
    pub(super) seen: history::Seen,
    /// Today's tests were red on the source of the start.
    pub(super) red_on_base: bool,
}

impl Facts {
    /// The gate's findings, those that block first.
    pub(super) fn findings(&self, context: &CheckContext<'_>, verify: Option<&stage1::Report>) -> Vec<Finding> {
        fast::findings(&gate::facts::Facts {
            depth: self.depth,
            goal: context.goal,
            verify: context.line.as_ref().zip(verify),
            output: self.output.as_ref(),
            trees: context.before.as_ref().zip(self.after.as_ref()),
            base: self.since.as_ref(),
            in_repository: context.repo.is_some(),
            evidence: &self.evidence,
            seen: self.seen,
            contract: context.contract.digest.short(),
            changed_since: context.changed_since.as_deref(),
            started_with: context.started_with.as_deref(),
            is_explained: context.is_explained,
            modes: &self.modes,
            start: &self.started,
            harness: &self.harness,
            tests: &self.tests,
            root: &self.root,
            hides: &self.hides,
        })
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
        Some(DiffStat::of(since.changed.iter().map(|file| Versions {
            path: file.path.clone(),
            change: file.change,
            role: role(&file.path),
            then: file.then.as_deref(),
            now: file.now.as_deref(),
        })))
    }

    /// What came of the checks that the failure modes carry.
    pub(super) fn checks(&self) -> Vec<Check> {
        self.modes.iter().filter_map(|mode| mode.check.clone()).collect()
    }

    /// Whether verify was seen red, or need not have been.
    pub(super) fn seen_red(&self, context: &CheckContext<'_>) -> bool {
        self.red_at_start() || self.red_on_base || context.goal.kind().begins_green()
    }

    /// Whether verify was red at a start that holds against the commit under it: on its files, or on others that another goal
    /// was signed off with, or that are all still as they were then, so that nothing was broken before the start and put back
    /// after it.
    fn red_at_start(&self) -> bool {
        let uncommitted = self.since.as_ref().and_then(|since| since.uncommitted.as_ref());
        let holds = uncommitted.is_none_or(|uncommitted| uncommitted.signed || !uncommitted.touched);
        self.seen == history::Seen::Red && holds && self.started.differs.is_none()
    }
}

/// Runs the checks and measures everything else.
pub(super) fn gather(ask: &Ask<'_>, context: &CheckContext<'_>, verify: Option<&stage1::Report>) -> Result<Facts> {
    let modes = modes(ask, context)?;
    let mut facts = without_looking(ask, context)?;
    facts.modes = modes;
    facts.output = verify.and_then(stage1::Report::output);
    if let Some(repo) = &context.repo {
        // Verify and the checks have ended, and no judge is asked yet.
        let _open = repo.keep_open();
        // What changed is told from the files as they were, not from the index, which verify can have rewritten too.
        let exclude = [ask.place.file.as_path()];
        let after = match &context.before {
            Some(before) => repo.tree_since(&exclude, before)?,
            None => repo.tree(&exclude)?,
        };
        facts.tree = after.id.short();
        facts.at = base::commit(&after);
        for (file, ignored) in &mut facts.evidence {
            let path = ask.place.root.join(&file.path);
            let path = repo.relative(&path)?;
            if !after.is_listed(&path) {
                *ignored = repo.ignored_by(&[&path])?.pop().flatten();
            }
        }
        let evidence: Vec<&Evidence> = facts.evidence.iter().map(|(file, _)| file).collect();
        let known = since::known(ask, context, repo, after.id)?;
        let since = since::files(ask, context, repo, &known, &after, &evidence)?;
        facts.started = since::started(ask, context, repo, &since, verify)?;
        // What the log says is about the files of the start, not about others that stand in for them.
        if known.base.as_ref().is_some_and(|base| base.origin != Origin::Start) {
            facts.seen = history::Seen::Unknown;
        }
        facts.base = known.base;
        (facts.since, facts.harness, facts.tests) = (since.base, since.harness, since.tests);
        facts.hides = repo.hides(&after)?;
        facts.root = since::root(ask, repo);
        facts.after = Some(after);
    }
    Ok(facts)
}

/// What is known without running or measuring anything but the evidence.
pub(super) fn without_looking(ask: &Ask<'_>, context: &CheckContext<'_>) -> Result<Facts> {
    let own: Vec<PathBuf> = context.goal.evidence().into_iter().map(PathBuf::from).collect();
    let paths = if ask.paths.is_empty() { &own } else { ask.paths };
    let mut files: Vec<(Evidence, Option<Ignored>)> = Vec::new();
    for path in paths {
        let file = evidence(&ask.place.root, path)?;
        if is_same_file(&ask.place.root.join(&file.path), &ask.place.file) {
            let what = format!("no evidence: `{}` is the plan itself", path.display());
            return Err(
                crate::error::Error::input(what).hint("name a file that the work left: a log, a report, a measurement")
            );
        }
        if !files.iter().any(|(known, _)| known.path == file.path) {
            files.push((file, None));
        }
    }
    Ok(Facts {
        depth: ask.depth,
        evidence: files,
        modes: Case::of(context.goal).failure_modes,
        after: None,
        tree: "none".to_owned(),
        at: "none".to_owned(),
        since: None,
        base: None,
        started: StartFacts::default(),
        harness: Harness::default(),
        tests: Vec::new(),
        hides: Vec::new(),
        root: PathBuf::new(),
        output: None,
        seen: history::seen(context.goal.plan(), context.id()),
        red_on_base: false,
    })
}

/// The failure modes with what their checks came to.
fn modes(ask: &Ask<'_>, context: &CheckContext<'_>) -> Result<Vec<FailureMode>> {
    let mut case = Case::of(context.goal);
    let at = stage1::RunContext { root: &ask.place.root, log: None, limit: context.limits.verify };
    checks::run(&mut case, &at, ask.watch)?;
    Ok(case.failure_modes)
}

/// Two names of one file, links of both kinds included.
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some_and(|one| id(other) == Some(one))
}
