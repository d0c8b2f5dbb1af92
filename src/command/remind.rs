//! `plan remind`: the reminder for an agent that drifts.

use super::{Context, Exit};
use crate::error::Result;
use crate::prompt::Prompt;
use crate::{config, store};

/// Print the reminder when it is due
///
/// Due on iteration N, 2N, 3N…, where N is `remind_every` of the front matter (default 3, 0 is never), and only where
/// the plan has an objective and a goal that is open or active. Prints nothing otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan remind --iteration 6")]
pub struct Args {
    /// Which turn this is, from 1.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    iteration: i64,
}

/// Prints the reminder or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let text = if config::is_disabled() { None } else { reminder(context, args.iteration)? };
    if let Some(text) = text.as_ref().filter(|_| !context.ui.is_json()) {
        context.ui.raw(text);
    }
    context.ui.json(&serde_json::json!({ "reminder": text }));
    Ok(Exit::Yes)
}

fn reminder(context: &Context, iteration: i64) -> Result<Option<String>> {
    let Some(place) = context.find()? else { return Ok(None) };
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let every = plan.front_value("remind_every").and_then(|text| text.parse().ok()).unwrap_or(3_i64);
    let due = iteration > 0 && every > 0 && iteration % every == 0;
    if !due || plan.objective().is_none() || plan.live_goals().all(|goal| goal.status().is_finished()) {
        return Ok(None);
    }
    let other = config::prompt_override(Prompt::Reminder.file_name())?;
    Prompt::Reminder.fill(other.as_deref(), &[]).map(Some)
}
