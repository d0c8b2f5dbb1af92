//! `plan clear`: ends a plan that is not finished.

use serde_json::json;

use super::{Context, Exit};
use crate::contract::rewind::refuse_interrupted;
use crate::contract::{checkpoint, person};
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::edit::{self, Edit};
use crate::plan::log::{GoalEvent, LogLine};
use crate::plan::model::{Plan, Status};
use crate::plan::text;
use crate::session::events;
use crate::shell::quote;
use crate::{config, store};

/// End the plan: every goal moves below `# Archive`, unfinished ones as cancelled
///
/// Objective and log stay. Only a person may do this. `plan undo` takes it back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan clear \"the customer wants something else\"")]
pub struct Args {
    /// Why; needs no quotes.
    reason: Vec<String>,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

/// Returns the command line by which a person does the same.
fn own_command(args: &Args) -> String {
    let reason = args.reason.join(" ");
    let reason = if reason.is_empty() { reason } else { format!(" {}", quote(&reason)) };
    format!("plan clear{reason}")
}

/// Asks, then clears the plan.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let own = own_command(args);
    person::require_for(&own)?;
    let why = Some(text::log_text(&args.reason.join(" "))).filter(|why| !why.is_empty());
    let why = why.unwrap_or_else(|| "no reason given".to_owned());
    let source = store::read(&place)?;
    let goals = names(&place.parse(&source)?);
    if goals.is_empty() {
        context.ui.line("nothing to clear: the plan has no goal");
        context.ui.json(&json!({ "cleared": [] }));
        return Ok(Exit::Yes);
    }
    if !args.yes {
        if !context.ui.can_ask() {
            return Err(Error::new(Kind::Refused, "`clear` asks before it ends a plan, and there is no terminal")
                .hint(format!("run it in a terminal: `{own}`")));
        }
        let (count, list) = (goals.len(), goals.join(", "));
        if !context.ui.confirm(&format!("End the plan and archive its goals ({count}: {list})?"))? {
            context.ui.line("nothing was cleared");
            context.ui.json(&json!({ "cleared": [] }));
            return Ok(Exit::No);
        }
    }
    refuse_interrupted(&place)?;
    checkpoint::take(&place, checkpoint::Kind::BeforeClear, None).iter().for_each(|note| context.ui.note(note));
    let stamp = config::stamp()?;
    let mut cleared = Vec::new();
    let updated = store::update(&place, |source| {
        let plan = place.parse(source)?;
        cleared = names(&plan);
        edits(&plan, &stamp, &why)
    })?;
    context.notes(&updated.notes);
    let line = LogLine::Cleared { why: &why }.to_string();
    events::append(&place, "plan_updated", &json!({ "goals": {}, "log": [&line] }));
    cleared.iter().for_each(|name| context.ui.line(&format!("archived {name}")));
    context.ui.line(&line);
    context.ui.json(&json!({ "cleared": cleared, "because": why }));
    Ok(Exit::Yes)
}

fn names(plan: &Plan<'_>) -> Vec<String> {
    plan.live_goals().map(|goal| goal.name().to_owned()).collect()
}

/// Cancels the unfinished goals, then archives all: two changes of the same goals in one write.
fn edits(plan: &Plan<'_>, stamp: &str, why: &str) -> Result<Vec<Edit>> {
    let line = |text: String| Change::AppendLog { stamp: stamp.to_owned(), text };
    let mut cancelled = Vec::new();
    for goal in plan.live_goals().filter(|goal| !goal.status().is_finished()) {
        let name = change::id_to_be(plan, goal);
        cancelled.push(Change::SetStatus { goal: goal.index(), status: Status::Cancelled });
        cancelled.push(line(GoalEvent::Cancelled { reason: "the plan was cleared" }.of(&name).to_string()));
    }
    cancelled.push(line(LogLine::Cleared { why }.to_string()));
    let after = edit::apply(plan.source, &change::edits(plan, &cancelled)?)?;
    let after = crate::plan::parse::parse(&after)?;
    let goals = after.live_goals().map(|goal| goal.index()).collect();
    let after = edit::apply(after.source, &change::edits(&after, &[Change::Archive { goals }])?)?;
    Ok(edit::between(plan.source, &after).into_iter().collect())
}
