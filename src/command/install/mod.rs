//! `plan install …` and `plan uninstall …`: what other programs need to know of `plan`.

mod git;

use super::{Context, Exit};
use crate::error::Result;

/// Set up git to merge plan.md by what it means
///
/// Keeps everything else that is there; twice changes nothing. Without it git merges plan.md as plain text.
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
    /// The merge driver in git's configuration, and the line in .gitattributes that asks for it
    #[command(
        after_help = "Example:\n  plan install git\n  git add .gitattributes && git commit -m \"Merge plan.md with plan\""
    )]
    Git(git::Args),
}

#[derive(Debug, clap::Subcommand)]
enum Removed {
    /// The merge driver and its line in .gitattributes
    #[command(after_help = "Example:\n  plan uninstall git")]
    Git(git::Args),
}

/// Puts it in.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        Target::Git(args) => git::install(context, args),
    }
}

/// Takes it out.
pub fn remove(context: &Context, args: &Uninstall) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        Removed::Git(args) => git::uninstall(context, args),
    }
}
