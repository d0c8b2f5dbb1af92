//! The common part of `plan approve` and `plan review`: the contract is shown, a person decides, and the decision is written.

pub(super) mod menu;

use serde_json::json;

use super::Context;
use crate::config;
use crate::contract::approve::{self, Approver};
use crate::contract::{approved, checkpoint, reject};
use crate::error::{Error, Kind, Result};
use crate::plan::contract::{PlanContract, plan_contract};
use crate::plan::difference::{self, Reason};
use crate::plan::log::{Approval, LogLine};
use crate::plan::model::Plan;
use crate::plan::parse::parse;
use crate::plan::rules::{self, Approvals, PlanRequest, PlanState};
use crate::plan::text;
use crate::plan::view::{Row, Screen};
use crate::repo::user_name;
use crate::session::{events, review};
use crate::store::{self, Place};

/// The contract as a person sees it before they decide.
pub(super) struct ApprovalView {
    /// The version that is approved, and no other.
    pub(super) version: String,
    /// False if the contract is approved already.
    pub(super) is_open: bool,
    /// The state of the plan.
    pub(super) state: PlanState,
    /// The contract itself.
    pub(super) contract: PlanContract,
    /// The contract, or the difference to the approved one.
    pub(super) rows: Vec<Row>,
    /// True if `rows` is a difference.
    pub(super) is_difference: bool,
    /// A remark to print with it.
    pub(super) note: Option<String>,
    /// The newest approval in words: `ada approved it (2026-06-15 14:02)`.
    pub(super) approved: Option<String>,
}

impl ApprovalView {
    /// Returns the rows as text without colours.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.rows.iter().for_each(|row| row.put(Screen::default(), &mut text));
        text
    }
}

/// Returns the contract that a person is asked to approve. First gives every goal its id and every step its number: both are part of it.
///
/// # Errors
/// [`Kind::No`] if the plan has no goal (R17).
pub(super) fn shown(context: &Context, place: &Place) -> Result<ApprovalView> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    if plan.live_goals().next().is_none() {
        return Err(
            Error::new(Kind::No, "there is no goal to approve yet").hint("add one: `plan goal add \"subject\"`")
        );
    }
    if approve::names(&plan).is_empty() {
        return of(place, &plan);
    }
    context.change_as(place, PlanRequest::Person { activates: false }, |plan| Ok(approve::names(plan)))?;
    let source = store::read(place)?;
    of(place, &place.parse(&source)?)
}

fn of(place: &Place, plan: &Plan<'_>) -> Result<ApprovalView> {
    let (new, log) = (PlanContract::of(plan)?, approved::believed(place, plan));
    let words: Vec<(String, &str)> = log.proposals.iter().map(|one| (one.edit.to_string(), one.because)).collect();
    let reasons: Vec<Reason<'_>> =
        words.iter().map(|(what, because)| Reason { what, because: Some(because) }).collect();
    let old = log.newest.map(|(_, approval)| approved::find(place, approval.contract));
    let by = |(stamp, approval): (&str, Approval<'_>)| format!("{} approved it ({stamp})", approval.name);
    let approved = log.newest.map(by);
    let (rows, is_difference, note) = match (old, &approved) {
        (Some(Some(bytes)), _) => (difference::rows(&PlanContract::of(&parse(&bytes)?)?, &new, &reasons), true, None),
        (Some(None), Some(by)) => {
            let note = format!("{by}, but the text that was approved is not in this clone: the whole plan is shown");
            (difference::whole(&new), false, Some(note))
        }
        _ => (difference::whole(&new), false, lost(place, plan)),
    };
    // R27: an approval that nobody here knows of is asked for again, and the plan is not compared with it.
    let claimed = Approvals::read(plan).newest;
    let is_believed = claimed == log.newest;
    let note = match claimed.filter(|_| !is_believed) {
        Some((stamp, approval)) => Some(format!(
            "the log says that {} approved it ({stamp}), and neither this clone nor the last commit knows of that: {}",
            approval.name,
            if is_difference {
                "these are the changes since the approval before it"
            } else {
                "the whole plan is shown"
            }
        )),
        None => note,
    };
    let (version, is_open) = (review::version(plan), approve::is_open(plan) || !is_believed);
    Ok(ApprovalView {
        version,
        is_open,
        state: rules::state_of(plan, &log),
        contract: new,
        rows,
        is_difference,
        note,
        approved,
    })
}

/// Returns a note if the plan has no approval but the last commit has one.
fn lost(place: &Place, plan: &Plan<'_>) -> Option<String> {
    let is_cleared = |(_, text): (&str, &str)| matches!(LogLine::parse(text), Some(LogLine::Cleared { .. }));
    if plan.log_lines().any(is_cleared) {
        return None;
    }
    let (stamp, line) = approved::last_committed(place)?;
    Some(format!("the last commit has `{line}` ({stamp}), and this log has not: `git diff` shows what else changed"))
}

/// Prints the contract as text.
pub(super) fn print(context: &Context, shown: &ApprovalView) {
    if let Some(note) = &shown.note {
        context.ui.note(&format!("note: {note}"));
    }
    context.ui.rows(&shown.rows);
}

/// Refuses an invalid contract (R14).
pub(super) fn check(place: &Place) -> Result<()> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let violations = if rules::state(&plan) == PlanState::Guide { Vec::new() } else { rules::violations(&plan) };
    match violations.is_empty() {
        true => Ok(()),
        false => Err(rules::invalid(&plan, &place.shown.to_string_lossy(), &violations)),
    }
}

