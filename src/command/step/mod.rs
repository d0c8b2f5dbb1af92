//! `plan step …`: the steps of a goal.

mod mark;
mod run;
mod shape;

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::model::Plan;
use crate::plan::rules::StepMove;

/// Add, change, move, remove, mark and run steps
///
/// A step is named by its number (`3`), or by goal and position (`cache-layer-1.2`).
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Add(shape::AddArgs),
    Set(shape::SetArgs),
    Move(shape::MoveArgs),
    Remove(shape::RemoveArgs),
    /// Mark a step active
    #[command(after_help = "Example:\n  plan step start 3")]
    Start(mark::Args),
    /// Mark a step complete, with its outcome
    #[command(after_help = "Example:\n  plan step done 3 \"pool of 8, see bench/pool.log\"")]
    Done(mark::Args),
    /// Mark a step failed, with the reason
    #[command(after_help = "Example:\n  plan step fail 3 \"the driver has no pooling\"")]
    Fail(mark::Args),
    /// Mark a step skipped, with the reason
    #[command(after_help = "Example:\n  plan step skip 3 \"covered by step 2\"")]
    Skip(mark::Args),
    /// Put a failed, skipped or complete step back to pending
    #[command(after_help = "Example:\n  plan step retry 3 \"driver updated\"")]
    ///
    /// In contract mode only a failed step is retried, and a person approves it: `--because` says why.
    Retry(mark::RetryArgs),
    Run(run::Args),
}

/// Runs the given command.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.verb {
        Verb::Add(args) => shape::add(context, args),
        Verb::Set(args) => shape::set(context, args),
        Verb::Move(args) => shape::shift(context, args),
        Verb::Remove(args) => shape::remove(context, args),
        Verb::Start(args) => mark::run(context, args, StepMove::Start, None),
        Verb::Done(args) => mark::run(context, args, StepMove::Done, None),
        Verb::Fail(args) => mark::run(context, args, StepMove::Fail, None),
        Verb::Skip(args) => mark::run(context, args, StepMove::Skip, None),
        Verb::Retry(args) => mark::retry(context, args),
        Verb::Run(args) => run::run(context, args),
    }
}

/// Returns a step's name: its number, else goal and position.
fn name(plan: &Plan<'_>, index: usize) -> String {
    plan.step(index).map(|step| step.name()).unwrap_or_default()
}

/// `Step 4: load test`
fn title(plan: &Plan<'_>, index: usize) -> String {
    format!("Step {}: {}", name(plan, index), plan.text(plan.steps[index].text))
}
