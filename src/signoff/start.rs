//! The start of a goal: it keeps the goal's base, runs its verify once, and records the state (`SIGNOFF.md` §3).

mod expected;

use std::path::Path;

use serde::Serialize;

use super::advice;
use super::in_place::keeping_plan;
use crate::base::{self, Runner, StartRecord, StartState};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::lang::failed_assertions;
use crate::plan::change::{self, Change};
use crate::plan::contract::{self, GoalContract};
use crate::plan::history;
use crate::plan::log::{GoalEvent, StartLine, events_of};
use crate::plan::model::{GoalRef, Plan, Severity, Status};
use crate::plan::rules::{self, GoalMove, PlanRequest, PlanState};
use crate::plan::snippet;
use crate::repo::{self, ObjectId, Repo, Written};
use crate::store::{self, Place};
use crate::verify::stage1::{self, CommandLine, Report, RunContext, TimeLimits};
use crate::verify::watch::Watch;

/// The word for a verify that was not run.
const NOT_RUN: &str = "not run";

/// The result of a start.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StartReport {
    /// The goal's id.
    pub id: String,
    /// The goal contract's digest, 12 digits.
    pub contract: String,
    /// The commit, as in the log.
    pub at: String,
    /// The tree, 12 digits.
    pub tree: String,
    /// The result of verify.
    pub verify: String,
    /// It was active before, and nothing was done.
    pub already: bool,
    /// Its status before, if it is reopened.
    #[serde(skip)]
    pub was: Option<Status>,
    /// Notes on the consequences at completion, with the commands that fix them.
    pub notes: Vec<String>,
}

/// Starts a goal.
///
/// # Errors
/// [`Kind::Input`] for a goal or verify that cannot be used, `Changed` if its contract changed while verify ran.
pub fn start(place: &Place, id: &str, baseline: bool, watch: &dyn Watch) -> Result<StartReport> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    rules::allow(&plan, PlanRequest::Goal { to: GoalMove::Start, goal: id, because: None })?;
    let goal = plan.goal_named(id)?;
    let contract = contract::goal_contract(goal);
    let started = StartReport { id: id.to_owned(), contract: contract.digest.short(), ..StartReport::default() };
    let is_begun = goal.status() == Status::Active && has_started(&plan, id);
    if is_begun && !(baseline && is_unseen(place, goal)?) && !is_kept_late(place, &plan, id)? {
        if goal.raw().archived {
            restore(place, id, watch)?;
        }
        return Ok(StartReport { already: true, ..started });
    }
    let mut pinned = PinnedStart::begin(place, goal, watch)?;
    let report = match &pinned.line {
        Some(line) if baseline => tried(place, &plan, id, line, watch).map(Some),
        _ => Ok(None),
    };
    // Write only now, so that an interrupted verify leaves nothing behind.
    let written = report.and_then(|report| {
        pinned.record(place, report.as_ref())?;
        write(place, id, &pinned, watch)?;
        Ok(report)
    });
    let report = match written {
        Ok(report) => report,
        Err(error) => {
            // The start is not in the log, so its record must not remain.
            pinned.withdraw()?;
            return Err(error);
        }
    };
    let PinnedStart { repo, begun, line, verify, .. } = pinned;
    if let Some(Err(error)) = repo.as_ref().map(|repo| base::sweep(repo, &plan)) {
        watch.note(&format!("note: the kept files of earlier starts could not be removed: {}", error.message));
    }
    let was_red = history::red_stays(&plan, id, &started.contract);
    let mut notes = expected::notes(place, goal, line.as_ref(), report.as_ref(), was_red);
    if repo.is_none() {
        notes.push(expected::without_repository(id));
    }
    let was = Some(goal.status()).filter(|status| status.is_finished());
    Ok(StartReport { at: begun.at, tree: begun.tree, verify, was, notes, ..started })
}

/// Does everything of a start except the run of verify, for a step that becomes active in contract mode (`CONTRACT.md` §1): it
/// keeps the base and writes the record. The caller writes plan.md, with [`PinnedStart::changes`].
///
/// # Errors
/// [`Kind::Input`] for a goal or verify that cannot be used; errors of git.
pub fn record(place: &Place, goal: GoalRef<'_, '_>, watch: &dyn Watch) -> Result<PinnedStart> {
    let mut pinned = PinnedStart::begin(place, goal, watch)?;
    match pinned.record(place, None) {
        Ok(()) => Ok(pinned),
        Err(error) => {
            pinned.withdraw()?;
            Err(error)
        }
    }
}

/// A start whose base is kept, but that plan.md does not mention yet.
#[derive(Debug)]
pub struct PinnedStart {
    repo: Option<Repo>,
    begun: StartState,
    contract: GoalContract,
    line: Option<CommandLine>,
    /// The result of verify.
    verify: String,
    /// The ref that this start made.
    made: Option<(String, ObjectId)>,
}

