//! `plan goal cancel`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::{self, Change};
use crate::plan::contract::Digests;
use crate::plan::log::{GoalEvent, LogLine, ProposedEdit, events_of};
use crate::plan::model::Status;
use crate::plan::rules::{self, GoalMove, GoalRecords, PlanRequest, PlanState};
use crate::plan::text;

/// Give up a goal; the log keeps the reason
///
/// Nothing is checked: cancelling is not signing off.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal cancel cache-layer-1 \"the new index made it pointless\"")]
pub(super) struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// The reason; needs no quotes.
    #[arg(required_unless_present = "because")]
    reason: Vec<String>,
    /// The same, as the other commands take it in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true, conflicts_with = "reason")]
    because: Option<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let reason = text::one_line(&args.because.clone().unwrap_or_else(|| args.reason.join(" ")));
    if reason.is_empty() {
        return Err(Error::input("expected a reason, found none"));
    }
    let stamp = config::stamp()?;
    let (mut name, mut is_proposed) = (String::new(), false);
    let request = PlanRequest::Goal { to: GoalMove::Cancel, goal: &args.id, because: Some(&reason) };
    let written = context.change_as(&place, request, |plan| {
        let goal = plan.find_goal(&args.id)?;
        // For a goal that was cancelled by hand, the log has no reason yet.
        let has_reason = || goal.id().is_some_and(|id| GoalEvent::end_cancelled(events_of(plan, id)));
        if goal.status() != Status::Cancelled || has_reason() {
            let standing = GoalRecords::new(plan).standing(goal, &mut Digests::default());
            rules::check_goal_move(goal, GoalMove::Cancel, standing)?;
        }
        name = change::id_to_be(plan, goal);
        is_proposed = matches!(rules::state(plan), PlanState::Active | PlanState::Proposed);
        if is_proposed {
            let line = LogLine::Proposed { edit: ProposedEdit::Cancel { goal: &name }, because: &reason };
            return Ok(vec![Change::AppendLog { stamp: stamp.clone(), text: line.to_string() }]);
        }
        let text = GoalEvent::Cancelled { reason: &reason }.of(&name).to_string();
        Ok(vec![
            Change::SetStatus { goal: goal.index(), status: Status::Cancelled },
            Change::AppendLog { stamp: stamp.clone(), text },
        ])
    })?;
    if is_proposed {
        context.ui.line(&format!("proposed: cancellation of {name}; waits for approval"));
        let state = written.state.word();
        context.ui.json(&json!({ "goal": name, "proposed": "cancel", "because": reason, "state": state }));
        return Ok(Exit::Yes);
    }
    context.ui.line(&format!("cancelled {name}: {reason}"));
    context.ui.json(&json!({ "cancelled": name, "reason": reason }));
    Ok(Exit::Yes)
}
