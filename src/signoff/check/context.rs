//! The state of a check, which begins with the goal as it was read, its contract, its command and the repository.

use super::callers;
use super::facts::CheckFacts;
use super::report::CheckReport;
use super::request::CheckRequest;
use crate::error::{Error, Kind, Result};
use crate::gate::Depth;
use crate::plan::change::{self, Change};
use crate::plan::contract::{Digests, GoalContract, goal_contract};
use crate::plan::history;
use crate::plan::lookup::{Need, NeedNames};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{self, ContractChange, GoalMove, GoalRecords, Needs, PlanRequest, Standing};
use crate::repo::{Repo, Tree, ignoring};
use crate::signoff::advice;
use crate::signoff::record::Lines;
use crate::verify::stage1::{CommandLine, TimeLimits};

/// A check. It is filled in order: begun, verified, measured, gated, judged, recorded.
pub(super) struct Check<'p> {
    pub(super) ask: &'p CheckRequest<'p>,
    pub(super) goal: GoalRef<'p, 'p>,
    pub(super) contract: GoalContract,
    /// The contract's digest in the log, from before a change by hand.
    pub(super) changed_since: Option<String>,
    /// The contract's digest at the last start, if the contract was amended since.
    pub(super) started_with: Option<String>,
    /// Somebody gave a reason why the contract differs from that of the start.
    pub(super) is_explained: bool,
    pub(super) line: Option<CommandLine>,
    pub(super) limits: TimeLimits,
    pub(super) repo: Option<Repo>,
    /// The files before anything was run, without data from HEAD.
    pub(super) before: Option<Tree>,
    /// The measurements after verify.
    pub(super) facts: CheckFacts,
    pub(super) report: CheckReport,
}

impl<'p> Check<'p> {
    /// Begins a sign-off. The goal must be one that can be signed off now.
    pub(super) fn of(ask: &'p CheckRequest<'p>, plan: &'p Plan<'p>) -> Result<Self> {
        rules::allow(plan, PlanRequest::Goal { to: GoalMove::Complete, goal: ask.id, because: None })?;
        let goal = plan.goal_named(ask.id)?;
        let record = GoalRecords::new(plan);
        let standing = match record.standing(goal, &mut Digests::default()) {
            Standing::SignedOff if is_judged_anew(ask, &record, goal)? => Standing::NotSignedOff,
            standing => standing,
        };
        // A merge can leave a goal in the archive without a sign-off for its contract.
        let lapsed = goal.status() == Status::Done && standing != Standing::SignedOff;
        if goal.raw().archived && !lapsed {
            return Err(
                Error::new(Kind::Refused, format!("goal `{}` is archived", goal.name())).hint(rules::bring_back(goal))
            );
        }
        rules::check_goal_move(goal, GoalMove::Complete, standing)?;
        // The write at the end of a sign-off must be possible. It is not if a field or an id occurs twice.
        change::edits(plan, &[Change::SetStatus { goal: goal.index(), status: Status::Done }])?;
        advice::refuse_placeholder(goal)?;
        unmet_needs(plan, goal)?;
        Check::begin(ask, plan, goal)
    }

    /// Begins a check that writes nothing, of any goal.
    pub(super) fn any(ask: &'p CheckRequest<'p>, plan: &'p Plan<'p>) -> Result<Self> {
        Check::begin(ask, plan, plan.goal_named(ask.id)?)
    }

    fn begin(ask: &'p CheckRequest<'p>, plan: &'p Plan<'p>, goal: GoalRef<'p, 'p>) -> Result<Self> {
        let line = goal.verify().map(|line| CommandLine::read(&line)).transpose()?;
        let repo = crate::base::open_with_git(ask.place)?;
        let before = repo.as_ref().map(|repo| repo.files(&[&ask.place.file])).transpose()?;
        let contract = goal_contract(goal);
        let record = GoalRecords::new(plan);
        let agreement = record.agreement(goal).cloned().unwrap_or_default();
        let is_not = |digest: &&str| !contract.digest.is_short(digest);
        let by_hand = agreement.unexplained().iter().find_map(|change| match change {
            ContractChange::ByHand { old, .. } => Some(*old),
            _ => None,
        });
        // The contract is again that of the start, whatever was done in between.
        let is_back = agreement.started.is_some_and(|started| !is_not(&started));
        let changed_since = agreement.contracts.last.filter(is_not).or(by_hand).filter(|_| !is_back).map(str::to_owned);
        let started_with = agreement.started.filter(is_not).map(str::to_owned);
        let is_explained = agreement.has_reason() && !agreement.agreed.as_ref().is_some_and(is_not);
        let limits = TimeLimits::of(Some(plan), ask.config, ask.timeout);
        let facts = CheckFacts::of(goal);
        let changes = agreement.changes.iter().map(ToString::to_string).collect();
        let report = CheckReport { changes, ..CheckReport::of(goal, &contract) };
        Ok(Check {
            ask,
            goal,
            contract,
            changed_since,
            started_with,
            is_explained,
            line,
            limits,
            repo,
            before,
            facts,
            report,
        })
    }

