//! `plan install …` and `plan uninstall …`: set up other programs for `plan`, one file for each target.

mod ci;
mod git;
mod host;
mod scope;

use super::{Context, Exit};
use crate::error::Result;

/// Set up an agent's client, git's merge of plan.md, or a CI job that audits pull requests
///
/// Keeps everything else in the files it edits. Running it twice changes nothing.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    target: Target,
}

/// Remove the entries and files of `plan install`
///
/// Everything else in the files stays, byte for byte.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    #[command(subcommand)]
    target: UninstallTarget,
}

#[derive(Debug, clap::Subcommand)]
enum Target {
    /// Put the plan into every session of Claude Code
    ///
    /// Adds hooks to .claude/settings.json, the MCP server to .mcp.json, and a skill. In user scope it also adds a status line,
    /// if you have none.
    #[command(after_help = "Example:\n  plan install claude --print\n  plan install claude")]
    Claude(host::Args),
    /// Put the plan into every session of Codex
    ///
    /// Adds hooks to .codex/hooks.json and the MCP server to .codex/config.toml.
    #[command(after_help = "Example:\n  plan install codex --print\n  plan install codex")]
    Codex(host::Args),
    /// Put the plan into every session of pi
    ///
    /// Adds an extension to .pi/extensions and the MCP server to .pi/mcp.json.
    #[command(after_help = "Example:\n  plan install pi --print\n  plan install pi")]
    Pi(host::Args),
    /// Put the plan into every session of Gemini CLI
    ///
    /// Adds hooks and the MCP server to .gemini/settings.json, and a command to .gemini/commands.
    #[command(after_help = "Example:\n  plan install gemini --print\n  plan install gemini")]
    Gemini(host::Args),
    /// Put the plan into every session of opencode
    ///
    /// Adds a plugin and a command to .opencode, and the MCP server to opencode.json.
    #[command(after_help = "Example:\n  plan install opencode --print\n  plan install opencode")]
    Opencode(host::Args),
    /// Put the plan into every session of Qwen Code
    ///
    /// Adds hooks and the MCP server to .qwen/settings.json.
    #[command(after_help = "Example:\n  plan install qwen --print\n  plan install qwen")]
    Qwen(host::Args),
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
enum UninstallTarget {
    /// Remove the entries and files of `plan install claude`
    #[command(after_help = "Example:\n  plan uninstall claude")]
    Claude(host::RemoveArgs),
    /// Remove the entries and files of `plan install codex`
    #[command(after_help = "Example:\n  plan uninstall codex")]
    Codex(host::RemoveArgs),
    /// Remove the entries and files of `plan install pi`
    #[command(after_help = "Example:\n  plan uninstall pi")]
    Pi(host::RemoveArgs),
    /// Remove the entries and files of `plan install gemini`
    #[command(after_help = "Example:\n  plan uninstall gemini")]
    Gemini(host::RemoveArgs),
    /// Remove the entries and files of `plan install opencode`
    #[command(after_help = "Example:\n  plan uninstall opencode")]
    Opencode(host::RemoveArgs),
    /// Remove the entries and files of `plan install qwen`
    #[command(after_help = "Example:\n  plan uninstall qwen")]
    Qwen(host::RemoveArgs),
    /// Remove the merge driver and its line in .gitattributes
    #[command(after_help = "Example:\n  plan uninstall git")]
    Git(git::Args),
    Ci(ci::UninstallArgs),
}

/// Runs `plan install`.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        Target::Claude(args) => host::install(context, "claude", args),
        Target::Codex(args) => host::install(context, "codex", args),
        Target::Pi(args) => host::install(context, "pi", args),
        Target::Gemini(args) => host::install(context, "gemini", args),
        Target::Opencode(args) => host::install(context, "opencode", args),
        Target::Qwen(args) => host::install(context, "qwen", args),
        Target::Git(args) => git::install(context, args),
        Target::Ci(args) => ci::run(context, args),
    }
}

/// Runs `plan uninstall`.
pub fn remove(context: &Context, args: &Uninstall) -> Result<Exit> {
    context.refuse_inside_judge()?;
    match &args.target {
        UninstallTarget::Claude(args) => host::uninstall(context, "claude", args),
        UninstallTarget::Codex(args) => host::uninstall(context, "codex", args),
        UninstallTarget::Pi(args) => host::uninstall(context, "pi", args),
        UninstallTarget::Gemini(args) => host::uninstall(context, "gemini", args),
        UninstallTarget::Opencode(args) => host::uninstall(context, "opencode", args),
        UninstallTarget::Qwen(args) => host::uninstall(context, "qwen", args),
        UninstallTarget::Git(args) => git::uninstall(context, args),
        UninstallTarget::Ci(args) => ci::uninstall(context, args),
    }
}
