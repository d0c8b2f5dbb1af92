//! `plan completions`: a script with which the shell asks `plan` for completions, and the answers.
//!
//! The script calls `plan -- WORDS…` with `PLAN_COMPLETE` set to the shell's name. clap's engine completes commands and options; this
//! file adds the values that plan.md and `plan` know. An answer reads plan.md, writes nothing and starts no process. Every value
//! consists of characters that no shell expands: bash takes a candidate into the line as it is.

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
use crate::plan::lookup::Numbers;
use crate::plan::model::{GoalKind, Status};
use crate::plan::text::shortened;
use crate::plan::view::StatusFilter;
use crate::store;
use crate::ui::{Color, Ui, clean_line};

/// Names the shell that asks.
const VARIABLE: &str = "PLAN_COMPLETE";
/// Characters of a description that are shown.
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
    // bash's script alone lets an error of the program through to the line that is being typed.
    let script = String::from_utf8_lossy(&script)
        .replace("-- \"${words[@]}\" \\\n    ) )", "-- \"${words[@]}\" 2>/dev/null \\\n    ) )");
    context.ui.script("script", &script);
    Ok(Exit::Yes)
}

/// The answer to a shell's completion script, or `None` for any other call. Silent on any trouble: an error
/// would land in the line that is being typed.
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

/// `plan add` and `plan start` too ([`super::usage::whole`]).
fn with_short_commands(cli: Command) -> Command {
    let verb = |name: &str| cli.find_subcommand("goal").and_then(|goal| goal.find_subcommand(name)).cloned();
    let short: Vec<Command> = ["add", "start"].into_iter().filter_map(verb).collect();
    cli.subcommands(short)
}

/// `command` and all below it, each argument with the values that are known for it.
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

/// What an argument names, told by its name in the command line.
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
    /// What the shell shows beside it.
    help: String,
}

/// All values, read once.
#[derive(Debug)]
struct Values(HashMap<ValueKind, Vec<Value>>);

impl Values {
    /// Those of the plan that `words`, a command line, is about; of no plan where there is none that can be read.
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

    /// Those that begin with what was typed, in any case; goals by their subjects too.
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

/// The ids of goals, active ones first and archived ones last; the number in the list of one that has no id.
fn goals(plan: &Plan<'_>) -> Vec<Value> {
    let numbers = Numbers::new(plan);
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

/// The numbers of steps, open ones of active goals first; `<goal-id>.<position>` for a step without a number.
fn steps(plan: &Plan<'_>) -> Vec<Value> {
    let mut steps: Vec<_> = plan.all_steps().filter(|step| !step.goal().raw().archived).collect();
    steps.sort_by_key(|step| (step.raw().mark.is_settled(), step.goal().status() != Status::Active));
    let value = |step: &crate::plan::lookup::StepRef<'_, '_>| {
        let is_named = step.raw().number.is_some() || step.goal().id().is_some();
        is_named.then(|| Value { text: step.name(), help: shown(step.text()) })
    };
    steps.iter().filter_map(value).collect()
}

/// Text of a plan as a shell may show it.
fn shown(text: &str) -> String {
    shortened(&clean_line(text), WIDEST)
}

/// The paths whose names no shell expands: a repository chooses the names of its files.
fn plain_paths(typed: &OsStr) -> Vec<CompletionCandidate> {
    let is_plain = |path: &Path| {
        let text = path.to_str().unwrap_or("\0");
        text.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | '@' | '%'))
    };
    let mut found = PathCompleter::any().complete(typed);
    found.retain(|candidate| is_plain(Path::new(candidate.get_value())));
    found
}
