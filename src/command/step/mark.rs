//! `plan step start|done|fail|skip|retry`: sets one mark.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::contract::rewind::refuse_interrupted;
use crate::error::{Error, Result};
use crate::plan::change::{self, Change};
use crate::plan::log::{LogLine, ProposedEdit};
use crate::plan::model::{GoalRef, Mark, Plan, Status};
use crate::plan::rules::{self, PlanRequest, PlanState, StepMove};
use crate::plan::text;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The step's number, or goal and position.
    step: String,
    /// The outcome or the reason; it is written after the step and into the log. Needs no quotes.
    text: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    #[command(flatten)]
    args: Args,
    /// Why the step is tried again.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn retry(context: &Context, args: &RetryArgs) -> Result<Exit> {
    run(context, &args.args, StepMove::Retry, args.because.as_deref())
}

/// The name of the marked step, and what comes after it.
#[derive(Default)]
struct MarkResult {
    name: String,
    next: Option<String>,
    /// The goal whose steps are now all settled.
    finished: Option<String>,
    /// True if the move only waits for approval.
    is_proposed: bool,
}

pub(super) fn run(context: &Context, args: &Args, to: StepMove, because: Option<&str>) -> Result<Exit> {
    let place = context.writable()?;
    refuse_interrupted(&place)?;
    refuse_several(&args.text)?;
    let text = because.map_or_else(|| args.text.join(" "), str::to_owned);
    let outcome = Some(text::one_line(&text)).filter(|text| !text.is_empty());
    let stamp = config::stamp()?;
    let mut marked = MarkResult::default();
    let request = PlanRequest::Step { command: command(to), to, step: &args.step, text: outcome.as_deref() };
    let written = context.change_as(&place, request, |plan| {
        let (changes, seen) = changes(plan, args, to, outcome.as_deref(), &stamp)?;
        marked = seen;
        Ok(changes)
    })?;
    let (name, mark) = (&marked.name, to.mark());
    if marked.is_proposed {
        context.ui.line(&format!("proposed: retry of step {name}; waits for approval"));
        context
            .ui
            .json(&json!({ "step": name, "proposed": "retry", "because": outcome, "state": written.state.word() }));
        return Ok(Exit::Yes);
    }
    let next = match written.state {
        PlanState::Guide => marked.next,
        _ => written.activated.as_ref().map(|next| format!("Step {}: {}", next.step, next.text)),
    };
    let is_held = written.state != PlanState::Guide;
    let complete = marked.finished.as_ref().map(|goal| format!(" → plan complete {goal}"));
    let arrow = next.as_ref().map(|next| format!(" → {next}")).or(complete.filter(|_| !is_held)).unwrap_or_default();
    context.ui.line(&format!("{} Step {name} {}{arrow}", sign(mark), mark.word()));
    if let Some(goal) = marked.finished.filter(|_| is_held) {
        context.ui.line(&format!("✓ Goal {goal}: all steps settled → plan complete {goal}"));
    }
    written.held.iter().for_each(|held| context.ui.note(&format!("note: {held}")));
    let mut said = json!({ "step": name, "mark": mark.word(), "outcome": outcome, "next": next });
    if is_held {
        said["state"] = written.state.word().into();
    }
    context.ui.json(&said);
    context.checkpoint(&place, &written, mark, name);
    Ok(Exit::Yes)
}

const fn command(to: StepMove) -> &'static str {
    match to {
        StepMove::Start => "step start",
        StepMove::Done => "step done",
        StepMove::Fail => "step fail",
        StepMove::Skip => "step skip",
        StepMove::Retry => "step retry",
    }
}

fn changes(
    plan: &Plan<'_>,
    args: &Args,
    to: StepMove,
    outcome: Option<&str>,
    stamp: &str,
) -> Result<(Vec<Change>, MarkResult)> {
    let found = plan.find_step(&args.step)?;
    rules::check_step_move(found, to)?;
    let (step, mark, name) = (found.index(), to.mark(), found.name());
    if to == StepMove::Retry && rules::state(plan) != PlanState::Guide {
        let (edit, because) = (ProposedEdit::Retry { step: &name }, outcome.unwrap_or_default());
        let text = LogLine::Proposed { edit, because }.to_string();
        let changes = vec![Change::AppendLog { stamp: stamp.to_owned(), text }];
        return Ok((changes, MarkResult { name, is_proposed: true, ..MarkResult::default() }));
    }
    let goal = plan.goal(plan.steps[step].goal as usize).filter(|_| mark.is_settled());
    let next = goal.and_then(|goal| rules::step_to_do_after(goal, step, mark)).map(|at| super::title(plan, at));
    let finished = goal.filter(|goal| is_last(*goal, step)).map(|goal| goal.typed().into_owned());
    Ok((change::settle(found, mark, outcome, stamp), MarkResult { name, next, finished, is_proposed: false }))
}

/// Whether every other step of an active goal is settled.
fn is_last(goal: GoalRef<'_, '_>, step: usize) -> bool {
    let first = goal.raw().steps.start as usize;
    let others = goal.steps().iter().enumerate().filter(|(at, _)| first + at != step);
    goal.status() == Status::Active && others.into_iter().all(|(_, step)| step.mark.is_settled())
}

/// Refuses the numbers of several steps in place of one step's outcome.
fn refuse_several(words: &[String]) -> Result<()> {
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    if words.len() < 2 || !words.iter().all(is_number) {
        return Ok(());
    }
    Err(Error::input("expected one step and its outcome, found the numbers of several steps")
        .hint("mark each step in its own call"))
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
