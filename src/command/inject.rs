//! `plan inject`: prints the block that an agent is shown.

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::block;
use crate::{config, session, store};

/// Print the text about the plan that hooks show an agent: active goals, the next one, the last log line
///
/// The same bytes of plan.md always give the same block. Prints nothing if no goal is open or active.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan inject --max-bytes 2000")]
pub struct Args {
    /// Print everything above the log, as at the start of a session.
    #[arg(long)]
    full: bool,
    /// The longest block, in bytes.
    #[arg(long, value_name = "N", default_value_t = block::Options::default().max_bytes)]
    max_bytes: usize,
    /// When to print.
    #[arg(long = "if", value_name = "WHEN", value_enum, default_value_t)]
    when: When,
    /// The session that `--if` asks about; by default the one that this runs in.
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

impl Default for Args {
    fn default() -> Self {
        Args { full: false, max_bytes: block::Options::default().max_bytes, when: When::Always, session: None }
    }
}

/// When a block is printed (`INJECTION.md` §2).
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum When {
    /// Always.
    #[default]
    Always,
    /// If the plan differs from the one the session got last.
    Changed,
    /// If the session was compacted since.
    Compacted,
    /// If the plan changed, the session was compacted, or 20 turns passed.
    Stale,
}

/// Prints the block or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let found = if config::is_disabled() { None } else { context.find()? };
    let Some(place) = found else {
        context.ui.json(&serde_json::json!({ "block": "" }));
        return Ok(Exit::Yes);
    };
    if !is_due(context, &place, args)? {
        context.ui.json(&serde_json::json!({ "block": "" }));
        return Ok(Exit::Yes);
    }
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let file = place.shown.to_string_lossy();
    let text = block::block(
        &plan,
        &block::Options { max_bytes: args.max_bytes, full: args.full, file: &file, is_free: false },
    );
    if !context.ui.is_json() {
        context.ui.raw(&text);
    }
    context.ui.json(&serde_json::json!({ "block": text }));
    Ok(Exit::Yes)
}

fn is_due(context: &Context, place: &store::Place, args: &Args) -> Result<bool> {
    let when = match args.when {
        When::Always => return Ok(true),
        When::Changed => session::When::Changed,
        When::Compacted => session::When::Compacted,
        When::Stale => session::When::Stale,
    };
    let session = context.session(args.session.as_deref())?;
    Ok(session::is_due(place, &session, when))
}
