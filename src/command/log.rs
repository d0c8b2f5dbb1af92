//! `plan log`: appends one line to the log.

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::Change;
use crate::plan::{rules, text};

/// Append one line to the log
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan log \"cache client wired; eviction next\"")]
pub struct Args {
    /// One short line; needs no quotes.
    #[arg(required = true)]
    text: Vec<String>,
}

/// Appends the line. Refuses text that reads like a line of `plan` itself.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let given = args.text.join(" ");
    let line = text::log_text(&given);
    let cut = line.len() < text::one_line(&given).len();
    if line.is_empty() {
        return Err(Error::input("expected a text to log, found none").hint("plan log all tests pass"));
    }
    if rules::is_plan_line(&line) {
        return Err(Error::input(format!("refused: `{}` looks like a line that `plan` itself writes", line))
            .hint("use other words; only `plan complete` writes sign-offs"));
    }
    let stamp = config::stamp()?;
    context.change(&place, |_| Ok(vec![Change::AppendLog { stamp: stamp.clone(), text: line.clone() }]))?;
    if cut {
        context.ui.note(&format!("note: the text was cut to {} bytes", line.len()));
    }
    context.ui.line(&format!("{stamp}  {}", line));
    context.ui.json(&json!({ "stamp": stamp, "text": line, "cut": cut }));
    Ok(Exit::Yes)
}
