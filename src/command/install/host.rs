//! Installs and uninstalls a coding agent's hooks, MCP entry and skill, in its own settings files.

use std::path::{Path, PathBuf};

use clap::Command;
use serde_json::json;
use similar::TextDiff;

use super::scope::ScopeOption;
use super::target::HostArgs;
use crate::command::{Context, Exit};
use crate::config;
use crate::error::Result;
use crate::host::Host;
use crate::host::setup::{Allow, SetupRequest};
use crate::prompt::Prompt;
use crate::settings::{self, FileChange, FileOutcome, FollowUp, InstallPlan, program};
use crate::shell::quote;
use crate::store::Place;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Whose settings: this repository's, or yours for all repositories
    #[arg(long, value_enum, default_value_t)]
    scope: ScopeOption,
    /// Show what would change, file by file, and write nothing
    #[arg(long)]
    print: bool,
    /// Let the agent run `plan` commands without asking, also those that run other programs. Through a goal's verify it can then run
    /// any command
    #[arg(long)]
    allow: bool,
    /// Remove comments and trailing commas that the client cannot read from its settings; uninstall restores them
    #[arg(long)]
    remove_comments: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct RemoveArgs {
    /// Whose settings: this repository's, or yours for all repositories
    #[arg(long, value_enum, default_value_t)]
    scope: ScopeOption,
    /// Show what would change, file by file, and write nothing
    #[arg(long)]
    print: bool,
}

impl HostArgs for Args {
    fn described(command: Command, host: &dyn Host) -> Command {
        let (name, about) =
            (host.name(), format!("Put the plan into every {} session in this repository", host.title()));
        let example = format!("Example:\n  plan install {name} --print\n  plan install {name}");
        command.long_about(format!("{about}\n\n{}", host.setup().adds())).about(about).after_help(example)
    }
}

impl HostArgs for RemoveArgs {
    fn described(command: Command, host: &dyn Host) -> Command {
        let name = host.name();
        let about = format!("Remove the entries and files of `plan install {name}`");
        command.about(about).after_help(format!("Example:\n  plan uninstall {name}"))
    }
}

/// Installs the client's pieces.
pub(super) fn install(context: &Context, client: &dyn Host, args: &Args) -> Result<Exit> {
    let (host, place) = (client.name(), place(context)?);
    let top = top(&place);
    let (program, guide) = (program::name(top)?, guide()?);
    let shell = quote(&program);
    let allow = if args.allow { Allow::All } else { Allow::Harmless };
    let request = SetupRequest {
        scope: args.scope.of_setup(),
        program: &program,
        shell: &shell,
        guide: &guide,
        allow,
        remove_comments: args.remove_comments,
    };
    let plan = settings::install(client, &request, &place, &variable)?;
    let mut body = body(&plan, host, args.scope, args.print);
    body["program"] = program.as_str().into();
    if args.print {
        print(context, &plan);
        context.ui.json(&body);
        return Ok(Exit::Yes);
    }
    let names = lines(context, &plan);
    let is_as_written = plan.files.iter().all(|file| file.outcome == FileOutcome::Unchanged);
    let stays = plan.files.iter().any(|file| file.outcome == FileOutcome::Edited);
    if let Some(error) = plan.install()? {
        let why = error.message;
        context.ui.note(&format!(
            "note: no install record was written ({why}): uninstall will find the entries by their content"
        ));
    }
    names.iter().for_each(|line| context.ui.line(line));
    if is_as_written {
        context.ui.line(&format!("nothing to do: {host} is already set up"));
    }
    if stays {
        let scope = if args.scope == ScopeOption::User { " --scope user" } else { "" };
        context.ui.line(&format!("to replace a kept file, delete it and run `plan install {host}{scope}` again"));
    }
    if program != "plan" {
        context.ui.line(&format!("the settings call {program}, because `plan` on PATH is not this program"));
    }
    let left = settings::follow_ups(client, &request, top, &variable);
    print_follow_ups(context, &left);
    let item = |left: &FollowUp| json!({ "say": left.say, "certain": left.is_certain });
    body["left"] = left.iter().map(item).collect();
    context.ui.json(&body);
    Ok(Exit::Yes)
}

