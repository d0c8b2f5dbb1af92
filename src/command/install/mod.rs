//! `plan install …` and `plan uninstall …`: what other programs need to know of `plan`, one file a target.

mod ci;
mod git;

use super::{Context, Exit};
use crate::error::Result;

/// Set up git to merge plan.md by what it means, or a CI job that audits pull requests
///
/// Keeps everything else that is there; twice changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    target: Target,
}

/// Take out what `install` put in
///
/// What else is there stays, byte for byte.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    #[command(subcommand)]
    target: Removed,
}

#[derive(Debug, clap::Subcommand)]
enum Target {
    /// Have git merge plan.md by its goals, steps and log
    ///
    /// Sets the merge driver in git's configuration and adds the line in .gitattributes that asks for it. Without it git
    /// merges plan.md as plain text.
    #[command(
        after_help = "Example:\n  plan install git\n  git add .gitattributes && git commit -m \"Merge plan.md with plan\""
    )]
    Git(git::Args),
    Ci(ci::Args),
}

#[derive(Debug, clap::Subcommand)]
enum Removed {
    /// Remove the merge driver and its line in .gitattributes
    #[command(after_help = "Example:\n  plan uninstall git")]
    Git(git::Args),
    Ci(ci::UninstallArgs),
}

/// Puts it in.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        Target::Git(args) => git::install(context, args),
        Target::Ci(args) => ci::run(context, args),
    }
}

/// Takes it out.
pub fn remove(context: &Context, args: &Uninstall) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        Removed::Git(args) => git::uninstall(context, args),
        Removed::Ci(args) => ci::uninstall(context, args),
    }
}
