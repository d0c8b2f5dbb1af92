//! `plan step add|set|move|remove`: changes the steps of a goal.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::{self, Change};
use crate::plan::{Plan, rules, text};
use crate::process::words;

/// Add a step to the end of a goal
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step add cache-layer-1 \"load test\" --run \"python bench/load.py\"")]
pub(super) struct AddArgs {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    goal: String,
    /// The task in one line; needs no quotes.
    #[arg(required = true)]
    text: Vec<String>,
    /// Numbers of steps that come first.
    #[arg(long, value_delimiter = ',', value_name = "N")]
    after: Vec<u32>,
    /// The command that does it, for `plan step run`.
    #[arg(long, value_name = "CMD")]
    run: Option<String>,
}

pub(super) fn add(context: &Context, args: &AddArgs) -> Result<Exit> {
    let place = context.writable()?;
    let text = wanted(&args.text)?;
    if let Some(command) = &args.run {
        words::split(command).map_err(|error| Error::input(format!("`--run`: {error}")))?;
    }
    let (mut goal_name, mut number) = (String::new(), 0);
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let goal = plan.find_goal(&args.goal)?;
        if let Some(unknown) =
            args.after.iter().find(|after| !plan.steps.iter().any(|step| step.number == Some(**after)))
        {
            return Err(Error::input(format!("`--after {unknown}`: no step has this number"))
                .hint("`plan show` lists the steps"));
        }
        goal_name = goal.name().to_owned();
        number = change::next_number(plan);
        Ok(vec![Change::AddStep {
            goal: goal.index(),
            text: text.clone(),
            after: args.after.clone(),
            run: args.run.clone(),
        }])
    })?;
    let name = number.to_string();
    context.ui.line(&format!("added step {name}: {text}"));
    context.ui.json(&json!({ "step": name, "goal": goal_name, "text": text }));
    Ok(Exit::Yes)
}

/// Change a step's text
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step set 3 \"load test with 200 clients\"")]
pub(super) struct SetArgs {
    /// The step's number, or goal and position.
    step: String,
    /// The new text in one line; needs no quotes.
    #[arg(required = true)]
    text: Vec<String>,
}

pub(super) fn set(context: &Context, args: &SetArgs) -> Result<Exit> {
    let text = wanted(&args.text)?;
    let name = one(context, &args.step, |_, step| vec![Change::SetStepText { step, text: text.clone() }])?;
    context.ui.line(&format!("step {name}: {text}"));
    context.ui.json(&json!({ "step": name, "text": text }));
    Ok(Exit::Yes)
}

/// Move a step to another goal, or to another place in its own
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step move 3 docs-1 --at 1")]
pub(super) struct MoveArgs {
    /// The step's number, or goal and position.
    step: String,
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    goal: String,
    /// The place among the goal's steps, from 1; else the last.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    at: Option<u32>,
}

pub(super) fn shift(context: &Context, args: &MoveArgs) -> Result<Exit> {
    let place = context.writable()?;
    let (mut name, mut goal_name) = (String::new(), String::new());
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let (step, goal) = (plan.find_step(&args.step)?.index(), plan.find_goal(&args.goal)?);
        name = super::name(plan, step);
        goal_name = goal.name().to_owned();
        Ok(vec![Change::MoveStep { step, goal: goal.index(), at: args.at.map(|at| at as usize) }])
    })?;
    context.ui.line(&format!("moved step {name} to {goal_name}"));
    context.ui.json(&json!({ "step": name, "goal": goal_name }));
    Ok(Exit::Yes)
}

/// Remove a step
///
/// Its number is never reused; where nothing else mentions it, the log does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step remove 3")]
pub(super) struct RemoveArgs {
    /// The step's number, or goal and position.
    step: String,
}

pub(super) fn remove(context: &Context, args: &RemoveArgs) -> Result<Exit> {
    let stamp = config::stamp()?;
    let mut below = 0;
    let name = one(context, &args.step, |plan, step| {
        let hanging = plan.steps.get(step).map(|raw| raw.line.end as usize..raw.end as usize).unwrap_or_default();
        below = plan.source[hanging].split_inclusive(|byte| *byte == b'\n').count();
        let text = change::removal_line(plan, step..step + 1);
        let log = text.map(|text| Change::AppendLog { stamp: stamp.clone(), text });
        std::iter::once(Change::RemoveStep { step }).chain(log).collect()
    })?;
    let with = match below {
        0 => String::new(),
        1 => " and the line that hung on it".to_owned(),
        _ => format!(" and the {below} lines below it"),
    };
    context.ui.line(&format!("removed step {name}{with}"));
    context.ui.json(&json!({ "removed": name, "lines_below": below }));
    Ok(Exit::Yes)
}

/// What changes one step; returns the step's name as it was before.
fn one(context: &Context, step: &str, mut changes: impl FnMut(&Plan<'_>, usize) -> Vec<Change>) -> Result<String> {
    let place = context.writable()?;
    let mut name = String::new();
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let step = plan.find_step(step)?.index();
        name = super::name(plan, step);
        Ok(changes(plan, step))
    })?;
    Ok(name)
}

fn wanted(given: &[String]) -> Result<String> {
    let text = text::one_line(&given.join(" "));
    if text.is_empty() { Err(Error::input("expected a text for the step, found none")) } else { Ok(text) }
}
