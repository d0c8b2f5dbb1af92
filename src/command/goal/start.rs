//! `plan goal start`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::error::Result;
use crate::plan::history;
use crate::plan::rules::{GoalMove, Needs, PlanRequest};
use crate::session::events;
use crate::signoff::advice;
use crate::signoff::start::{self, StartReport};
use crate::store::{self, Place};

/// Make a goal active, and see its verify fail
///
/// Records the contract and the state of the repository, and runs `verify` once to see it fail. If it passes before the work,
/// it proves nothing after the work. A done or cancelled goal is reopened.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal start cache-layer-1")]
pub(super) struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// Do not run `verify`.
    #[arg(long)]
    no_baseline: bool,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let started = start(context, &place, &args.id, !args.no_baseline)?;
    context.ui.json(&json!({ "started": started }));
    Ok(Exit::Yes)
}

/// Starts a goal and reports it on stdout.
pub(super) fn start(context: &Context, place: &Place, name: &str, baseline: bool) -> Result<StartReport> {
    let id =
        context.give_id(place, name, Some(PlanRequest::Goal { to: GoalMove::Start, goal: name, because: None }))?;
    let started = start::start(place, &id, baseline, &context.ui)?;
    if started.already {
        context.ui.line(&format!("{id} is already active; the work is still compared with the files of its start"));
        return Ok(started);
    }
    let event = json!({ "goals": { &id: "active" }, "log": [], "verify": started.verify });
    events::append(place, "plan_updated", &event);
    let reopened = started.was.map(|was| format!(" (was {})", was.word())).unwrap_or_default();
    context.ui.line(&format!("started {id}{reopened}: verify {}", started.verify));
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let goal = plan.goal_named(&id)?;
    let lacking = advice::lacking(goal);
    if let Some(command) = advice::completing(&id, &lacking) {
        context.ui.note(&super::needed(&context.typed(&command), &lacking));
    }
    let missing = Needs::new(&plan).missing(goal);
    if !missing.is_empty() {
        let missing = missing.iter().map(|need| format!("`{need}`")).collect::<Vec<_>>().join(", ");
        context
            .ui
            .note(&format!("note: `{id}` needs {missing}, not signed off yet; until then it cannot be completed"));
    }
    if history::is_reopened(&plan, &id) {
        context
            .ui
            .note("note: it needs new work for a new sign-off; if nothing is to change, `plan undo` takes this back");
    }
    started.notes.iter().for_each(|note| context.ui.note(&format!("note: {note}")));
    Ok(started)
}
