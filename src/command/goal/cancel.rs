//! `plan goal cancel`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::{self, Change};
use crate::plan::log::GoalEvent;
use crate::plan::model::Status;
use crate::plan::rules::{self, GoalMove, Standing};
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
    #[arg(required = true)]
    reason: Vec<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let reason = text::one_line(&args.reason.join(" "));
    if reason.is_empty() {
        return Err(Error::input("expected a reason, found none"));
    }
    let stamp = config::stamp()?;
    let mut name = String::new();
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let goal = plan.find_goal(&args.id)?;
        rules::check_goal_move(goal, GoalMove::Cancel, Standing::NotSignedOff)?;
        name = change::id_to_be(plan, goal);
        let text = GoalEvent::Cancelled { reason: &reason }.of(&name).to_string();
        Ok(vec![
            Change::SetStatus { goal: goal.index(), status: Status::Cancelled },
            Change::AppendLog { stamp: stamp.clone(), text },
        ])
    })?;
    context.ui.line(&format!("cancelled {name}: {reason}"));
    context.ui.json(&json!({ "cancelled": name, "reason": reason }));
    Ok(Exit::Yes)
}
