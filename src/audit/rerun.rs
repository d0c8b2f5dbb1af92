//! Runs the verifies of goals that were done since the base again, with the full gate, in clean exports of the current files
//! (`SIGNOFF.md` §7, §8). A record only says that verify passed; a rerun proves it.
//!
//! A goal is checked against the files of the base, with the base's verify and contract, because a reviewer knows those.
//! The base also decides which files are tests and harness. Without a base, a goal is checked against the files of its
//! start, as in `complete`.

use serde::Serialize;

use super::attested;
use super::facts::{AuditFacts, status_at};
use super::finding::AuditFinding;
use super::since::{ComparedFiles, NewlyDoneGoal, done_since};
use crate::base::{self, Base};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::gate::{self, full, trivial};
use crate::plan::history::Seen;
use crate::plan::model::GoalRef;
use crate::replay::ReplayRequest;
use crate::repo::{Mode, ObjectId, Repo, Tree, TreeEntry};
use crate::signoff::checks;
use crate::signoff::text_file::text_at;
use crate::store::Place;
use crate::verify::stage1::{CommandLine, TimeLimits};
use crate::verify::watch::Watch;

/// The parameters that only a rerun needs.
#[derive(Clone, Copy)]
pub struct Rerun<'a> {
    /// The user's configuration: limits and what is linked into an export.
    pub config: &'a Config,
    /// The observer of the run.
    pub watch: &'a dyn Watch,
}

/// The result of running one goal's verify again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RerunResult {
    /// The goal.
    pub goal: String,
    /// The command line to run; `None` if the goal has no verify.
    pub verify: Option<String>,
    /// How much of the gate was decided: `full`, `3 of 5`; `none` if nothing was run.
    pub gate: String,
    /// True if every row was decided and no row blocks.
    pub passed: bool,
    /// True if something blocks.
    pub blocked: bool,
    /// Rows that could not be decided.
    pub undecided: Vec<&'static str>,
    /// The reason if nothing was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

/// Runs the goals that were done since the base again; without a base, every done goal.
pub(super) fn run(
    facts: &AuditFacts<'_>,
    repo: &Repo,
    place: &Place,
    rerun: &Rerun<'_>,
    compared: Option<&ComparedFiles>,
    wanted: impl Fn(&str) -> bool,
    found: &mut Vec<AuditFinding>,
) -> Result<Vec<RerunResult>> {
    let goals: Vec<NewlyDoneGoal<'_>> =
        done_since(facts).into_iter().filter(|since| wanted(since.done.goal.name())).collect();
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let taken = if compared.is_none() { Some(repo.tree(&[&place.file])?) } else { None };
    let Some(tree) = compared.map(|compared| &compared.now).or(taken.as_ref()) else { return Ok(Vec::new()) };
    if !tree.clean_commit {
        let seen = "the files are not those of the commit; verify was run on them as they are";
        found.push(AuditFinding::note("not-committed", 0, seen, "the files of a commit", "commit them, or stash them"));
    }
    let mut ran = Vec::new();
    for since in goals {
        let job = RerunGoal { facts, place, rerun, repo, tree, compared, since };
        ran.push(job.run(found)?);
    }
    Ok(ran)
}

struct RerunGoal<'g> {
    facts: &'g AuditFacts<'g>,
    place: &'g Place,
    rerun: &'g Rerun<'g>,
    repo: &'g Repo,
    tree: &'g Tree,
    compared: Option<&'g ComparedFiles>,
    since: NewlyDoneGoal<'g>,
}

