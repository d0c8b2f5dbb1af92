//! `plan install …` and `plan uninstall …`: one file a target.

mod ci;

use super::{Context, Exit};
use crate::error::{Error, Result};

/// Put plan to work: a CI job that audits pull requests
///
/// What is there already is kept; twice changes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan install ci --print")]
pub struct Args {
    #[command(subcommand)]
    target: Target,
}

/// Take away what `install` wrote, where it is unchanged
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan uninstall ci")]
pub struct UninstallArgs {
    #[command(subcommand)]
    target: Removal,
}

#[derive(Debug, clap::Subcommand)]
enum Target {
    Ci(ci::Args),
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Debug, clap::Subcommand)]
enum Removal {
    Ci(ci::UninstallArgs),
    #[command(external_subcommand)]
    Other(Vec<String>),
}

/// Installs one target.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.target {
        Target::Ci(args) => ci::run(context, args),
        Target::Other(words) => Err(unknown(words)),
    }
}

/// Removes one target.
pub fn uninstall(context: &Context, args: &UninstallArgs) -> Result<Exit> {
    match &args.target {
        Removal::Ci(args) => ci::uninstall(context, args),
        Removal::Other(words) => Err(unknown(words)),
    }
}

fn unknown(words: &[String]) -> Error {
    let name = words.first().map_or("", String::as_str);
    Error::input(format!("`{name}` is nothing that this version can install")).hint("known: ci")
}
