//! The changes that an approval writes (`CONTRACT.md` §1, §3.4). [`super::person`] has checked before that the caller may approve.

use super::amended;
use super::approved;
use crate::error::Result;
use crate::plan::change::Change;
use crate::plan::contract::plan_contract;
use crate::plan::log::{Approval, GoalEvent, LogLine, ProposedEdit, StepEnd};
use crate::plan::model::{Mark, Plan, Status};
use crate::plan::rules::{Approvals, GoalMove, PlanState, Standing, check_goal_move, state};
use crate::store::Place;

/// The person or program that approves, and the way it was done.
#[derive(Clone, Debug)]
pub struct Approver {
    /// The name in the log line.
    pub name: String,
    /// `terminal`, `host`, `reply`, `--yes`.
    pub way: &'static str,
    /// A remark.
    pub note: Option<String>,
}

impl Approver {
    /// Creates an approver. The name becomes one word without parentheses, because parentheses end a name in the log line.
    pub fn new(name: &str, way: &'static str, note: Option<&str>) -> Self {
        let name = name.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join("-");
        let note = note.map(crate::plan::text::one_line).filter(|note| !note.is_empty());
        Approver { name: if name.is_empty() { "somebody".to_owned() } else { name }, way, note }
    }
}

/// In contract mode, gives ids to goals and numbers to steps that have none. Both are part of the contract, so they are given before the
/// contract is shown.
pub fn names(plan: &Plan<'_>) -> Vec<Change> {
    if !plan.is_contract_mode() {
        return Vec::new();
    }
    let goals = plan.live_goals().filter(|goal| goal.id().is_none()).map(|goal| Change::AddId { goal: goal.index() });
    let steps = plan.all_steps().filter(|step| !step.goal().raw().archived && step.raw().number.is_none());
    goals.chain(steps.map(|step| Change::AddNumber { step: step.index() })).collect()
}

/// True if there is something to approve.
pub fn is_open(plan: &Plan<'_>) -> bool {
    match state(plan) {
        PlanState::Unapproved | PlanState::Proposed => true,
        PlanState::None | PlanState::Active | PlanState::Complete => false,
        PlanState::Guide => {
            let log = Approvals::read(plan);
            log.newest.is_none_or(|(_, approval)| !plan_contract(plan).is_short(approval.contract))
        }
    }
}

/// Returns the changes that approve `plan` as it was shown, without the activation of the next step. The bytes are recorded first, so that
/// a killed run leaves only a record that no log line names.
///
/// # Errors
/// Errors of recording the bytes.
pub fn changes(place: &Place, plan: &Plan<'_>, by: &Approver, stamp: &str) -> Result<Vec<Change>> {
    let log = approved::believed(place, plan);
    let contract = plan_contract(plan).short();
    approved::keep(place, &contract, plan.source)?;
    let line = |text: String| Change::AppendLog { stamp: stamp.to_owned(), text };
    let old = log.newest.and_then(|(_, approval)| approved::find(place, approval.contract));
    let because = by
        .note
        .as_ref()
        .map_or_else(|| format!("{} approved it", by.name), |note| format!("{} approved it: {note}", by.name));
    let mut changes: Vec<Change> =
        amended::explained(place, plan, old.as_deref(), &because).into_iter().map(line).collect();
    let steps = plan.steps.iter().filter_map(|step| step.number).max().unwrap_or_default();
    let approval = Approval {
        name: &by.name,
        way: by.way,
        contract: &contract,
        steps: plan.is_contract_mode().then_some(steps),
        note: by.note.as_deref(),
    };
    changes.push(line(LogLine::Approved(approval).to_string()));
    for proposal in log.by_line() {
        let because = proposal.because;
        match proposal.edit {
            ProposedEdit::Retry { step } => {
                let Ok(found) = plan.find_step(step) else { continue };
                if found.raw().mark == Mark::Failed {
                    let outcome = Some(because.to_owned());
                    changes.push(Change::SetMark { step: found.index(), mark: Mark::Pending, outcome });
                    changes.push(line(LogLine::Step { name: step, end: StepEnd::Retried, text: because }.to_string()));
                }
            }
            ProposedEdit::Cancel { goal } => {
                let Some(found) = plan.live_goals().find(|found| found.id() == Some(goal)) else { continue };
                if check_goal_move(found, GoalMove::Cancel, Standing::NotSignedOff).is_ok() {
                    changes.push(Change::SetStatus { goal: found.index(), status: Status::Cancelled });
                    changes.push(line(GoalEvent::Cancelled { reason: because }.of(goal).to_string()));
                }
            }
            _ => {}
        }
    }
    Ok(changes)
}