/// Uninstalls the client's pieces.
pub(super) fn uninstall(context: &Context, client: &dyn Host, args: &RemoveArgs) -> Result<Exit> {
    let (host, place) = (client.name(), place(context)?);
    let guide = guide()?;
    // The entries of `plan` are found by their call, whatever program they name.
    let request = SetupRequest {
        scope: args.scope.of_setup(),
        program: "plan",
        shell: "plan",
        guide: &guide,
        allow: Allow::Either,
        remove_comments: false,
    };
    let plan = settings::uninstall(client, &request, &place, &variable)?;
    let body = body(&plan, host, args.scope, args.print);
    let copies = copies(context, &plan);
    if args.print {
        print(context, &plan);
        copies.iter().for_each(|line| context.ui.line(line));
        context.ui.json(&body);
        return Ok(Exit::Yes);
    }
    let mut names = lines(context, &plan);
    names.extend(plan.files.iter().filter(|file| file.keeps).map(|file| {
        let shown = context.shown(&file.path);
        format!("{shown} keeps the entries that called `plan` before the install; `plan uninstall {host}` once more removes them too")
    }));
    let kept = plan.files.iter().any(|file| file.outcome == FileOutcome::Edited);
    plan.uninstall()?;
    if names.is_empty() {
        context.ui.line("nothing to remove");
    }
    names.iter().chain(&copies).for_each(|line| context.ui.line(line));
    context.ui.json(&body);
    Ok(if kept { Exit::No } else { Exit::Yes })
}

fn place(context: &Context) -> Result<Place> {
    match context.find()? {
        Some(place) => Ok(place),
        None => context.new_place(),
    }
}

fn top(place: &Place) -> &Path {
    place.top.as_deref().unwrap_or(&place.root)
}

fn guide() -> Result<String> {
    let other = config::prompt_override(Prompt::AgentGuide.file_name())?;
    Prompt::AgentGuide.fill(other.as_deref(), &[])
}

fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// One line for each file that changes or is kept.
fn lines(context: &Context, plan: &InstallPlan) -> Vec<String> {
    let line = |file: &FileChange| {
        let shown = context.shown(&file.path);
        match file.outcome {
            FileOutcome::Unchanged => None,
            FileOutcome::Edited => Some(format!("kept {shown}: it was edited, or another version of `plan` wrote it")),
            outcome => Some(format!("{} {shown}", outcome.word())),
        }
    };
    plan.files.iter().filter_map(line).collect()
}

/// One line for each copy that an uninstall leaves.
fn copies(context: &Context, plan: &InstallPlan) -> Vec<String> {
    let line = |(file, copy): (&FileChange, &PathBuf)| {
        let (file, copy) = (context.shown(&file.path), context.shown(copy));
        format!(
            "{file} was edited since, so what `--remove-comments` removed was not put back: {copy} is the file with it"
        )
    };
    plan.files.iter().flat_map(|file| file.copies.iter().map(move |copy| (file, copy))).map(line).collect()
}

fn print_follow_ups(context: &Context, left: &[FollowUp]) {
    let (standing, todo): (Vec<&FollowUp>, Vec<&FollowUp>) = left.iter().partition(|left| left.is_standing);
    if !todo.is_empty() {
        context.ui.line("left to do:");
    }
    todo.iter().for_each(|left| context.ui.line(&format!("- {}", left.say)));
    standing.iter().for_each(|left| context.ui.line(&format!("note: {}", left.say)));
}

fn body(plan: &InstallPlan, host: &str, scope: ScopeOption, print: bool) -> serde_json::Value {
    let file = |file: &FileChange| {
        let mut entry = json!({ "path": file.path.to_string_lossy(), "outcome": file.outcome.word() });
        if !file.copies.is_empty() {
            entry["copies"] = file.copies.iter().map(|copy| copy.to_string_lossy()).collect();
        }
        if print {
            entry["diff"] = diff(file).into();
        }
        entry
    };
    json!({ "host": host, "scope": scope.word(), "files": plan.files.iter().map(file).collect::<Vec<_>>() })
}

/// Prints the changes as a patch, file by file.
fn print(context: &Context, plan: &InstallPlan) {
    let diffs: String = plan.files.iter().map(diff).collect();
    match diffs.trim_end() {
        "" => context.ui.line("nothing would change"),
        diffs => context.ui.line(diffs),
    }
}

fn diff(file: &FileChange) -> String {
    let (before, after) = (file.before().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let path = file.path.to_string_lossy();
    let name = |there: bool| if there { &*path } else { "/dev/null" };
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(3).header(name(file.before().is_some()), name(file.after.is_some())).to_string()
}
