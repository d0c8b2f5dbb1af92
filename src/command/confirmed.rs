//! A command of a step or of a planner's reply: a person sees it and agrees before it runs, without a shell.

use std::path::Path;

use super::Context;
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::exchange::TaskList;
use crate::exchange::planner::unseen;
use crate::plan::Plan;
use crate::plan::text::{cut, one_line};
use crate::shell::strict;
use crate::store::Place;
use crate::verify::stage1::{self, CommandLine, Report};

/// The maximum length of a text beside a command, in bytes.
const BESIDE: usize = 200;
/// The maximum number of commands that an import lists.
const NAMED: usize = 12;

/// Parses a command into the form in which it runs.
///
/// # Errors
/// [`Kind::Input`]: it needs a shell, or it holds text that a terminal does not show, so that nobody could agree to it.
pub(super) fn line(command: &str) -> Result<CommandLine> {
    if let Some(why) = unseen(command) {
        return Err(Error::input(format!("the command {why}")).hint("put it into a script and name the script"));
    }
    CommandLine::read(command)
}

/// Returns the text that a person sees of a step (S-6): `Step 3: load test`, the reason, and the command. The command
/// comes last. No other text can look like it, because the other texts are short and their white space is folded.
pub(super) fn shown(title: &str, description: Option<&str>, command: Option<&str>) -> String {
    let folded = |text: &str| cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), BESIDE);
    let indent = if title.is_empty() { "" } else { "  " };
    let mut lines: Vec<String> = Some(folded(title)).filter(|title| !title.is_empty()).into_iter().collect();
    lines.extend(description.map(|text| format!("{indent}why: {}", folded(text))));
    lines.extend(command.map(|command| format!("{indent}run: {command}")));
    lines.join("\n")
}

/// Shows a command as [`shown`] does, and the folder it runs in if the caller is in another one.
pub(super) fn show(context: &Context, place: &Place, title: &str, description: Option<&str>, command: &str) {
    let folder = |path: &Path| path.canonicalize().ok();
    if folder(&context.cwd) != folder(&place.root) {
        context.ui.note(&format!("in the folder of plan.md, {}", place.root.display()));
    }
    context.ui.note(&shown(title, description, Some(command)));
}

/// Runs a command line in the plan's root, within the time limit of a verify.
///
/// # Errors
/// As [`stage1::run`].
pub(super) fn run(context: &Context, place: &Place, plan: &Plan<'_>, line: &CommandLine) -> Result<Report> {
    let limits = stage1::TimeLimits::of(Some(plan), &config::load()?, None);
    stage1::run(line, &stage1::RunContext { root: &place.root, log: None, limit: limits.verify }, &context.ui)
}

/// Refuses if nobody can be asked. `what` begins the message; `command` is the line for the person to type.
pub(super) fn needs_terminal(context: &Context, what: &str, command: &str) -> Result<()> {
    if context.ui.can_ask() {
        return Ok(());
    }
    Err(Error::new(Kind::Refused, format!("{what}, and there is no terminal"))
        .hint(format!("run it in a terminal: `{command}`")))
}

/// Returns a line for each command of a list that `plan step run` will refuse, with the step and the reason.
pub(super) fn shell_needing(list: &TaskList) -> Vec<String> {
    let steps = list.tasks.iter().flat_map(|task| &task.steps);
    let refused = steps.filter_map(|step| {
        let command = step.run.as_deref()?;
        let why = unseen(command).or_else(|| strict::split(command).err().map(|error| error.to_string()))?;
        let (name, text) = (cut(&one_line(&step.id), BESIDE), cut(&one_line(&step.text), BESIDE));
        Some(format!("the command of step {name} ({text}) will be refused when it is run: {why}"))
    });
    let mut all: Vec<String> = refused.collect();
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    if more > 0 {
        all.push(format!("{more} more commands will be refused when they are run"));
    }
    all
}
