//! `plan inject`: the block that an agent is shown.

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::block;
use crate::{config, store};

/// Print the block that an agent is shown: active goals, the next one, the last log line
///
/// A pure function of plan.md's bytes: the same bytes give the same block. Prints nothing where nothing is open.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan inject --max-bytes 2000")]
pub struct Args {
    /// Everything above the log, as at the start of a session.
    #[arg(long)]
    full: bool,
    /// The longest block, in bytes.
    #[arg(long, value_name = "N", default_value_t = block::Options::default().max_bytes)]
    max_bytes: usize,
    /// When to print: this version knows `always`.
    #[arg(long = "if", value_name = "WHEN", value_enum, default_value_t)]
    when: When,
}

impl Default for Args {
    fn default() -> Self {
        Args { full: false, max_bytes: block::Options::default().max_bytes, when: When::Always }
    }
}

/// When a block is printed. The other moments need a host's hooks.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum When {
    /// Each time.
    #[default]
    Always,
}

/// Prints the block or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let found = if config::is_disabled() { None } else { context.find()? };
    let Some(place) = found else {
        context.ui.json(&serde_json::json!({ "block": "" }));
        return Ok(Exit::Yes);
    };
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let When::Always = args.when;
    let file = place.shown.to_string_lossy();
    let text = block::block(&plan, &block::Options { max_bytes: args.max_bytes, full: args.full, file: &file });
    if !context.ui.is_json() {
        context.ui.raw(&text);
    }
    context.ui.json(&serde_json::json!({ "block": text }));
    Ok(Exit::Yes)
}
