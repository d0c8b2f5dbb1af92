//! `plan man`: shows the manual page.

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
/// On a terminal, `man` shows the page. In a pipe or a file, it is roff text.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan man complete\n  plan man > plan.1")]
pub struct Args {
    /// The command, such as `complete` or `goal add`.
    #[arg(num_args = 0..)]
    command: Vec<String>,
}

/// Shows the page of the whole command line, or of one command.
pub fn run(context: &Context, args: &Args, mut cli: Command) -> Result<Exit> {
    cli.build();
    let words = words(&args.command);
    let name = std::iter::once("plan").chain(words.iter().copied()).collect::<Vec<_>>().join("-");
    let command = find(&cli, &words)?.clone().mut_args(|arg| arg.hide_short_help(false).hide_long_help(false));
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

/// Returns the words of a command. A page is named with hyphens, so `goal-add` is `goal add`; no command has a hyphen in its name.
fn words(given: &[String]) -> Vec<&str> {
    let words: Vec<&str> = given.iter().flat_map(|word| word.split('-')).filter(|word| !word.is_empty()).collect();
    if words.len() > 1 && words[0] == "plan" { words[1..].to_vec() } else { words }
}

fn find<'c>(command: &'c Command, names: &[&str]) -> Result<&'c Command> {
    names.iter().try_fold(command, |command, name| {
        let unknown =
            || Error::input(format!("no command is called `{name}`")).hint("`plan --help` lists the commands");
        command.find_subcommand(name).ok_or_else(unknown)
    })
}