    /// Refuses the full gate for a goal that was never started, if there is also no commit to compare it with: nobody gains by
    /// leaving out the start (`SIGNOFF.md` §3).
    pub(super) fn measurable(&self) -> Result<()> {
        if self.ask.depth != Depth::Full || !history::starts(self.goal.plan(), self.id()).is_empty() {
            return Ok(());
        }
        if self.repo.as_ref().map(Repo::head).transpose()?.flatten().is_some() {
            return Ok(());
        }
        let id = self.id();
        let what = format!("goal `{id}` was never started, and there is no commit to compare its work with");
        Err(Error::new(Kind::Refused, what).hint(format!("`plan goal start {id}`")))
    }

    /// Prints a note if git ignores plan.md, because then nobody else has it. Starts one process in that case.
    pub(super) fn note_ignored(&self) {
        let ask = self.ask;
        let Some((repo, before)) = self.repo.as_ref().zip(self.before.as_ref()) else { return };
        if repo.relative(&ask.place.file).is_ok_and(|file| before.is_listed(&file)) {
            return;
        }
        if let Some(rule) = ignoring(repo.top(), &ask.place.file) {
            let (why, remedy) = rule.describe(&ask.place.shown);
            ask.watch.note(&format!("note: {why}; {remedy}"));
        }
    }

    pub(super) fn id(&self) -> &'p str {
        self.goal.name()
    }

    /// Returns the writer of its log lines.
    pub(super) fn lines(&self) -> Lines<'p> {
        Lines { id: self.id() }
    }
}

impl CheckReport {
    /// Returns the report of a check that has not run anything yet.
    fn of(goal: GoalRef<'_, '_>, contract: &GoalContract) -> CheckReport {
        CheckReport {
            goal: goal.name().to_owned(),
            subject: goal.subject().to_owned(),
            gate: "fast".to_owned(),
            contract: contract.digest.short(),
            lacking: advice::lacking(goal),
            is_reopened: history::is_reopened(goal.plan(), goal.name()),
            ..CheckReport::default()
        }
    }
}

/// Whether a goal may be judged again: its sign-off came from a caller's judge, or from an own prompt that is not used now; and all judges are now the user's.
fn is_judged_anew(ask: &CheckRequest<'_>, record: &GoalRecords<'_>, goal: GoalRef<'_, '_>) -> Result<bool> {
    let is_doubted = record.is_callers(goal) || record.is_own_prompt(goal) && ask.prompt.is_none();
    Ok(is_doubted && callers::of_all(ask)?.iter().all(Option::is_none))
}

fn unmet_needs(plan: &Plan<'_>, goal: GoalRef<'_, '_>) -> Result<()> {
    let refused = |what: String| Error::new(Kind::Refused, format!("goal `{}` needs {what}", goal.name()));
    let needs = Needs::new(plan);
    let mut missing = needs.missing(goal);
    missing.retain(|id| !needs.is_by_hand(id));
    if !missing.is_empty() {
        let open: Vec<String> = missing.iter().map(|id| format!("`{id}`")).collect();
        let error = refused(format!("{}, which is not done", open.join(" and ")));
        let is_cancelled = |goal: &GoalRef<'_, '_>| goal.status() == Status::Cancelled;
        return Err(match plan.goal_named(&missing[0]).ok().filter(is_cancelled) {
            Some(need) => error.hint(format!(
                "`{}` is cancelled: `plan goal set {} --needs none`, or `plan goal start {}`",
                need.name(),
                goal.typed(),
                need.typed()
            )),
            None => error.hint(format!("`plan complete {}` first, or change `needs`", missing[0])),
        });
    }
    let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
    for Need { name: id, goals, .. } in NeedNames::new(plan).of(goal) {
        let by_hand = |need: &GoalRef<'_, '_>| record.standing(*need, &mut digests) != Standing::SignedOff;
        let Some(need) = goals.iter().filter_map(|index| plan.goal(*index)).find(by_hand) else { continue };
        let what = format!("`{id}`, which is marked done without a sign-off for its current contract");
        let first =
            if need.raw().archived { format!("`plan goal start {id}` brings it back, then ") } else { String::new() };
        return Err(refused(what).hint(format!("{first}`plan complete {id}`, or change `needs`")));
    }
    Ok(())
}

/// Whether the goal still has the same status and contract. Neither may change during a check.
pub(super) fn same_state(now: GoalRef<'_, '_>, then: &Check<'_>) -> bool {
    now.status() == then.goal.status() && goal_contract(now).digest == then.contract.digest
}