/// The result of an approval.
pub(super) struct Approved {
    contract: String,
    next: Option<String>,
    state: PlanState,
}

impl Approved {
    /// Prints what begins with the approval.
    pub(super) fn print_next(&self, context: &Context) {
        if let Some(next) = &self.next {
            context.ui.line(&format!("→ {next}"));
        }
        if self.state != PlanState::Guide {
            context.ui.line(
                "in the agent's session, `/compact` or `/clear` makes room; `plan loop run` starts a fresh agent",
            );
        }
    }
}

/// Writes the approval of the version that was shown. Returns `None` if the plan has changed since; then nothing was written.
pub(super) fn write(context: &Context, place: &Place, version: &str, by: &Approver) -> Result<Option<Approved>> {
    let stamp = config::stamp()?;
    let (mut contract, mut is_same, mut is_first, mut old) = (String::new(), true, false, None);
    let written = context.change_as(place, PlanRequest::Person { activates: true }, |plan| {
        is_same = review::version(plan) == version;
        if !is_same {
            return Err(Error::new(Kind::Changed, "plan.md changed"));
        }
        contract = plan_contract(plan).short();
        is_first = Approvals::read(plan).newest.is_none();
        old = approved::believed(place, plan).newest.map(|(_, approval)| approval.contract.to_owned());
        approve::changes(place, plan, by, &stamp)
    });
    match written {
        Ok(written) => {
            approved::replace(place, old.as_deref(), Some(&contract))?;
            if is_first {
                let notes = checkpoint::take(place, checkpoint::Kind::Start, None);
                notes.iter().for_each(|note| context.ui.note(note));
            }
            let next = written.activated.map(|next| format!("Step {}: {}", next.step, next.text));
            Ok(Some(Approved { contract, next, state: written.state }))
        }
        Err(_) if !is_same => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the approval and prints the result.
pub(super) fn approve(context: &Context, place: &Place, version: &str, by: &Approver) -> Result<()> {
    let Some(written) = write(context, place, version, by)? else {
        // R24
        return Err(Error::new(Kind::Changed, "plan.md changed while you read it; nothing was approved")
            .hint("run it again: it shows what is there now"));
    };
    context.ui.line(&format!("plan approved by {} (contract {})", by.name, written.contract));
    written.print_next(context);
    context.ui.json(&json!({
        "approved": { "by": by.name, "via": by.way, "contract": written.contract, "note": by.note },
        "state": written.state.word(), "next": written.next,
    }));
    Ok(())
}

/// Rejects the proposal and prints the result.
pub(super) fn reject(context: &Context, place: &Place, why: &str) -> Result<()> {
    let why = text::log_text(why);
    if why.is_empty() {
        return Err(Error::input("`--reject`: expected a reason, found an empty text"));
    }
    let rejected = reject::reject(place, &why, &config::stamp()?)?;
    context.notes(&rejected.updated.notes);
    events::append(place, "plan_updated", &json!({ "goals": {}, "log": [format!("edit rejected: {why}")] }));
    match rejected.lines {
        0 => context.ui.line(&format!("rejected: {why}")),
        _ => context.ui.line(&format!("rejected: {why}; the approved contract is back")),
    }
    if !rejected.was_approved {
        context.ui.note("note: nothing was put back: no approved contract is known");
    }
    context.ui.json(
        &json!({ "rejected": { "because": why, "contract": rejected.contract, "restored": rejected.lines > 0 } }),
    );
    Ok(())
}

/// Returns the name of the person at this terminal: `given`, else git's `user.name`, else the account's. Starts git once at most.
pub(super) fn name(place: &Place, given: Option<&str>) -> String {
    let of = |variable: &str| std::env::var(variable).ok().filter(|name| !name.trim().is_empty());
    let of_git = || user_name(place.top.as_deref()?);
    let name = given.map(str::to_owned).or_else(of_git).or_else(|| of("USER")).or_else(|| of("LOGNAME"));
    name.unwrap_or_else(|| "somebody".to_owned())
}
