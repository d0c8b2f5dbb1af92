//! `plan install …` and `plan uninstall …`: set up other programs for `plan`, one file for each target.

mod ci;
mod git;
mod host;
mod scope;
mod target;

use target::InstallTarget;

use super::{Context, Exit};
use crate::error::Result;

/// Set up an agent's client, git's merge of plan.md, or a CI job that audits pull requests
///
/// Keeps everything else in the files it edits. Running it twice changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    target: InstallTarget<host::Args, Other>,
}

/// Remove the entries and files of `plan install`
///
/// Everything else in the files stays, byte for byte.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    #[command(subcommand)]
    target: InstallTarget<host::RemoveArgs, UninstallOther>,
}

/// The targets other than hosts.
#[derive(Debug, clap::Subcommand)]
enum Other {
    /// Let git merge plan.md by goals, steps and log
    ///
    /// Sets the merge driver in git's configuration and adds the .gitattributes line that selects it. Without them git merges
    /// plan.md as plain text.
    #[command(
        after_help = "Example:\n  plan install git\n  git add .gitattributes && git commit -m \"Merge plan.md with plan\""
    )]
    Git(git::Args),
    Ci(ci::Args),
}

#[derive(Debug, clap::Subcommand)]
enum UninstallOther {
    /// Remove the merge driver and its line in .gitattributes
    #[command(after_help = "Example:\n  plan uninstall git")]
    Git(git::Args),
    Ci(ci::UninstallArgs),
}

/// Runs `plan install`.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        InstallTarget::Host(host, args) => host::install(context, *host, args),
        InstallTarget::Other(Other::Git(args)) => git::install(context, args),
        InstallTarget::Other(Other::Ci(args)) => ci::run(context, args),
    }
}

/// Runs `plan uninstall`.
pub fn remove(context: &Context, args: &Uninstall) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        InstallTarget::Host(host, args) => host::uninstall(context, *host, args),
        InstallTarget::Other(UninstallOther::Git(args)) => git::uninstall(context, args),
        InstallTarget::Other(UninstallOther::Ci(args)) => ci::uninstall(context, args),
    }
}
