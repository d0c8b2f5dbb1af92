//! The measurements after verify: evidence, digests, and the input of the gate (`SIGNOFF.md` §1.3 to §1.5).

use std::path::{Path, PathBuf};

use super::context::Check;
use super::{claims, since};
use crate::base::{self, BaseOrigin};
use crate::disk;
use crate::error::{Error, Result};
use crate::gate::{self, GateFinding, rows};
use crate::plan::history;
use crate::repo::evidence::{Evidence, evidence};
use crate::signoff::checks;
use crate::signoff::in_place::keeping_plan;
use crate::signoff::judge::case::Case;
use crate::signoff::text_file::text_at;
use crate::verify::check::FailureMode;
use crate::verify::stage1;

impl Check<'_> {
    /// Runs the checks of the failure modes and measures everything else: evidence, digests, the findings of the rows that run
    /// nothing.
    pub(super) fn measure(&mut self) -> Result<()> {
        let ask = self.ask;
        self.facts.modes = self.ran_modes()?;
        self.find_evidence()?;
        (self.report.tree, self.report.at) = ("none".to_owned(), "none".to_owned());
        if let Some(repo) = &self.repo {
            // Verify and the checks have ended, and no judge is asked yet.
            let _open = repo.keep_open();
            // Compare with the files as they were, and not with the index, which verify may have rewritten too.
            let exclude = [ask.place.file.as_path()];
            let after = match &self.before {
                Some(before) => repo.tree_since(&exclude, before)?,
                None => repo.tree(&exclude)?,
            };
            (self.report.tree, self.report.at) = (after.id.short(), base::commit(&after));
            for (file, ignored) in &mut self.facts.evidence {
                let path = ask.place.root.join(&file.path);
                let path = repo.relative(&path)?;
                if !after.is_listed(&path) {
                    *ignored = repo.ignored_by(&[&path])?.pop().flatten();
                }
            }
            let evidence: Vec<&Evidence> = self.facts.evidence.iter().map(|(file, _)| file).collect();
            let known = since::known(self, repo, after.id)?;
            let since = since::files(self, repo, &known, &after, &evidence)?;
            self.facts.started = since::started(self, repo, &since)?;
            // The log describes the files of the start. It says nothing about other files that are used in their place.
            if known.base.as_ref().is_some_and(|base| base.origin != BaseOrigin::Start) {
                self.facts.seen = history::Seen::Unknown;
            }
            self.facts.base = known.base;
            (self.facts.since, self.facts.harness, self.facts.tests) = (since.base, since.harness, since.tests);
            self.facts.hides = repo.hides(&after)?;
            self.facts.root = since::root(ask, repo);
            self.facts.after = Some(after);
        }
        self.report.findings = self.findings();
        self.report.findings.extend(claims::in_evidence(ask, &self.facts));
        self.report.checks = self.facts.modes.iter().filter_map(|mode| mode.check.clone()).collect();
        Ok(())
    }

    /// Finds the evidence that was named, or else the goal's own.
    pub(super) fn find_evidence(&mut self) -> Result<()> {
        let place = self.ask.place;
        let own: Vec<PathBuf> = self.goal.evidence().into_iter().map(PathBuf::from).collect();
        let paths = if self.ask.paths.is_empty() { &own } else { self.ask.paths };
        for path in paths {
            let file = evidence(&place.root, path)?;
            if is_same_file(&place.root.join(&file.path), &place.file) {
                let what = format!("no evidence: `{}` is the plan itself", path.display());
                let hint = "name a file that the work left: a log, a report, a measurement";
                return Err(Error::input(what).hint(hint));
            }
            if !self.facts.evidence.iter().any(|(known, _)| known.path == file.path) {
                self.facts.evidence.push((file, None));
            }
        }
        Ok(())
    }

    fn ran_modes(&self) -> Result<Vec<FailureMode>> {
        let mut case = Case::of(self.goal);
        let ask = self.ask;
        let at = stage1::RunContext { root: &ask.place.root, log: None, limit: self.limits.verify };
        let run = || checks::run(&mut case, &at, ask.watch);
        keeping_plan(ask.place, self.goal.plan().source, "a check of a failure mode", ask.watch, run)?;
        Ok(case.failure_modes)
    }

    /// Returns the findings of the rows that run nothing, blocks first.
    fn findings(&self) -> Vec<GateFinding> {
        let facts = &self.facts;
        let read = |path: &str| text_at(self.repo.as_ref()?.top())(path);
        rows::findings(&gate::facts::GateFacts {
            depth: self.ask.depth,
            goal: self.goal,
            verify: self.line.as_ref().zip(self.report.verify.as_ref()),
            trees: self.before.as_ref().zip(facts.after.as_ref()),
            base: facts.since.as_ref(),
            in_repository: self.repo.is_some(),
            evidence: &facts.evidence,
            seen: facts.seen,
            contract: self.contract.digest.short(),
            changed_since: self.changed_since.as_deref(),
            started_with: self.started_with.as_deref(),
            is_explained: self.is_explained,
            modes: &facts.modes,
            start: &facts.started,
            harness: &facts.harness,
            tests: &facts.tests,
            read: &read,
            root: &facts.root,
            plan_file: &facts.root.join(self.ask.place.file.file_name().unwrap_or_default()),
            hides: &facts.hides,
        })
    }

    /// Whether verify was seen red, or did not have to be.
    pub(super) fn seen_red(&self) -> bool {
        self.facts.red_at_start() || self.facts.red_on_base || self.goal.kind().begins_green()
    }
}

/// Whether both paths name the same file, through links of either kind too.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let both = std::fs::metadata(one).ok().zip(std::fs::metadata(other).ok());
    both.is_some_and(|(one, other)| disk::is_same_file(&one, &other))
}
