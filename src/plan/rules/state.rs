//! The state of a plan in contract mode, derived from plan.md alone (`CONTRACT.md` §3.1). It is not stored anywhere.
//!
//! ```text
//! guide        neither the front matter nor the newest approval asks for contract mode
//! none         no goal above the archive
//! unapproved   no approval line, or none since the plan was cleared
//! proposed     the contract is not the approved one, or a retry or a cancellation is proposed
//! complete     every goal is signed off or cancelled, and every step of the done goals is settled
//! active       otherwise
//! ```

use std::fmt;

use super::record::GoalRecords;
use crate::plan::contract::{Digests, plan_contract};
use crate::plan::log::{Approval, LogLine, ProposedEdit};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::Standing;

/// The state of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanState {
    /// Guide mode: the plan is not held to a contract.
    Guide,
    /// No goal.
    None,
    /// Never approved.
    Unapproved,
    /// Something waits for approval.
    Proposed,
    /// The contract is approved, and work can go on.
    Active,
    /// Every goal is signed off or cancelled.
    Complete,
}

impl PlanState {
    /// The word in messages and in `--json`.
    pub const fn word(self) -> &'static str {
        match self {
            PlanState::Guide => "guide",
            PlanState::None => "none",
            PlanState::Unapproved => "unapproved",
            PlanState::Proposed => "proposed",
            PlanState::Active => "active",
            PlanState::Complete => "complete",
        }
    }
}

/// A proposal in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal<'a> {
    /// When: `YYYY-MM-DD HH:MM`.
    pub stamp: &'a str,
    /// The change.
    pub edit: ProposedEdit<'a>,
    /// Why.
    pub because: &'a str,
}

/// A rejection in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedEdits<'a> {
    /// When: `YYYY-MM-DD HH:MM`.
    pub stamp: &'a str,
    /// Why.
    pub why: &'a str,
    /// The plan contract that was rejected, 12 digits.
    pub contract: &'a str,
    /// The proposals that were open then, oldest first.
    pub edits: Vec<Proposal<'a>>,
}

/// The approvals and proposals in the log above the archive, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvals<'a> {
    /// The newest approval since the plan was cleared, with its stamp.
    pub newest: Option<(&'a str, Approval<'a>)>,
    /// The proposals that nobody has approved or rejected, oldest first.
    pub proposals: Vec<Proposal<'a>>,
    /// The rejections since the newest approval, oldest first.
    pub rejected: Vec<RejectedEdits<'a>>,
    /// Whether the newest approval line, cleared or not, was given in contract mode.
    was_contract: bool,
}

impl<'a> Approvals<'a> {
    /// Reads the log; linear in its lines.
    pub fn read(plan: &Plan<'a>) -> Self {
        Self::read_believing(plan, |_| true)
    }

    /// Reads the log like [`Approvals::read`], but ignores the approvals that are not believed.
    pub fn read_believing(plan: &Plan<'a>, is_believed: impl Fn(&Approval<'a>) -> bool) -> Self {
        let mut read = Approvals::default();
        let may_count = |text: &str| matches!(text.as_bytes().first(), Some(b'p' | b'e'));
        for (stamp, text) in plan.log_lines().filter(|(_, text)| may_count(text)) {
            match LogLine::parse(text) {
                Some(LogLine::Approved(approval)) if !is_believed(&approval) => {}
                Some(LogLine::Approved(approval)) => {
                    let was_contract = approval.steps.is_some();
                    read = Approvals { newest: Some((stamp, approval)), was_contract, ..Approvals::default() };
                }
                Some(LogLine::Cleared { .. }) => {
                    read = Approvals { was_contract: read.was_contract, ..Approvals::default() };
                }
                Some(LogLine::Proposed { edit, because }) => read.proposals.push(Proposal { stamp, edit, because }),
                Some(LogLine::EditRejected { why, contract }) => {
                    let edits = std::mem::take(&mut read.proposals);
                    read.rejected.push(RejectedEdits { stamp, why, contract, edits });
                }
                _ => {}
            }
        }
        read
    }

    /// The proposals that change no digest, oldest first: `retry step 3`, `cancel docs-1`.
    pub fn by_line(&self) -> impl Iterator<Item = &Proposal<'a>> {
        self.proposals.iter().filter(|proposal| proposal.edit.is_by_line())
    }

    /// Whether `plan` is held to its contract. `self` is read from the log of `plan`.
    pub fn holds(&self, plan: &Plan<'_>) -> bool {
        plan.is_contract_mode() || self.was_contract
    }
}

