//! `plan goal …`: the goals of a plan.

mod add;
mod cancel;
mod list;
mod remove;
mod set;
mod start;

use super::{Context, Exit};
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::plan::model::Key;
use crate::signoff::advice;

/// Add, start, change, remove, cancel and list goals
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Add(add::Args),
    Start(start::Args),
    Set(set::Args),
    Remove(remove::Args),
    Cancel(cancel::Args),
    List(list::Args),
}

/// Runs the given command.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.verb {
        Verb::Add(args) => add::run(context, args),
        Verb::Start(args) => start::run(context, args),
        Verb::Set(args) => set::run(context, args),
        Verb::Remove(args) => remove::run(context, args),
        Verb::Cancel(args) => cancel::run(context, args),
        Verb::List(args) => list::run(context, args),
    }
}

/// Returns the ids of the goals that `--needs` names, because plan.md names a goal by its whole id.
fn ids_of(plan: &Plan<'_>, names: &[String]) -> Result<Vec<String>> {
    let id = |name: &String| {
        let goal = plan
            .find_goal(name)
            .map_err(|error| Error { message: format!("`--needs`: {}", error.message), ..error })?;
        let id = goal.id().map(str::to_owned);
        id.ok_or_else(|| {
            Error::input(format!("`--needs {name}`: this goal has no id")).hint("`plan lint --fix` gives it one")
        })
    };
    names.iter().map(id).collect()
}

/// Refuses a glob that the plan would read as several, because white space and commas separate globs there.
fn refuse_split_globs(globs: &[String]) -> Result<()> {
    let is_split = |glob: &&String| glob.split(',').any(|part| part.trim().contains(char::is_whitespace));
    globs.iter().find(is_split).map_or(Ok(()), |glob| {
        let fit: String = glob.trim().chars().map(|c| if c.is_whitespace() { '?' } else { c }).collect();
        Err(Error::input(format!("`--may-change {glob:?}`: a space ends a glob, so that this would be several"))
            .hint(format!("`?` stands for any character: `{fit}`; or give `--may-change` once for each glob")))
    })
}

/// Returns the line with the command that adds what a goal lacks. Without a criterion, its subject is what must be true.
fn needed(command: &str, lacking: &[Key]) -> String {
    let why = if lacking.contains(&Key::Verify) { "needed before a sign-off" } else { "missing" };
    let filling = advice::to_fill_in(command).map(|filling| format!(" ({filling})")).unwrap_or_default();
    format!("{why}{filling}: {command}")
}