impl PinnedStart {
    fn begin(place: &Place, goal: GoalRef<'_, '_>, watch: &dyn Watch) -> Result<Self> {
        refuse_unread_items(place, goal, watch)?;
        advice::refuse_placeholder(goal)?;
        let line = goal.verify().map(|line| CommandLine::read(&line)).transpose()?;
        let repo = base::open_with_git(place)?;
        let begun = base::begin(repo.as_ref(), place, goal.name(), watch)?;
        let contract = contract::goal_contract(goal);
        Ok(PinnedStart { repo, begun, contract, line, verify: String::new(), made: None })
    }

    /// Writes the record, unless there is one already.
    fn record(&mut self, place: &Place, report: Option<&Report>) -> Result<()> {
        self.verify = match (&self.line, report) {
            (None, _) => "none".to_owned(),
            (Some(_), None) => NOT_RUN.to_owned(),
            (Some(_), Some(report)) => report.at_start(),
        };
        let Some(repo) = &self.repo else { return Ok(()) };
        let (contract, line) = (&self.contract, self.line.as_ref());
        let id = contract.id.clone().unwrap_or_default();
        let digest = contract.digest.short();
        let told = StartLine { contract: &digest, at: &self.begun.at, tree: &self.begun.tree, verify: &self.verify };
        let name = StartRecord::reference(&id, &told);
        let record = StartRecord {
            version: StartRecord::VERSION,
            goal: id,
            contract: serde_json::from_str(&contract.json).unwrap_or_default(),
            contract_digest: contract.digest.to_string(),
            tree: self.begun.id.map(|id| id.to_string()).unwrap_or_default(),
            at: self.begun.at.clone(),
            root: place.root.strip_prefix(repo.top()).ok().map(Path::to_owned),
            verify: line.map(|line| line.text.clone()),
            seen: self.verify.clone(),
            tests: line.zip(report).and_then(|(line, report)| report.tally(line)),
            failed: report.map(|report| failed_assertions::below(repo.top(), &report.said().0)),
            runner: line.map(|line| Runner::now(&line.sequence, &place.root, repo.top())).unwrap_or_default(),
            time: jiff::Timestamp::now().to_string(),
            plan_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut written = record.write(repo, &name)?;
        if let Written::AlreadyThere(object) = written
            && is_of_another_root(repo, &record, &name)?
        {
            repo.withdraw(&name, object)?;
            written = record.write(repo, &name)?;
        }
        if let Written::New(object) = written {
            self.made = Some((name, object));
        }
        Ok(())
    }

    /// Returns the goal's contract at the time when its base was kept.
    pub const fn contract(&self) -> &GoalContract {
        &self.contract
    }

    /// Returns the changes that make the goal active and log the start. `goal` is the goal whose base was kept.
    pub fn changes(&self, goal: GoalRef<'_, '_>, stamp: &str) -> Vec<Change> {
        let contract = self.contract.digest.short();
        let StartState { at, tree, .. } = &self.begun;
        let start = StartLine { contract: &contract, at, tree, verify: &self.verify };
        let mut changes = Vec::new();
        let was = goal.status();
        if goal.raw().archived {
            changes.push(Change::Restore { goal: goal.index() });
        } else if was != Status::Active {
            changes.push(Change::SetStatus { goal: goal.index(), status: Status::Active });
        }
        let mut log = |event: GoalEvent<'_>| {
            changes.push(Change::AppendLog { stamp: stamp.to_owned(), text: event.of(goal.name()).to_string() });
        };
        if was.is_finished() {
            log(GoalEvent::Reopened { why: &format!("was {}", was.word()) });
        }
        log(GoalEvent::Started(start));
        changes
    }

    /// Removes the record and forgets the kept files, if plan.md was not written. Files that cannot be forgotten now are
    /// cleaned up by a later start.
    ///
    /// # Errors
    /// Errors of git; the record stays.
    pub fn withdraw(&self) -> Result<()> {
        let Some(repo) = &self.repo else { return Ok(()) };
        let record = self.made.iter().try_for_each(|(name, object)| repo.withdraw(name, *object));
        let _ = base::withdraw(repo, &self.begun);
        record
    }
}

/// Whether the record of that name is about the same start in another folder: only plan.md was moved, and the goal is started
/// again there, on purpose.
fn is_of_another_root(repo: &Repo, record: &StartRecord, name: &str) -> Result<bool> {
    let there = repo.read_record(name, StartRecord::LARGEST)?;
    let there = there.and_then(|bytes| serde_json::from_slice::<StartRecord>(&bytes).ok());
    Ok(there.and_then(|there| there.root).is_some_and(|root| Some(root) != record.root))
}

