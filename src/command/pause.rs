//! `plan pause`: the honest way to stop.

use serde_json::json;

use super::{Context, Exit};
use crate::error::{Error, Result};
use crate::plan::change::Change;
use crate::plan::log::LogLine;
use crate::plan::text;
use crate::{config, session};

/// Pause the work and say why: no agent is asked to continue until a person writes
///
/// The reason goes into the log. Nothing is signed off, and nothing is lost.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan pause \"needs the staging password\"")]
pub struct Args {
    /// What blocks you, and what you need; quotes are optional.
    #[arg(required_unless_present = "off")]
    reason: Vec<String>,
    /// End the pause.
    #[arg(long, conflicts_with = "reason")]
    off: bool,
}

/// Pauses, or ends the pause.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    if args.off {
        let was = session::end_hold(&place)?;
        context.ui.line(if was { "pause ended" } else { "the plan was not paused" });
        context.ui.json(&json!({ "paused": false, "was": was }));
        return Ok(Exit::Yes);
    }
    let reason = text::log_text(&args.reason.join(" "));
    if reason.is_empty() {
        return Err(Error::input("expected the reason for the pause, found empty text"));
    }
    let stamp = config::stamp()?;
    let line = LogLine::Paused { reason: &reason }.to_string();
    context.change(&place, |_| Ok(vec![Change::AppendLog { stamp: stamp.clone(), text: line.clone() }]))?;
    session::pause(&place, &reason).map_err(super::after_writing)?;
    context.ui.line(&line);
    context.ui.json(&json!({ "paused": true, "reason": reason }));
    Ok(Exit::Yes)
}
