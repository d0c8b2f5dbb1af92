//! Guesses what a wrong call may have meant: the command for its goal, step or file.

use std::ffi::OsString;
use std::path::Path;

use crate::command::Context;
use crate::error::Error;
use crate::exchange;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules;
use crate::shell::quote;
use crate::store;

/// The maximum number of goals that a message names.
const SHOWN: usize = 10;

/// Returns the error for `plan done`, which may mean one of two commands: a step has a number, or a goal and a position.
pub(super) fn done(words: &[OsString]) -> Error {
    let words: Vec<String> = words.iter().map(|word| format!(" {}", quote(&word.to_string_lossy()))).collect();
    let (name, is_number) = (words.first().map_or("", String::as_str), |text: &str| text.trim().parse::<u32>().is_ok());
    let may_be_goal = !name.rsplit_once('.').is_some_and(|(_, position)| is_number(position));
    let may_be_step = !may_be_goal || name.is_empty() || is_number(name);
    let mut error = Error::input("`plan done` is not a command");
    if may_be_goal {
        error = error.hint(format!("`plan complete{name}` checks a goal and signs it off"));
    }
    if may_be_step {
        error = error.hint(format!("`plan step done{}` marks a step", words.concat()));
    }
    error
}

/// Returns the goals that a command without a goal may mean: open ones for a start, active ones for a check. A single
/// goal is named in the whole command.
pub(super) fn goals_meant(context: &Context, name: &str, arguments: &[OsString]) -> Option<String> {
    let (status, word) = match name {
        "plan goal start" => (Status::Open, "open"),
        "plan complete" | "plan verify" => (Status::Active, "active"),
        _ => return None,
    };
    of_plan(context, |plan| {
        let goals: Vec<_> = plan.live_goals().filter(|goal| goal.status() == status).map(GoalRef::typed).collect();
        match goals.as_slice() {
            [] => None,
            [goal] => Some(with_goal(arguments, name.rsplit(' ').next()?, goal)),
            several if several.len() > SHOWN => Some("`plan list` shows the goals".to_owned()),
            several => Some(format!("the {word} goals are {}", several.join(", "))),
        }
    })
}

/// Returns the command that shows the goal with this name: `plan 3` and `plan cache-1` are meant so.
pub(super) fn showing(context: &Context, word: &str) -> Option<String> {
    of_plan(context, |plan| plan.find_goal(word).is_ok().then(|| format!("`plan show {}`", quote(word))))
}

/// Passes the plan to `tell`; returns `None` if no plan can be read.
fn of_plan<T>(context: &Context, tell: impl FnOnce(&Plan<'_>) -> Option<T>) -> Option<T> {
    let place = context.find().ok()??;
    let source = store::read(&place).ok()?;
    tell(&place.parse(&source).ok()?)
}

/// Returns the whole command for `plan import FILE`, which leaves out the program that wrote the file.
pub(super) fn file_for_tool(context: &Context, file: &str) -> Option<String> {
    let bytes = context.read_named(Path::new(file)).ok()?;
    exchange::import_command(file, &String::from_utf8_lossy(&bytes))
}

/// Returns the error that a goal is archived already; `None` for any other goal.
pub(super) fn archived(context: &Context, name: &str) -> Option<Error> {
    of_plan(context, |plan| {
        let goal = plan.find_goal(name).ok().filter(|goal| goal.raw().archived)?;
        Some(Error::input(format!("`{}` is archived already", goal.name())).hint(rules::bring_back(goal)))
    })
}

/// Returns the caller's command line with the goal behind the verb: at the end, an option could take it as its value.
fn with_goal(arguments: &[OsString], verb: &str, goal: &str) -> String {
    let word = |word: &OsString| match word.to_string_lossy().split_once('=') {
        Some((option, value)) if option.starts_with("--") => format!("{option}={}", quote(value)),
        _ => quote(&word.to_string_lossy()),
    };
    let mut words: Vec<_> = arguments.iter().skip(1).map(word).collect();
    let behind = words.iter().position(|word| word == verb).map_or(0, |at| at + 1);
    words.insert(behind, goal.to_owned());
    format!("plan {}", words.join(" "))
}
