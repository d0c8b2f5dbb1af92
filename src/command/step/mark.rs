//! `plan step start|done|fail|skip|retry`: one mark.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::Change;
use crate::plan::log::{LogLine, StepEnd};
use crate::plan::model::{GoalRef, Mark, Plan, Status};
use crate::plan::rules::{self, StepMove};
use crate::plan::text;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The step's number, or goal and position.
    step: String,
    /// The outcome or the reason; it goes behind the step and into the log. Needs no quotes.
    text: Vec<String>,
}

pub(super) fn run(context: &Context, args: &Args, wanted: StepMove) -> Result<Exit> {
    let mark = wanted.mark();
    let place = context.writable()?;
    refuse_several(&args.text)?;
    let outcome = Some(text::one_line(&args.text.join(" "))).filter(|text| !text.is_empty());
    let stamp = config::stamp()?;
    let (mut name, mut next, mut finished) = (String::new(), None, None);
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let found = plan.find_step(&args.step)?;
        rules::check_step_move(found, wanted)?;
        let step = found.index();
        name = found.name();
        let goal = plan.goal(plan.steps[step].goal as usize).filter(|_| mark.is_settled());
        next = goal.and_then(|goal| rules::step_to_do_after(goal, step, mark)).map(|at| super::title(plan, at));
        finished = goal.filter(|goal| is_last(*goal, step)).map(|goal| goal.typed().into_owned());
        // What the log told of an earlier mark is no reason for this one.
        let told = last_line(plan, &name).filter(|_| !matches!(mark, Mark::Pending | Mark::Active));
        let stale = told.is_some() && found.outcome() == told;
        let behind = outcome.clone().or_else(|| stale.then(String::new));
        let mut changes = vec![Change::SetMark { step, mark, outcome: behind }];
        let quiet = told.filter(|_| outcome.is_none()).map(|_| "nothing said");
        let line = |(text, end)| LogLine::Step { name: &name, end, text }.to_string();
        let text = outcome.as_deref().or(quiet).zip(StepEnd::of(mark)).map(line);
        changes.extend(text.map(|text| Change::AppendLog { stamp: stamp.clone(), text }));
        Ok(changes)
    })?;
    let complete = finished.map(|goal| format!(" → plan complete {goal}"));
    let arrow = next.as_ref().map(|next| format!(" → {next}")).or(complete).unwrap_or_default();
    context.ui.line(&format!("{} Step {name} {}{arrow}", sign(mark), mark.word()));
    context.ui.json(&json!({ "step": name, "mark": mark.word(), "outcome": outcome, "next": next }));
    Ok(Exit::Yes)
}

/// Whether every other step of an active goal is settled.
fn is_last(goal: GoalRef<'_, '_>, step: usize) -> bool {
    let first = goal.raw().steps.start as usize;
    let others = goal.steps().iter().enumerate().filter(|(at, _)| first + at != step);
    goal.status() == Status::Active && others.into_iter().all(|(_, step)| step.mark.is_settled())
}

/// Refuses the numbers of more steps where the outcome of one belongs.
fn refuse_several(words: &[String]) -> Result<()> {
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    if words.len() < 2 || !words.iter().all(is_number) {
        return Ok(());
    }
    Err(Error::input("expected one step and its outcome, found the numbers of several steps")
        .hint("mark each step in its own call"))
}

/// What the log said last of a step: its outcome or the reason.
fn last_line<'a>(plan: &Plan<'a>, name: &str) -> Option<&'a str> {
    plan.log_lines().rev().find_map(|(_, text)| match LogLine::parse(text)? {
        LogLine::Step { name: other, text, .. } if other == name => Some(text),
        _ => None,
    })
}

pub(super) fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Complete => "✓",
        Mark::Failed => "✗",
        Mark::Skipped => "-",
        Mark::Pending => "↺",
        Mark::Active => "▸",
    }
}
