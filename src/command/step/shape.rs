//! `plan step add|set|move|remove`: changes the steps of a goal.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::{self, Change};
use crate::plan::model::GoalRef;
use crate::plan::rules::{self, PlanRequest, PlanState};
use crate::plan::{Plan, text};
use crate::shell::strict;
use crate::store::Place;

/// Add a step to the end of a goal
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step add cache-layer-1 \"load test\" --run \"python bench/load.py\"")]
pub(super) struct AddArgs {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    goal: String,
    /// The task in one line; needs no quotes.
    #[arg(required = true)]
    text: Vec<String>,
    /// Numbers of steps that come first, joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "N")]
    after: Vec<u32>,
    /// The command that does it, for `plan step run`.
    #[arg(long, value_name = "CMD")]
    run: Option<String>,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn add(context: &Context, args: &AddArgs) -> Result<Exit> {
    let place = context.writable()?;
    let text = wanted(&args.text)?;
    if let Some(command) = &args.run {
        strict::split(command).map_err(|error| Error::input(format!("`--run`: {error}")))?;
    }
    let (mut goal_name, mut number) = (String::new(), 0);
    shaped(context, &place, args.because.as_deref(), |plan| {
        let goal = open(plan, &args.goal)?;
        known(plan, &args.after)?;
        goal_name = goal.name().to_owned();
        number = change::next_number(plan);
        Ok(vec![Change::AddStep {
            goal: goal.index(),
            text: text.clone(),
            after: args.after.clone(),
            run: args.run.clone(),
            note: None,
        }])
    })?;
    let name = number.to_string();
    context.ui.line(&format!("added step {name}: {text}"));
    context.note_plain_options(&name, &text);
    context.ui.json(&json!({ "step": name, "goal": goal_name, "text": text }));
    Ok(Exit::Yes)
}

/// Change a step's text, its command, or the steps that come first
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step set 3 \"load test with 200 clients\"\n  plan step set 3 --after none")]
pub(super) struct SetArgs {
    /// The step's number, or goal and position.
    step: String,
    /// The new text in one line; needs no quotes.
    #[arg(required_unless_present_any = ["after", "run"])]
    text: Vec<String>,
    /// Numbers of steps that come first, joined by commas; `none` for none.
    #[arg(long, value_delimiter = ',', value_name = "N")]
    after: Option<Vec<String>>,
    /// The command that does it, for `plan step run`; `none` for none.
    #[arg(long, value_name = "CMD")]
    run: Option<String>,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn set(context: &Context, args: &SetArgs) -> Result<Exit> {
    let text = if args.text.is_empty() { None } else { Some(wanted(&args.text)?) };
    let after = args.after.as_deref().map(numbers).transpose()?;
    let run = args.run.as_deref().map(|run| if run == "none" { "" } else { run });
    if let Some(command) = run.filter(|run| !run.is_empty()) {
        strict::split(command).map_err(|error| Error::input(format!("`--run`: {error}")))?;
    }
    let mut all = String::new();
    let name = one(context, &args.step, args.because.as_deref(), |plan, step| {
        all = text.clone().unwrap_or_else(|| plan.text(plan.steps[step].text).to_owned());
        if let (Some(text), None, None) = (&text, &after, run) {
            return Ok(vec![Change::SetStepText { step, text: text.clone() }]);
        }
        known(plan, after.as_deref().unwrap_or_default())?;
        let run = run.map(str::to_owned);
        Ok(vec![Change::SetStepParts { step, text: text.clone(), after: after.clone(), run }])
    })?;
    context.ui.line(&format!("step {name}: {all}"));
    context.ui.json(&json!({ "step": name, "text": all }));
    Ok(Exit::Yes)
}

/// Returns the goal that a step is for. Refuses a goal of the archive.
fn open<'p, 'a>(plan: &'p Plan<'a>, name: &str) -> Result<GoalRef<'p, 'a>> {
    let goal = plan.find_goal(name)?;
    if goal.raw().archived { Err(rules::not_changed(goal)) } else { Ok(goal) }
}

/// Parses the numbers of `--after`.
fn numbers(words: &[String]) -> Result<Vec<u32>> {
    if matches!(words, [word] if word == "none") {
        return Ok(Vec::new());
    }
    let number = |word: &String| {
        let number = word.trim().parse::<u32>();
        number.map_err(|_| Error::input(format!("`--after {word}`: expected numbers of steps, or `none`")))
    };
    words.iter().map(number).collect()
}

/// Refuses a number that no step has.
fn known(plan: &Plan<'_>, after: &[u32]) -> Result<()> {
    let unknown = after.iter().find(|after| !plan.steps.iter().any(|step| step.number == Some(**after)));
    unknown.map_or(Ok(()), |unknown| {
        Err(Error::input(format!("`--after {unknown}`: no step has this number")).hint("`plan show` lists the steps"))
    })
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
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn shift(context: &Context, args: &MoveArgs) -> Result<Exit> {
    let place = context.writable()?;
    let (mut name, mut goal_name) = (String::new(), String::new());
    let is_changed = shaped(context, &place, args.because.as_deref(), |plan| {
        let (step, goal) = (plan.find_step(&args.step)?.index(), open(plan, &args.goal)?);
        name = super::name(plan, step);
        goal_name = goal.name().to_owned();
        Ok(vec![Change::MoveStep { step, goal: goal.index(), at: args.at.map(|at| at as usize) }])
    })?;
    match is_changed {
        true => context.ui.line(&format!("moved step {name} to {goal_name}")),
        false => context.ui.line(&format!("step {name} of {goal_name} is in this place already; nothing changed")),
    }
    context.ui.json(&json!({ "step": name, "goal": goal_name, "changed": is_changed }));
    Ok(Exit::Yes)
}

/// Remove a step
///
/// Its number is never reused. If no other line of plan.md has the number, `plan` writes it into the log.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan step remove 3")]
pub(super) struct RemoveArgs {
    /// The step's number, or goal and position.
    step: String,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn remove(context: &Context, args: &RemoveArgs) -> Result<Exit> {
    let stamp = config::stamp()?;
    let mut below = 0;
    let name = one(context, &args.step, args.because.as_deref(), |plan, step| {
        let hanging = plan.steps.get(step).map(|raw| raw.line.end as usize..raw.end as usize).unwrap_or_default();
        below = plan.source[hanging].split_inclusive(|byte| *byte == b'\n').count();
        // A proposal has its own log line that names the step.
        let is_silent = !matches!(rules::state(plan), PlanState::Active | PlanState::Proposed);
        let text = change::removal_line(plan, step..step + 1).filter(|_| is_silent);
        let log = text.map(|text| Change::AppendLog { stamp: stamp.clone(), text });
        Ok(std::iter::once(Change::RemoveStep { step }).chain(log).collect())
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

/// Changes one step; returns the step's name as it was before.
fn one(
    context: &Context,
    step: &str,
    because: Option<&str>,
    mut changes: impl FnMut(&Plan<'_>, usize) -> Result<Vec<Change>>,
) -> Result<String> {
    let place = context.writable()?;
    let mut name = String::new();
    shaped(context, &place, because, |plan| {
        let step = plan.find_step(step)?.index();
        name = super::name(plan, step);
        changes(plan, step)
    })?;
    Ok(name)
}

/// Writes a change of the contract, with the reason that contract mode asks for. Returns false if plan.md stays the same.
fn shaped(
    context: &Context,
    place: &Place,
    because: Option<&str>,
    make: impl FnMut(&Plan<'_>) -> Result<Vec<Change>>,
) -> Result<bool> {
    let (because, again) = (text::reason(because)?, context.with_reason());
    let request = PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() };
    context.change_as(place, request, make).map(|written| written.updated.changed)
}

fn wanted(given: &[String]) -> Result<String> {
    let text = text::one_line(&given.join(" "));
    if text.is_empty() { Err(Error::input("expected a text for the step, found none")) } else { Ok(text) }
}
