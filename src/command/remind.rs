//! `plan remind`: prints the reminder for an agent that forgets the plan.

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::rules;
use crate::prompt::Prompt;
use crate::{config, session, store};

/// Print the reminder when it is due
///
/// It is due after N turns that changed files but not plan.md. N is `remind_every` in the front matter (default 3; 0 means
/// never). If it is not due, nothing is printed.
///
/// With `--iteration`, `plan` remembers nothing about the session: the reminder is due on turns N, 2N, 3N…, if the plan has an
/// objective and a goal that is open or active.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan remind --iteration 6")]
pub struct Args {
    /// Which turn this is, from 1.
    #[arg(long, allow_negative_numbers = true, value_name = "N", conflicts_with = "session")]
    iteration: Option<i64>,
    /// The session to remind; by default the current one.
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

/// Prints the reminder or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let text = if config::is_disabled() { None } else { reminder(context, args)? };
    if let Some(text) = text.as_ref().filter(|_| !context.ui.is_json()) {
        context.ui.raw(text);
    }
    context.ui.json(&serde_json::json!({ "reminder": text }));
    Ok(Exit::Yes)
}

fn reminder(context: &Context, args: &Args) -> Result<Option<String>> {
    let Some(place) = context.find()? else { return Ok(None) };
    let is_due = match args.iteration {
        Some(iteration) => is_due_on(&place, iteration)?,
        None => session::is_reminder_due(&place, &context.session(args.session.as_deref())?),
    };
    if !is_due {
        return Ok(None);
    }
    let other = config::prompt_override(Prompt::Reminder.file_name())?;
    Prompt::Reminder.fill(other.as_deref(), &[]).map(Some)
}

fn is_due_on(place: &store::Place, iteration: i64) -> Result<bool> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let every = i64::from(session::remind_every(&plan));
    let is_open =
        plan.objective().is_some() && rules::unfinished(&plan).next().is_some() && rules::held(&plan).is_none();
    Ok(is_open && iteration > 0 && every > 0 && iteration % every == 0)
}
