//! The proof behind the record: the verifies of goals that were done since the base run again, with the full gate, in clean
//! exports of the files as they are (`SIGNOFF.md` §7, §8).
//!
//! A goal that the base had is held to the verify that stood there: what a pull request makes of it is what is audited.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::facts::{Done, Facts, same_goal, status_at};
use super::finding::Finding;
use super::lines::{Line as LogLine, lines};
use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::plan::model::{GoalRef, Status};
use crate::repo::{Repo, Tree};
use crate::signoff::base;
use crate::signoff::check::since;
use crate::signoff::checks;
use crate::signoff::gate::{self, fast, full};
use crate::signoff::history::Seen;
use crate::signoff::stage1::{Limits, Line};
use crate::signoff::watch::Watch;
use crate::store::Place;

/// What a rerun needs beside what every audit has.
#[derive(Clone, Copy)]
pub struct Rerun<'a> {
    /// The user's configuration: limits and what is linked into an export.
    pub config: &'a Config,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// A verify that was run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// The goal.
    pub goal: String,
    /// The line that was run; none where the goal has none.
    pub verify: Option<String>,
    /// How much of the gate ran: `full`, `3 of 5`.
    pub gate: String,
    /// Nothing blocks.
    pub passed: bool,
}

/// Runs again what was done since the base; without a base everything that is done.
pub(super) fn run(
    facts: &Facts<'_>,
    repo: &Repo,
    place: &Place,
    rerun: &Rerun<'_>,
    wanted: impl Fn(&str) -> bool,
    found: &mut Vec<Finding>,
) -> Result<Vec<Ran>> {
    let then = facts.base().and_then(|then| then.plan);
    let known: Vec<LogLine<'_>> = then.map(|plan| lines(plan, false)).unwrap_or_default();
    let known: HashSet<(&str, &str)> = known.iter().map(LogLine::key).collect();
    // Done since: it was not done then, or what signed it off is newer.
    let is_new = |done: &Done<'_>| {
        let old = done.goal.id().zip(then).and_then(|(id, plan)| same_goal(plan, id));
        let was_done = old.is_some_and(|old| old.status() == Status::Done);
        let line = done.line.and_then(|(at, _)| facts.log.iter().find(|line| line.at == at));
        !was_done || line.is_some_and(|line| !known.contains(&line.key()))
    };
    let goals: Vec<&Done<'_>> = facts.done.iter().filter(|done| wanted(done.goal.name()) && is_new(done)).collect();
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let tree = repo.tree(&[&place.file])?;
    if !tree.clean_commit {
        let seen = "the files are not those of the commit; verify was run on them as they are";
        found.push(Finding::note("not-committed", 0, seen, "the files of a commit", "commit them, or stash them"));
    }
    let mut ran = Vec::new();
    for done in goals {
        let goal = done.goal.id().zip(then).and_then(|(id, plan)| same_goal(plan, id)).unwrap_or(done.goal);
        let job = Goal { facts, place, rerun, repo, tree: &tree, at: status_at(done.goal), goal };
        ran.push(job.run(found)?);
    }
    Ok(ran)
}

/// One goal, as the base had it where it did.
struct Goal<'g> {
    facts: &'g Facts<'g>,
    place: &'g Place,
    rerun: &'g Rerun<'g>,
    repo: &'g Repo,
    tree: &'g Tree,
    /// Where it stands today.
    at: usize,
    goal: GoalRef<'g, 'g>,
}

impl Goal<'_> {
    fn run(&self, found: &mut Vec<Finding>) -> Result<Ran> {
        let name = self.goal.name();
        let verify = self.goal.verify().map(|line| line.into_owned());
        let mut ran = Ran { goal: name.to_owned(), verify, gate: "none".to_owned(), passed: true };
        let Some(text) = &ran.verify else {
            let seen = format!("{name} has no verify: nothing could be run again");
            found.push(Finding::note("no-verify", self.at, seen, "a verify", "add one").of(name));
            return Ok(ran);
        };
        let report = match Line::read(text) {
            Ok(line) => match fast::before(&line, &since::text_at(&self.place.root)) {
                Some(block) => full::Report { findings: vec![block], ..full::Report::default() },
                None => self.gate(&line)?,
            },
            Err(error) => {
                ran.passed = false;
                let finding =
                    Finding::new("verify-unreadable", self.at, &*error.message, "a verify that can be run", "mend it");
                found.push(finding.of(name));
                return Ok(ran);
            }
        };
        ran.gate = report.extent();
        for finding in &report.findings {
            // What could not be reached may hide what it would have shown.
            let counts = finding.level == gate::Level::Block || finding.code == "not-reached";
            ran.passed &= !counts;
            found.push(self.finding(finding).only_note_if(!counts));
        }
        Ok(ran)
    }

    fn gate(&self, line: &Line) -> Result<full::Report> {
        let (config, plan) = (self.rerun.config, self.facts.plan);
        // Not those of the plan that is audited: it could make its tests take too long to be told.
        let then = self.facts.base().and_then(|then| then.plan);
        let id = self.goal.id().unwrap_or_default();
        self.rerun.watch.starting(&line.text);
        let clean = self.tree.submodules.iter().filter(|submodule| !submodule.dirty);
        let submodules: Vec<PathBuf> = clean.map(|submodule| submodule.path.clone()).collect();
        full::run(&full::Job {
            repo: self.repo,
            plan_file: Some(&self.place.file),
            root: &self.place.root.canonicalize().unwrap_or_else(|_| self.place.root.clone()),
            goal: id,
            line,
            checks: &checks::lines(self.goal),
            kind: self.goal.kind(),
            may_change: &self.goal.may_change(),
            entries: &self.tree.entries,
            submodules: &submodules,
            base: base::find(self.repo, plan, id, self.repo.read_ref(&base::reference(id)).ok().flatten())?,
            start: None,
            seen: Seen::Unknown,
            limit: Limits::of(then, config, None).verify,
            budget: Duration::from_secs(config.gate_budget.unwrap_or(config::GATE_SECONDS)),
            keep: &config.gate_keep,
            alone: true,
            watch: self.rerun.watch,
        })
    }

    /// A finding of the gate as one of the audit.
    fn finding(&self, finding: &gate::Finding) -> Finding {
        let name = self.goal.name();
        let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let seen = format!("{name}, run again: {place}{}", finding.seen);
        Finding::new(finding.code, self.at, seen, &*finding.expected, &*finding.resolve).of(name)
    }
}

/// A rerun needs files that have a history.
pub(super) fn no_repository() -> Error {
    Error::input("`--rerun` runs verify in clean copies of a repository, and there is none here")
        .hint("run it where the plan's repository is")
}
