//! `plan man`: the manual page.

use std::ffi::OsStr;

use clap::Command;

use super::{Context, Exit};
use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};
use crate::process::attached::attached;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;

/// Show the manual page, or that of one command
///
/// On a terminal `man` shows it. Into a pipe or a file it is roff.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan man complete\n  plan man > plan.1")]
pub struct Args {
    /// The command, such as `complete` or `goal add`.
    #[arg(num_args = 0..)]
    command: Vec<String>,
}

/// Shows the page of the whole command line, or of one command of it.
pub fn run(context: &Context, args: &Args, mut cli: Command) -> Result<Exit> {
    cli.build();
    let name = std::iter::once("plan").chain(args.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let command = find(&cli, &args.command)?.clone();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(&name)
        .render(&mut page)
        .map_err(|error| Error::input(format!("cannot write the page: {error}")))?;
    if !context.ui.is_attached() {
        context.ui.script("man", &String::from_utf8_lossy(&page));
        return Ok(Exit::Yes);
    }
    if resolve(OsStr::new("man"), &context.cwd, &Environment::inherited()).is_err() {
        context.ui.note("`man` is not installed; this is the help");
        context.ui.line(&command.clone().render_long_help().to_string());
        return Ok(Exit::Yes);
    }
    show(context, &name, &page)
}

/// Hands the page to `man`, which takes a name with a slash for a file.
fn show(context: &Context, name: &str, page: &[u8]) -> Result<Exit> {
    let failed = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot make a folder: {error}"));
    let folder = Temporary::make("plan-man-").map_err(failed)?;
    let file = folder.folder().join(format!("{name}.1"));
    std::fs::write(&file, page).map_err(failed)?;
    context.ui.flush();
    attached(OsStr::new("man"), &[file], folder.folder(), &Environment::inherited())?;
    Ok(Exit::Yes)
}

fn find<'c>(command: &'c Command, names: &[String]) -> Result<&'c Command> {
    names.iter().try_fold(command, |command, name| {
        command.find_subcommand(name).ok_or_else(|| Error::input(format!("no command is called `{name}`")))
    })
}
