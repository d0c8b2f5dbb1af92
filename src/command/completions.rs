//! `plan completions`: prints a script with which the shell asks `plan` for completions, and answers that script.
//!
//! The script calls `plan -- WORDS…` with `PLAN_COMPLETE` set to the shell's name. clap's engine completes commands and options; this
//! file adds the values that plan.md and `plan` know. An answer reads plan.md, writes nothing and starts no process. A value has only
//! characters that no shell expands, because bash inserts a candidate into the line unchanged.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::Shells;

use super::{Context, Exit};
use crate::error::{Error, Result};
use crate::host;
use crate::plan::Plan;
use crate::plan::lookup::GoalNumbers;
use crate::plan::model::{GoalKind, Status};
use crate::plan::text::shortened;
use crate::plan::view::StatusFilter;
use crate::store;
use crate::ui::{Color, Ui, clean_line};

/// The environment variable that names the shell that asks.
const VARIABLE: &str = "PLAN_COMPLETE";
/// The maximum number of characters of a description.
const WIDEST: usize = 60;

/// Print a completion script for a shell
///
/// The script asks `plan` itself: it completes ids of goals, numbers of steps, judges, kinds and hosts too.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan completions bash > ~/.local/share/bash-completion/completions/plan\n  \
    plan completions zsh > ~/.zfunc/_plan\n  plan completions fish > ~/.config/fish/completions/plan.fish")]
pub struct Args {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Prints the script.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let mut script = Vec::new();
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(|| Error::input(format!("no completion for `{name}`")))?;
    shell
        .write_registration(VARIABLE, "plan", "plan", "plan", &mut script)
        .map_err(|error| Error::input(format!("cannot write the script: {error}")))?;
    // Only bash's script would print the program's errors into the line that is being typed.
    let script = String::from_utf8_lossy(&script)
        .replace("-- \"${words[@]}\" \\\n    ) )", "-- \"${words[@]}\" 2>/dev/null \\\n    ) )");
    context.ui.script("script", &script);
    Ok(Exit::Yes)
}

/// Answers a shell's completion script; returns `None` for any other call. Reports no error, because it would be
/// printed into the line that is being typed.
pub fn answer(arguments: &[OsString], cli: fn() -> Command) -> Option<ExitCode> {
    let [_, dashes, words @ ..] = arguments else { return None };
    if dashes != "--" {
        return None;
    }
    let shell = std::env::var_os(VARIABLE).filter(|shell| !shell.is_empty())?;
    let mut found = Vec::new();
    let shells = Shells::builtins();
    if let Some(shell) = shell.to_str().and_then(|name| shells.completer(name)).filter(|_| !words.is_empty()) {
        let mut command = with_values(with_short_commands(cli()), &Arc::new(Values::read(words)));
        let folder = std::env::current_dir().ok();
        if shell.write_complete(&mut command, words.to_vec(), folder.as_deref(), &mut found).is_err() {
            found.clear();
        }
    }
    let ui = Ui::new(false, Color::Never);
    ui.raw(&String::from_utf8_lossy(&found));
    ui.finish();
    Some(ExitCode::SUCCESS)
}

/// Adds the short commands `plan add` and `plan start` ([`super::usage::whole`]).
fn with_short_commands(cli: Command) -> Command {
    let verb = |name: &str| cli.find_subcommand("goal").and_then(|goal| goal.find_subcommand(name)).cloned();
    let short: Vec<Command> = ["add", "start"].into_iter().filter_map(verb).collect();
    cli.subcommands(short)
}

/// Adds the known values to each argument of `command` and of all its subcommands.
fn with_values(command: Command, values: &Arc<Values>) -> Command {
    let command = command.mut_args(|arg| {
        let is_path = arg.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
        match kind_of(&arg) {
            Some(kind) => {
                let values = Arc::clone(values);
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| values.of(kind, typed)))
            }
            None if is_path => arg.add(ArgValueCompleter::new(plain_paths)),
            None => arg,
        }
    });
    command.mut_subcommands(|command| with_values(command, values))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ValueKind {
    Goal,
    Step,
    Judge,
    KindOfGoal,
    Host,
    Status,
}

/// Returns the kind of value that an argument takes, derived from its name in the command line.
fn kind_of(arg: &clap::Arg) -> Option<ValueKind> {
    if arg.is_hide_set() {
        return None;
    }
    let is_reference = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "REF"));
    Some(match arg.get_id().as_str() {
        "id" if arg.is_positional() => ValueKind::Goal,
        "goal" | "goals" | "needs" => ValueKind::Goal,
        "step" | "next" | "after" => ValueKind::Step,
        "kind" => ValueKind::KindOfGoal,
        "host" | "with" => ValueKind::Host,
        "status" => ValueKind::Status,
        _ if is_reference => ValueKind::Judge,
        _ => return None,
    })
}

