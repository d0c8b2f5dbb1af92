//! `plan completions`: a script for the shell.

use super::{Context, Exit};
use crate::error::Result;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan completions bash > ~/.local/share/bash-completion/completions/plan")]
pub struct Args {
    /// bash, zsh, fish, elvish or powershell.
    shell: clap_complete::Shell,
}

/// Prints the script for the whole command line.
pub fn run(context: &Context, args: &Args, mut cli: clap::Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "plan", &mut script);
    context.ui.script("script", &String::from_utf8_lossy(&script));
    Ok(Exit::Yes)
}
