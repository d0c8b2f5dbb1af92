//! `plan goal remove`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::draft;
use crate::plan::history;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{self, PlanRequest, PlanState};
use crate::plan::text;

/// Remove a goal from the file
///
/// Its log lines stay, and the numbers of its steps are never reused. `plan` refuses a done goal (use
/// `plan archive`) and a started one (use `plan goal cancel` first). `plan undo` brings the removed goal back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal remove load-test-1")]
pub(super) struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let stamp = config::stamp()?;
    let mut name = String::new();
    let (because, again) = (text::reason(args.because.as_deref())?, context.with_reason());
    let request = PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() };
    context.change_as(&place, request, |plan| {
        let goal = plan.find_goal(&args.id)?;
        name = goal.name().to_owned();
        if goal.status() == Status::Done {
            return Err(done(plan, goal));
        }
        // If it were added again, it would begin anew, and the changes so far would count as nobody's work.
        if goal.status() == Status::Active && !history::starts(plan, &name).is_empty() {
            let cancel = format!("`plan goal cancel {name} \"reason\"` gives it up; then it can be removed");
            return Err(Error::new(Kind::Refused, format!("goal `{name}` was started")).hint(cancel));
        }
        let steps = goal.raw().steps.start as usize..goal.raw().steps.end as usize;
        // A proposal has its own log line that names the goal; the goal's step numbers are in the approval.
        let is_silent = !matches!(rules::state(plan), PlanState::Active | PlanState::Proposed);
        let log = change::removal_line(plan, steps)
            .filter(|_| is_silent)
            .map(|text| Change::AppendLog { stamp: stamp.clone(), text });
        Ok(std::iter::once(Change::RemoveGoal { goal: goal.index() }).chain(log).collect())
    })?;
    context.ui.line(&format!("removed {name}"));
    context.ui.json(&json!({ "removed": name }));
    Ok(Exit::Yes)
}

/// Returns the error that a done goal is kept, with a command that helps.
fn done(plan: &Plan<'_>, goal: GoalRef<'_, '_>) -> Error {
    let refused = |what: &str| {
        Error::new(Kind::Refused, format!("goal `{}` is done{what}, and done goals are kept", goal.name()))
    };
    match goal.raw().archived {
        true => refused(" and archived already").hint(rules::bring_back(goal)),
        false if draft::archivable(plan).contains(&goal.index()) => {
            refused("").hint("`plan archive` moves it out of sight")
        }
        false => refused("").hint(format!(
            "`plan goal start {id}` reopens it, then `plan goal cancel {id} \"reason\"` gives it up",
            id = goal.typed()
        )),
    }
}
