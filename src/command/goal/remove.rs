//! `plan goal remove`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::model::Status;
use crate::plan::rules;

/// Remove a goal from the file
///
/// Its log lines stay, and the numbers of its steps are never reused. A done goal is archived instead. `plan undo` brings the
/// removed goal back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal remove load-test-1")]
pub(super) struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let stamp = config::stamp()?;
    let mut name = String::new();
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let goal = plan.find_goal(&args.id)?;
        name = goal.name().to_owned();
        if goal.status() == Status::Done {
            return Err(Error::new(Kind::Refused, format!("goal `{name}` is done, and done goals are kept"))
                .hint("`plan archive` moves it out of sight"));
        }
        let steps = goal.raw().steps.start as usize..goal.raw().steps.end as usize;
        let log = change::removal_line(plan, steps).map(|text| Change::AppendLog { stamp: stamp.clone(), text });
        Ok(std::iter::once(Change::RemoveGoal { goal: goal.index() }).chain(log).collect())
    })?;
    context.ui.line(&format!("removed {name}"));
    context.ui.json(&json!({ "removed": name }));
    Ok(Exit::Yes)
}