/// Restores a goal that somebody put below the archive while it was active.
fn restore(place: &Place, id: &str, watch: &dyn Watch) -> Result<()> {
    let updated = store::update(place, |source| {
        let plan = place.parse(source)?;
        let goal = plan.goal_named(id)?;
        let back = goal.raw().archived.then(|| Change::Restore { goal: goal.index() });
        change::edits(&plan, back.as_slice())
    })?;
    updated.notes.iter().for_each(|note| watch.note(&format!("note: {note}")));
    Ok(())
}

/// Runs verify before the work.
fn tried(place: &Place, plan: &Plan<'_>, id: &str, line: &CommandLine, watch: &dyn Watch) -> Result<Report> {
    let limits = TimeLimits::of(Some(plan), &config::load()?, None);
    let log = Some(store::state_folder(place, "starts")?.join(id));
    let at = RunContext { root: &place.root, log, limit: limits.verify };
    keeping_plan(place, plan.source, &line.text, watch, || stage1::run(line, &at, watch))
}

/// Refuses a goal with list items that are not read, because the contract would change once they are read. Only warns if they
/// may be notes.
fn refuse_unread_items(place: &Place, goal: GoalRef<'_, '_>, watch: &dyn Watch) -> Result<()> {
    let plan = goal.plan();
    for found in rules::unread_items(goal) {
        let (line, column) = snippet::place(plan.source, found.span.start as usize);
        let what = format!("{}:{line}:{column}: {}", place.shown.display(), found.message);
        if found.severity == Severity::Error {
            let what = format!("{what}\n{}", snippet::draw_at(plan.source, found.span));
            return Err(Error::input(what).hint(found.remedy.clone()));
        }
        watch.note(&format!("note: {what}"));
    }
    Ok(())
}

/// Writes status and log, unless the contract was changed while `verify` ran.
fn write(place: &Place, id: &str, pinned: &PinnedStart, watch: &dyn Watch) -> Result<()> {
    let stamp = config::stamp()?;
    let updated = store::update(place, |source| {
        let plan = place.parse(source)?;
        let goal = plan.goal_named(id)?;
        if contract::goal_contract(goal).digest != pinned.contract.digest {
            let changed = format!("the contract of `{id}` was changed while its verify ran; nothing written");
            return Err(Error::new(Kind::Changed, changed).hint(format!("`plan goal start {id}` starts it again")));
        }
        change::edits(&plan, &pinned.changes(goal, &stamp))
    })?;
    updated.notes.iter().for_each(|note| watch.note(&format!("note: {note}")));
    Ok(())
}

/// Whether the goal began with a step, in contract mode, and its verify can still be run as it was before the work.
///
/// # Errors
/// [`Kind::Refused`] if files already differ from the goal's start (`CONTRACT.md` §3.3, R15).
fn is_unseen(place: &Place, goal: GoalRef<'_, '_>) -> Result<bool> {
    let (plan, id) = (goal.plan(), goal.name());
    let starts = history::starts(plan, id);
    let Some(begin) = starts.first().filter(|_| starts.iter().all(|start| start.verify == NOT_RUN)) else {
        return Ok(false);
    };
    if rules::state(plan) == PlanState::Guide || goal.verify().is_none() {
        return Ok(false);
    }
    let Some(repo) = base::open(place)? else { return Ok(true) };
    let tree = repo.tree(&[&place.file])?;
    if tree.id.short() == begin.tree {
        return Ok(true);
    }
    let base = base::find(&repo, place, goal, tree.id)?;
    let differ = base.map_or(0, |base| repo::changes(&base.files.entries, &tree.entries).len());
    let files = if differ == 1 { "1 file differs".to_owned() } else { format!("{differ} files differ") };
    let what = format!("refused: verify of {id} can be seen red only before its work: {files} from its start");
    Err(Error::new(Kind::Refused, what).hint(format!("`plan complete {id} --gate full` looks at that at the end")))
}

/// Whether the goal was started without a repository, and now there is one that can keep its files.
fn is_kept_late(place: &Place, plan: &Plan<'_>, id: &str) -> Result<bool> {
    let is_kept = history::starts(plan, id).first().is_none_or(|start| start.tree != "none");
    Ok(!is_kept && base::open(place)?.is_some())
}

/// Whether the log says that the goal was started since it was last reopened.
fn has_started(plan: &Plan<'_>, id: &str) -> bool {
    let last = events_of(plan, id).rev().find_map(|event| match event {
        GoalEvent::Started(_) => Some(true),
        // Events before the goal was added are about another goal.
        GoalEvent::Reopened { .. } | GoalEvent::Added { .. } => Some(false),
        _ => None,
    });
    last.unwrap_or(false)
}
