//! `plan install …` and `plan uninstall …`: what other programs need to know of `plan`, one file a target.

mod ci;
mod git;
mod host;
mod program;
mod scope;

use super::{Context, Exit};
use crate::error::Result;

/// Set up an agent's client, git's merges of plan.md, or a CI job that audits pull requests
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
    target: UninstallTarget,
}

#[derive(Debug, clap::Subcommand)]
enum Target {
    /// Show Claude Code the plan, and hold it to it
    ///
    /// Hooks in .claude/settings.json, the MCP server in .mcp.json, a skill; in user scope a status line where there is none.
    #[command(after_help = "Example:\n  plan install claude --print\n  plan install claude")]
    Claude(host::Args),
    /// Show Codex the plan, and hold it to it
    ///
    /// Hooks in .codex/hooks.json, the MCP server in .codex/config.toml.
    #[command(after_help = "Example:\n  plan install codex --print\n  plan install codex")]
    Codex(host::Args),
    /// Show pi the plan, and hold it to it
    ///
    /// An extension in .pi/extensions, the MCP server in .pi/mcp.json.
    #[command(after_help = "Example:\n  plan install pi --print\n  plan install pi")]
    Pi(host::Args),
    /// Show Gemini CLI the plan, and hold it to it
    ///
    /// Hooks and the MCP server in .gemini/settings.json, a command in .gemini/commands.
    #[command(after_help = "Example:\n  plan install gemini --print\n  plan install gemini")]
    Gemini(host::Args),
    /// Show opencode the plan, and hold it to it
    ///
    /// A plugin and a command in .opencode, the MCP server in opencode.json.
    #[command(after_help = "Example:\n  plan install opencode --print\n  plan install opencode")]
    Opencode(host::Args),
    /// Show Qwen Code the plan, and hold it to it
    ///
    /// Hooks and the MCP server in .qwen/settings.json.
    #[command(after_help = "Example:\n  plan install qwen --print\n  plan install qwen")]
    Qwen(host::Args),
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
enum UninstallTarget {
    /// Take out what `install claude` put in
    #[command(after_help = "Example:\n  plan uninstall claude")]
    Claude(host::RemoveArgs),
    /// Take out what `install codex` put in
    #[command(after_help = "Example:\n  plan uninstall codex")]
    Codex(host::RemoveArgs),
    /// Take out what `install pi` put in
    #[command(after_help = "Example:\n  plan uninstall pi")]
    Pi(host::RemoveArgs),
    /// Take out what `install gemini` put in
    #[command(after_help = "Example:\n  plan uninstall gemini")]
    Gemini(host::RemoveArgs),
    /// Take out what `install opencode` put in
    #[command(after_help = "Example:\n  plan uninstall opencode")]
    Opencode(host::RemoveArgs),
    /// Take out what `install qwen` put in
    #[command(after_help = "Example:\n  plan uninstall qwen")]
    Qwen(host::RemoveArgs),
    /// Remove the merge driver and its line in .gitattributes
    #[command(after_help = "Example:\n  plan uninstall git")]
    Git(git::Args),
    Ci(ci::UninstallArgs),
}

/// Puts it in.
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

/// Takes it out.
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
