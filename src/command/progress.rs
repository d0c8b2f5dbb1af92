//! `plan progress`: the bookkeeping of a step in one call, for hosts.

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::contract::rewind::refuse_interrupted;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::lookup::StepRef;
use crate::plan::model::{Mark, Plan};
use crate::plan::rules::{self, PlanRequest, PlanState, StepMove};
use crate::plan::{edit, parse, text};
use crate::session::{self, events};

/// Mark a step complete with its outcome and start the next one, in one call
///
/// `--done`: the agent considers the plan finished and is no longer asked to continue. It signs nothing off.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan progress --step 3 --summary \"pool of 8, see bench/pool.log\" --next 4")]
pub struct Args {
    /// The step that is complete: its number, or goal and position.
    #[arg(long, value_name = "N")]
    step: Option<String>,
    /// The result; without a step, a line for the log.
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// The step that is worked on now.
    #[arg(long, value_name = "N")]
    next: Option<String>,
    /// The agent considers the plan finished.
    #[arg(long)]
    done: bool,
}

/// Writes the given progress and confirms it.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    context.refuse_inside_judge()?;
    if args.step.is_none() && args.summary.is_none() && args.next.is_none() && !args.done {
        return Err(Error::input("expected `--step`, `--summary`, `--next` or `--done`, found none of them")
            .hint("for example `plan progress --step 3 --summary \"outcome\"`"));
    }
    let Some(place) = context.find()? else {
        return Err(
            Error::new(Kind::Refused, "refused: there is no plan here").hint("`plan init \"objective\"` begins one")
        );
    };
    if args.step.is_some() {
        refuse_interrupted(&place)?;
    }
    let stamp = config::stamp()?;
    let summary = args.summary.as_deref().map(text::one_line).filter(|text| !text.is_empty());
    let mut said = Vec::new();
    if args.step.is_some() || args.next.is_some() || summary.is_some() {
        let request = request(args, summary.as_deref());
        let written = context.change_as(&place, request, |plan| {
            said.clear();
            changes(plan, args, summary.as_deref(), &stamp, &mut said)
        })?;
        if let Some(step) = &args.step {
            context.checkpoint(&place, &written, Mark::Complete, step);
        }
        said.extend(written.activated.map(|next| format!("→ Step {}: {}", next.step, next.text)));
    }
    if args.done {
        let source = crate::store::read(&place)?;
        session::finish(&place, &place.parse(&source)?).map_err(|error| {
            match said.is_empty() && summary.is_none() {
                true => error,
                false => super::after_writing(error),
            }
        })?;
        said.push(
            "noted: you say that you are finished. No goal is signed off; `plan complete <id>` does that".to_owned(),
        );
    }
    events::append(&place, "progress", &json!({ "step": args.step, "next": args.next, "done": args.done }));
    said.iter().for_each(|line| context.ui.line(line));
    context.ui.json(&json!({ "step": args.step, "summary": summary, "next": args.next, "done": args.done }));
    Ok(Exit::Yes)
}

/// Returns the request to the plan: a step is done, else a step starts, else only a line is logged.
fn request<'w>(args: &'w Args, summary: Option<&'w str>) -> PlanRequest<'w> {
    let step = |command, to, step| PlanRequest::Step { command, to, step, text: summary };
    match (&args.step, &args.next) {
        (Some(done), _) => step("step done", StepMove::Done, done),
        (None, Some(next)) => step("step start", StepMove::Start, next),
        (None, None) => PlanRequest::Free,
    }
}

/// Refuses a `--next` other than the step that becomes active by itself.
fn must_follow(plan: &Plan<'_>, changes: &[Change], next: StepRef<'_, '_>) -> Result<()> {
    let after = edit::apply(plan.source, &change::edits(plan, changes)?)?;
    let after = parse::parse(&after)?;
    let follows = rules::next_activation(&after);
    if follows == Some(next.index()) {
        return Ok(());
    }
    let follows = follows.and_then(|at| after.step(at)).map(StepRef::name);
    let what = follows.as_ref().map_or("no step follows".to_owned(), |follows| format!("step {follows} follows"));
    Err(Error::new(Kind::Refused, format!("refused: step {} is not next: {what}", next.name()))
        .hint("leave `--next` out: the next step becomes active by itself"))
}

fn changes(
    plan: &Plan<'_>,
    args: &Args,
    summary: Option<&str>,
    stamp: &str,
    said: &mut Vec<String>,
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let log = match &args.step {
        Some(step) => {
            let found = plan.find_step(step)?;
            rules::check_step_move(found, StepMove::Done)?;
            said.push(format!("✓ Step {} complete", found.name()));
            changes.extend(change::settle(found, Mark::Complete, summary, stamp));
            None
        }
        None => summary.map(text::log_text).map(own_words).transpose()?,
    };
    if let Some(next) = &args.next {
        let found = plan.find_step(next)?;
        if changes.iter().any(|change| matches!(change, Change::SetMark { step, .. } if *step == found.index())) {
            return Err(Error::input(format!("step {} cannot be both complete and next", found.name())));
        }
        if args.step.is_some() && rules::state(plan) != PlanState::Guide {
            must_follow(plan, &changes, found)?;
            return Ok(changes);
        }
        // A step that is active already needs no check.
        if found.raw().mark != Mark::Active {
            rules::check_step_move(found, StepMove::Start)?;
        }
        said.push(format!("→ Step {}: {}", found.name(), found.text()));
        changes.push(Change::SetMark { step: found.index(), mark: Mark::Active, outcome: None });
    }
    changes.extend(log.map(|text| Change::AppendLog { stamp: stamp.to_owned(), text }));
    Ok(changes)
}

/// Returns a line in the caller's words. Refuses a line that reads as one of `plan` itself, as `plan log` does.
fn own_words(line: String) -> Result<String> {
    if rules::is_plan_line(&line) {
        return Err(Error::input(format!("refused: `{line}` looks like a line that `plan` itself writes"))
            .hint("use other words; only `plan complete` writes sign-offs"));
    }
    Ok(line)
}