/// A value that a person may type.
#[derive(Debug)]
struct Value {
    text: String,
    /// The description that the shell shows beside it.
    help: String,
}

/// All values, read once.
#[derive(Debug)]
struct Values(HashMap<ValueKind, Vec<Value>>);

impl Values {
    /// Reads the values of the plan that the command line `words` is about. Without a readable plan, only the fixed values.
    fn read(words: &[OsString]) -> Self {
        let fixed = |words: Vec<&str>| {
            words.into_iter().map(|text| Value { text: text.to_owned(), help: String::new() }).collect()
        };
        let hosts: Vec<&str> = host::HOSTS.iter().map(|host| host.name()).collect();
        let mut values = HashMap::from([
            (ValueKind::Judge, fixed([hosts.clone(), vec!["checks", "human"]].concat())),
            (ValueKind::Host, fixed(hosts)),
            (ValueKind::KindOfGoal, fixed(GoalKind::ALL.iter().map(|kind| kind.word()).collect())),
            (ValueKind::Status, fixed(StatusFilter::WORDS.to_vec())),
        ]);
        let option = |name: &str| words.get(words.iter().position(|word| word == name)? + 1).map(PathBuf::from);
        let context = Context::new(Ui::new(false, Color::Never), option("-C"), option("--file"));
        let _ = context.place().and_then(|place| {
            let source = store::read(&place)?;
            let plan = place.parse(&source)?;
            values.insert(ValueKind::Goal, goals(&plan));
            values.insert(ValueKind::Step, steps(&plan));
            Ok(())
        });
        Values(values)
    }

    /// Returns the values that begin with `typed`, in any case; goals also match by their subjects.
    fn of(&self, kind: ValueKind, typed: &OsStr) -> Vec<CompletionCandidate> {
        let typed = typed.to_string_lossy().to_lowercase();
        let begins = |text: &str| text.to_lowercase().starts_with(&typed);
        let is_meant = |value: &&Value| begins(&value.text) || kind == ValueKind::Goal && begins(&value.help);
        let candidate = |value: &Value| {
            CompletionCandidate::new(&value.text)
                .help(Some(value.help.clone()).filter(|help| !help.is_empty()).map(Into::into))
        };
        self.0.get(&kind).into_iter().flatten().filter(is_meant).map(candidate).collect()
    }
}

/// Returns the ids of goals, active ones first and archived ones last. A goal without an id gives its number in the list.
fn goals(plan: &Plan<'_>) -> Vec<Value> {
    let numbers = GoalNumbers::new(plan);
    let mut goals: Vec<_> = plan.all_goals().collect();
    goals.sort_by_key(|goal| {
        let rank = match goal.status() {
            Status::Active => 0,
            Status::Open => 1,
            Status::Done => 2,
            Status::Cancelled => 3,
        };
        (goal.raw().archived, rank)
    });
    let value = |goal: crate::plan::model::GoalRef<'_, '_>| {
        let text = goal.id().map(str::to_owned).or_else(|| numbers.of(goal).map(|number| number.to_string()))?;
        Some(Value { text, help: shown(goal.subject()) })
    };
    goals.into_iter().filter_map(value).collect()
}

/// Returns the numbers of steps, open steps of active goals first; `<goal-id>.<position>` for a step without a number.
fn steps(plan: &Plan<'_>) -> Vec<Value> {
    let mut steps: Vec<_> = plan.all_steps().filter(|step| !step.goal().raw().archived).collect();
    steps.sort_by_key(|step| (step.raw().mark.is_settled(), step.goal().status() != Status::Active));
    let value = |step: &crate::plan::lookup::StepRef<'_, '_>| {
        let is_named = step.raw().number.is_some() || step.goal().id().is_some();
        is_named.then(|| Value { text: step.name(), help: shown(step.text()) })
    };
    steps.iter().filter_map(value).collect()
}

/// Returns a plan's text in the form that a shell may show.
fn shown(text: &str) -> String {
    shortened(&clean_line(text), WIDEST)
}

/// Completes paths whose names no shell expands; a repository can give its files any name.
fn plain_paths(typed: &OsStr) -> Vec<CompletionCandidate> {
    let is_plain = |path: &Path| {
        let text = path.to_str().unwrap_or("\0");
        text.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | '@' | '%'))
    };
    let mut found = PathCompleter::any().complete(typed);
    found.retain(|candidate| is_plain(Path::new(candidate.get_value())));
    found
}
