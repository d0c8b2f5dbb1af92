//! `plan mcp`: an MCP server with plan's commands as tools.

use super::{Context, Exit};
use crate::error::Result;
use crate::{mcp, ui};

/// Serve plan's commands as MCP tools on stdin and stdout; a host starts this
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  claude mcp add --scope project plan -- plan mcp")]
pub struct Args {}

/// Serves until stdin is closed.
pub fn run(context: &Context, _: &Args) -> Result<Exit> {
    if ui::is_terminal() {
        context.ui.note("this speaks MCP on stdin and stdout; a host starts it");
    }
    let place = mcp::ServerStart { folder: context.cwd.clone(), file: context.named_file().map(Into::into) };
    let is_interrupted = mcp::serve(place, ui::wire())?;
    Ok(if is_interrupted { Exit::Code(130) } else { Exit::Yes })
}
