//! `plan man`: the manual page.

use clap::Command;

use super::{Context, Exit};
use crate::error::{Error, Result};

/// Print the manual page, or that of one command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan man complete | man -l -")]
pub struct Args {
    /// The command, such as `complete` or `goal add`.
    #[arg(num_args = 0..)]
    command: Vec<String>,
}

/// Prints the page of the whole command line, or of one command of it, as roff.
pub fn run(context: &Context, args: &Args, mut cli: Command) -> Result<Exit> {
    cli.build();
    let name = std::iter::once("plan").chain(args.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let command = find(&cli, &args.command)?.clone();
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .title(name)
        .render(&mut page)
        .map_err(|error| Error::input(format!("cannot write the page: {error}")))?;
    context.ui.script("man", &String::from_utf8_lossy(&page));
    Ok(Exit::Yes)
}

fn find<'c>(command: &'c Command, names: &[String]) -> Result<&'c Command> {
    names.iter().try_fold(command, |command, name| {
        command.find_subcommand(name).ok_or_else(|| Error::input(format!("no command is called `{name}`")))
    })
}
