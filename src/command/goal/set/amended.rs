//! The effect of a change on a goal's contract, and the command that must follow it.

use crate::audit::past_contract;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::contract::{self, Amendment, Effect, GoalContract};
use crate::plan::history::BY_HAND;
use crate::plan::lint::{self, Lost};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{Agreement, ContractChange, GoalRecords};
use crate::plan::{edit, parse};
use crate::signoff::advice;
use crate::store::Place;

/// The result of a change of a contract.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct AmendmentResult {
    pub(super) id: String,
    /// `loosened: failure mode dropped`; `None` if the contract is the same.
    pub(super) what: Option<String>,
    /// The contract before the change. If a reason is given: the contract that was agreed last.
    pub(super) old: String,
    pub(super) new: String,
    pub(super) because: Option<String>,
    /// The command that must still be run.
    pub(super) next: Option<String>,
    #[serde(skip)]
    pub(super) note: Option<String>,
}

impl AmendmentResult {
    /// Returns the effect of `changes` on the contract of `goal`. With a reason, it is the effect since the contract
    /// that was agreed last, so that the reason covers earlier changes too, even those by hand.
    pub(super) fn of(
        place: &Place,
        plan: &Plan<'_>,
        goal: GoalRef<'_, '_>,
        changes: &[Change],
        because: Option<String>,
    ) -> Result<AmendmentResult> {
        // A goal's contract is in its own lines, and they begin with a heading that parses the same on its own.
        let after = edit::apply_within(plan.source, goal.raw().body.range(), &change::edits(plan, changes)?)?;
        let after = parse::parse(&after)?;
        let changed = after.goal(0).ok_or_else(|| Error::input("the goal is gone after the change"))?;
        if changes.iter().any(|change| matches!(change, Change::SetField { key: Key::FailureModes, .. })) {
            advice::refuse_unfit_checks(changed)?;
        }
        let record = GoalRecords::new(plan);
        let agreement = record.agreement(goal).cloned().unwrap_or_default();
        let (old, new) = (contract::goal_contract(goal), contract::goal_contract(changed));
        let mut done = AmendmentResult {
            id: changed.name().to_owned(),
            what: None,
            old: old.digest.short(),
            new: new.digest.short(),
            because,
            next: None,
            note: None,
        };
        if done.because.is_some() {
            done.explain(place, &agreement, &old, (&new, goal))?;
        } else {
            done.what = Amendment::between(&old, &new).map(|amendment| amendment.to_string());
        }
        if done.what.is_none() && changes.is_empty() {
            let what = format!(
                "there is nothing to explain: the contract of `{}` has not changed since it was agreed",
                done.id
            );
            return Err(Error::input(what).hint("add an option with the change: `plan goal set --help` lists them"));
        }
        done.ask(goal.status(), &agreement, &new);
        Ok(done)
    }

    /// Describes the whole change since the contract that was agreed last.
    fn explain(
        &mut self,
        place: &Place,
        agreement: &Agreement<'_>,
        old: &GoalContract,
        (new, goal): (&GoalContract, GoalRef<'_, '_>),
    ) -> Result<()> {
        let is_new = |digest: &&str| new.digest.is_short(digest);
        let is_put_back = agreement.agreed.as_ref().is_some_and(is_new);
        let from = if is_put_back { agreement.contracts.last } else { agreement.agreed };
        let from = from.map_or_else(|| old.digest.short(), str::to_owned);
        if is_new(&from.as_str()) {
            return Ok(());
        }
        let known =
            if old.digest.is_short(&from) { Some(old.clone()) } else { past_contract::find(place, &self.id, &from) };
        refuse_lost(goal, known.as_ref(), new)?;
        let amendment = known.and_then(|known| Amendment::between(&known, new)).map(|amendment| amendment.to_string());
        self.what = Some(amendment.unwrap_or_else(|| match is_put_back {
            true => "tightened: put back as it was agreed".to_owned(),
            false => format!("loosened: {BY_HAND}"),
        }));
        self.old = from;
        Ok(())
    }

    /// Sets the note and the next command: a reason for a goal that runs, a new check for a goal that was signed off.
    fn ask(&mut self, status: Status, agreement: &Agreement<'_>, new: &GoalContract) {
        let Some(what) = &self.what else { return };
        let (id, explain) = (&self.id, format!("plan goal set {} --because \"why\"", self.id));
        let asks_more = Effect::of_line(what) == Some(Effect::Tightened)
            && agreement.unexplained().is_empty()
            && agreement.agreed == Some(self.old.as_str());
        let is_other = agreement.started.is_some_and(|started| !new.digest.is_short(started));
        let is_open = is_other && self.because.is_none() && !asks_more;
        let complete = format!("plan complete {id}");
        let (note, next) = match status {
            Status::Done if is_open => (
                format!(
                    "`{id}` was done, and its sign-off is void: `{explain}` says why, then `{complete}` checks it again"
                ),
                explain,
            ),
            Status::Done => {
                (format!("`{id}` was done, and its sign-off is void: `{complete}` checks it again"), complete)
            }
            Status::Open | Status::Active if is_open => {
                let who = if is_blocking(what, agreement) { "the gate asks" } else { "the judge will ask" };
                (format!("`{id}` is active, and {who} why its contract changed: `{explain}`"), explain)
            }
            Status::Open | Status::Active | Status::Cancelled => return,
        };
        (self.note, self.next) = (Some(note), Some(next));
    }
}

/// Refuses to record that a field was dropped while the goal has a line that was meant as this field. `known` is the
/// contract that had the field, if it is available; `new` is the contract to be recorded.
fn refuse_lost(goal: GoalRef<'_, '_>, known: Option<&GoalContract>, new: &GoalContract) -> Result<()> {
    let had = |key: Key| known.map_or(key.is_agreed(), |known| known.has(key));
    let is_dropped = |lost: &&Lost| lost.field.is_some_and(|(at, key)| at == goal.index() && had(key) && !new.has(key));
    let all = lint::lost(goal.plan());
    let Some(finding) = all.iter().find(is_dropped).map(|lost| &lost.finding) else { return Ok(()) };
    let line = goal.plan().line_of(finding.span.start as usize);
    let message = format!("line {line}: {}", finding.message);
    let remedy = &finding.remedy;
    Err(Error::new(Kind::Refused, message)
        .hint(format!("in line {line}: {remedy}; or remove the line, if the goal is to do without the field")))
}

/// Returns whether the row `contract-changed` stops a sign-off, as far as the log tells: the contract asks for less, or
/// for something else by another command. Any other change is a lead.
fn is_blocking(what: &str, agreement: &Agreement<'_>) -> bool {
    let asks_less = |what: &str| {
        Effect::of_line(what) == Some(Effect::Loosened)
            || ["verify changed", "check changed"].iter().any(|one| what.contains(one))
    };
    let earlier = |change: &ContractChange<'_>| match change {
        ContractChange::Amended(event) => asks_less(event.what),
        ContractChange::ByHand { .. } | ContractChange::Restarted { .. } => true,
    };
    asks_less(what) || agreement.unexplained().iter().any(earlier)
}
