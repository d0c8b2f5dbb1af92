//! A command that a person sees and agrees to before it runs, without a shell: that of a step, or of a planner's reply.

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

/// The longest text beside a command, in bytes.
const BESIDE: usize = 200;
/// Commands that an import names at most.
const NAMED: usize = 12;

/// A command as it is run.
///
/// # Errors
/// [`Kind::Input`]: it needs a shell, or it holds what a terminal does not show, so that nobody could agree to it.
pub(super) fn line(command: &str) -> Result<CommandLine> {
    if let Some(why) = unseen(command) {
        return Err(Error::input(format!("the command {why}")).hint("put it into a script and name the script"));
    }
    CommandLine::read(command)
}

/// What a person is shown of a step (S-6): `Step 3: load test`, why, and the command. The command stands last, and nothing else can look
/// like it: the other texts are short, and white space in them is folded.
pub(super) fn shown(title: &str, description: Option<&str>, command: Option<&str>) -> String {
    let folded = |text: &str| cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), BESIDE);
    let indent = if title.is_empty() { "" } else { "  " };
    let mut lines: Vec<String> = Some(folded(title)).filter(|title| !title.is_empty()).into_iter().collect();
    lines.extend(description.map(|text| format!("{indent}why: {}", folded(text))));
    lines.extend(command.map(|command| format!("{indent}run: {command}")));
    lines.join("\n")
}

/// Shows a command as [`shown`] does, and where it runs if that is not where the person is.
pub(super) fn show(context: &Context, place: &Place, title: &str, description: Option<&str>, command: &str) {
    let folder = |path: &Path| path.canonicalize().ok();
    if folder(&context.cwd) != folder(&place.root) {
        context.ui.note(&format!("in the folder of plan.md, {}", place.root.display()));
    }
    context.ui.note(&shown(title, description, Some(command)));
}

/// Runs a line in the plan's root, within the limit of a verify.
///
/// # Errors
/// As [`stage1::run`].
pub(super) fn run(context: &Context, place: &Place, plan: &Plan<'_>, line: &CommandLine) -> Result<Report> {
    let limits = stage1::Limits::of(Some(plan), &config::load()?, None);
    stage1::run(line, &stage1::RunContext { root: &place.root, log: None, limit: limits.verify }, &context.ui)
}

/// Refuses where nobody can be asked. `what` asks; `command` is what a person types.
pub(super) fn needs_terminal(context: &Context, what: &str, command: &str) -> Result<()> {
    if context.ui.can_ask() {
        return Ok(());
    }
    Err(Error::new(Kind::Refused, format!("{what}, and there is no terminal"))
        .hint(format!("run it in a terminal: `{command}`")))
}

/// The commands of a list that `plan step run` will refuse, each with the step and the reason, a line each.
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