impl RerunGoal<'_> {
    /// Returns the goal whose contract counts: the base's version if the base has the goal.
    fn goal(&self) -> GoalRef<'_, '_> {
        self.since.then.unwrap_or(self.since.done.goal)
    }

    fn name(&self) -> &str {
        self.since.done.goal.name()
    }

    fn run(&self, found: &mut Vec<AuditFinding>) -> Result<RerunResult> {
        // If the base has no verify, the current one is run: it only asks for more.
        let verify = self.goal().verify().or_else(|| self.since.done.goal.verify()).map(|line| line.into_owned());
        let mut ran =
            RerunResult { goal: self.name().to_owned(), verify, gate: "none".to_owned(), ..RerunResult::default() };
        let Some(text) = &ran.verify else {
            found.push(self.without_verify());
            ran.not_run = Some("it has no verify".to_owned());
            ran.blocked = found.last().is_some_and(AuditFinding::counts);
            return Ok(ran);
        };
        if let Some(compared) = self.compared.filter(|compared| compared.is_unchanged()) {
            ran.not_run = Some(format!("only the plan differs from {}", compared.base.origin));
            ran.blocked = true;
            return Ok(ran);
        }
        let report = match CommandLine::read(text) {
            Ok(line) => match trivial::find(&line, &text_at(&self.place.root)) {
                Some(block) => full::FullReport { findings: vec![block], ..full::FullReport::default() },
                None => self.gate(&line)?,
            },
            Err(error) => {
                ran.blocked = true;
                ran.not_run = Some("its verify cannot be read".to_owned());
                let at = status_at(self.since.done.goal);
                let expected = "a verify that can be run";
                let resolve = give_verify(self.name());
                found
                    .push(AuditFinding::new("verify-unreadable", at, error.message, expected, resolve).of(self.name()));
                return Ok(ran);
            }
        };
        for finding in &report.findings {
            // A row that was not reached might have blocked, so it counts.
            let counts = finding.level == gate::GateLevel::Block || finding.code == "not-reached";
            ran.blocked |= counts;
            found.push(self.finding(finding).only_note_if(!counts));
        }
        ran.gate = report.decided();
        ran.undecided = report.undecided();
        ran.passed = !ran.blocked && ran.undecided.is_empty();
        Ok(ran)
    }

    /// Returns the finding about a goal without a verify: only a note if a record of its sign-off supports it.
    fn without_verify(&self) -> AuditFinding {
        let (name, at) = (self.name(), status_at(self.since.done.goal));
        let record = self.since.done.line.and_then(|(_, line)| attested::agreeing(self.facts.refs?, name, &line));
        let seen = match record.is_some() {
            true => format!("{name} has no verify: nothing could be run again; only its record supports it"),
            false => format!("{name} has no verify, and no record of its sign-off is here: nothing supports it"),
        };
        let resolve = give_verify(name);
        AuditFinding::new("no-verify", at, seen, "a verify", resolve).of(name).only_note_if(record.is_some())
    }

    fn gate(&self, line: &CommandLine) -> Result<full::FullReport> {
        let config = self.rerun.config;
        // The limits come from the base's plan: the audited plan could lower its timeout so that no test run is decided.
        let then = self.facts.base().and_then(|then| then.plan);
        self.rerun.watch.starting(&line.text);
        let goal = self.goal();
        let own = match self.compared {
            Some(_) => None,
            None => base::find(self.repo, self.place, self.since.done.goal, self.tree.id)?,
        };
        let base = self.compared.map(|compared| &compared.base).or(own.as_ref());
        // Almost every row needs the files of the base: without this check a partial clone would pass because they are missing.
        self.repo.require(&base.map(stored).unwrap_or_default())?;
        full::run(&full::FullRequest {
            replay: ReplayRequest {
                repo: self.repo,
                root: &self.place.root.canonicalize().unwrap_or_else(|_| self.place.root.clone()),
                line,
                submodules: &self.tree.submodules,
                keep: &config.gate_keep,
                limit: TimeLimits::of(then, config, None).verify,
                budget: gate::Depth::Full.budget(config),
                usual: None,
                watch: self.rerun.watch,
            },
            plan_file: Some(&self.place.file),
            goal: self.since.done.goal.id().unwrap_or_default(),
            said: &gate::goal_text::of(goal),
            checks: &checks::lines(goal),
            others: &[],
            kind: goal.kind(),
            may_change: &goal.may_change(),
            entries: &self.tree.entries,
            base,
            start: None,
            seen: Seen::Unknown,
            depth: gate::Depth::Full,
            alone: true,
        })
    }

    fn finding(&self, finding: &gate::GateFinding) -> AuditFinding {
        let (name, at) = (self.name(), status_at(self.since.done.goal));
        let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let seen = format!("{name}, run again: {place}{}", finding.seen);
        AuditFinding::new(finding.code, at, seen, &*finding.expected, &*finding.resolve).of(name)
    }
}

/// Returns the objects that this clone must have to compare work with a base.
fn stored(base: &Base) -> Vec<ObjectId> {
    let is_stored =
        |entry: &&TreeEntry| entry.mode != Mode::Submodule && !base.left_out.iter().any(|left| left.is(&entry.path));
    base.files.entries.iter().filter(is_stored).map(|entry| entry.id).collect()
}

/// The error without a repository: a rerun needs files that have a history.
pub(super) fn no_repository() -> Error {
    Error::input("`--rerun` runs verify in clean copies of a repository, and there is none here")
        .hint("run it where the plan's repository is")
}

fn give_verify(goal: &str) -> String {
    format!("give it the command of your test: `plan goal set {goal} --verify COMMAND`")
}