/// True if nothing is left to do in a goal: it is done or cancelled, or all its steps are settled.
pub fn is_finished(goal: GoalRef<'_, '_>) -> bool {
    goal.status().is_finished() || goal.steps().iter().all(|step| step.mark.is_settled())
}

/// Returns the state of a plan. Linear in the plan.
pub fn state(plan: &Plan<'_>) -> PlanState {
    state_of(plan, &Approvals::read(plan))
}

/// Returns the state of a plan whose log was already read.
pub fn state_of(plan: &Plan<'_>, log: &Approvals<'_>) -> PlanState {
    if !log.holds(plan) {
        return PlanState::Guide;
    }
    if plan.live_goals().next().is_none() {
        return PlanState::None;
    }
    let Some((_, approval)) = log.newest else { return PlanState::Unapproved };
    if log.by_line().next().is_some() || !plan_contract(plan).is_short(approval.contract) {
        return PlanState::Proposed;
    }
    if is_complete(plan) { PlanState::Complete } else { PlanState::Active }
}

/// Whether every live goal is cancelled, or is signed off with all steps settled. A goal that only says `done` is not signed off.
fn is_complete(plan: &Plan<'_>) -> bool {
    let says_so = plan.live_goals().all(|goal| match goal.status() {
        Status::Done => goal.steps().iter().all(|step| step.mark.is_settled()),
        status => status == Status::Cancelled,
    });
    if !says_so {
        return false;
    }
    let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
    plan.live_goals()
        .filter(|goal| goal.status() == Status::Done)
        .all(|goal| record.standing(goal, &mut digests) == Standing::SignedOff)
}

/// The reason why an agent is not asked to go on. Displayed as one sentence that ends with the command that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldReason {
    /// The plan was never approved.
    Unapproved,
    /// A change of the contract waits for approval.
    Proposed,
    /// The current goal needs goals that are not signed off.
    SignOff {
        /// The current goal.
        goal: String,
        /// Its needs that are not signed off, each by its id.
        needs: Vec<String>,
    },
    /// Only failed steps of the current goal are left.
    Failed {
        /// The current goal.
        goal: String,
        /// Its first failed step.
        step: String,
    },
}

impl HoldReason {
    /// Whether only a person may run the command that helps.
    pub const fn is_for_person(&self) -> bool {
        matches!(self, HoldReason::Unapproved | HoldReason::Proposed)
    }

    /// The command that helps.
    pub fn remedy(&self) -> String {
        match self {
            HoldReason::Unapproved | HoldReason::Proposed => "plan approve".to_owned(),
            HoldReason::SignOff { needs, .. } => format!("plan complete {}", needs.first().map_or("", String::as_str)),
            HoldReason::Failed { step, .. } => format!("plan step retry {step} --because \"why\""),
        }
    }
}

impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HoldReason::Unapproved => f.write_str("the plan waits for approval")?,
            HoldReason::Proposed => f.write_str("a change of the contract waits")?,
            HoldReason::SignOff { goal, needs } => {
                let are = if needs.len() == 1 { "is" } else { "are" };
                write!(f, "{goal} needs {}, which {are} not signed off", needs.join(", "))?;
            }
            HoldReason::Failed { goal, step } => {
                write!(f, "step {step} failed, and no other step of {goal} can be done")?
            }
        }
        write!(f, ": {}", self.remedy())
    }
}

#[cfg(test)]
mod tests;
