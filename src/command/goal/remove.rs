//! `plan goal remove`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::error::{Error, Kind, Result};
use crate::plan::change::Change;
use crate::plan::model::Status;
use crate::plan::rules;

/// Remove a goal from the file
///
/// Its log lines stay. A goal that is done is not removed but archived. `plan undo` brings the version before back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal remove load-test-1")]
pub(super) struct Args {
    /// The goal's id, or its subject where that is unique.
    id: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let mut name = String::new();
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let goal = plan.find_goal(&args.id)?;
        name = goal.name().to_owned();
        if goal.status() == Status::Done {
            return Err(Error::new(Kind::Refused, format!("goal `{name}` is done: what is finished is kept"))
                .hint("`plan archive` moves it out of sight"));
        }
        Ok(vec![Change::RemoveGoal { goal: goal.index() }])
    })?;
    context.ui.line(&format!("removed {name}"));
    context.ui.json(&json!({ "removed": name }));
    Ok(Exit::Yes)
}
