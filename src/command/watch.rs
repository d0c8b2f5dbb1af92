//! `plan watch`: the plan on the whole screen, live.

use super::{Context, Exit};
use crate::error::{Error, Result};

/// Watch the plan live on the whole screen, and work on it
///
/// It shows each change of plan.md as it happens. Each key that writes shows the command that it runs; `?` lists the keys.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan watch")]
pub struct Args {}

/// Shows the plan until the person quits.
#[cfg(feature = "watch")]
pub fn run(context: &Context, _: &Args) -> Result<Exit> {
    use std::io::IsTerminal;

    use crate::watch::{WatchRequest, watch};

    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    if !context.ui.is_attached() || !std::io::stdin().is_terminal() || is_dumb {
        return Err(refused("`plan watch` needs a terminal for its screen and its keys"));
    }
    let place = context.place()?;
    context.ui.flush();
    let start =
        WatchRequest { place, ui: &context.ui, cwd: context.cwd.clone(), file: context.named_file().map(Into::into) };
    Ok(if watch(start)? { Exit::Code(130) } else { Exit::Yes })
}

/// Reports that this build has no `watch`.
///
/// # Errors
/// Always.
#[cfg(not(feature = "watch"))]
pub fn run(_: &Context, _: &Args) -> Result<Exit> {
    Err(refused("this build of `plan` has no `watch`: it was made without the feature `watch`"))
}

fn refused(why: &str) -> Error {
    Error::input(why).hint("`plan list` prints the goals, `plan list --json` for another program")
}
