//! `plan loop`: asks an agent to continue at each stop, for as many turns as a person allowed.

mod run;
mod status;

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::rules;
use crate::session::loop_driver::{self, MOST};
use crate::session::{self, Hold};
use crate::store::{self, Place};

/// Ask an agent to continue at each stop, for as many turns as you allow
///
/// The host's hooks do this (`plan install HOST`). The loop drives the session that starts it, or else the first session that
/// stops while working on the plan. `run` starts a client of its own for each turn. The loop ends when no goal is left or the
/// budget is spent, and pauses when the same obstacle blocks the agent three times. It never signs a goal off.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop start --budget 20\n  plan loop run --with claude:sonnet")]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Start(Start),
    Pause(Pause),
    Resume(Resume),
    Clear(Clear),
    Status(Status),
    Run(run::Args),
}

/// Start a loop; it replaces an earlier one
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop start --budget 20")]
struct Start {
    /// The most turns it may give; by default `budget` in the front matter, else 20.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    budget: Option<u32>,
}

/// Pause the loop until `plan loop resume`
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop pause")]
struct Pause {}

/// Resume a paused loop, with the turns it has left
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop resume")]
struct Resume {}

/// End the loop
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop clear")]
struct Clear {}

/// Show whether the loop is on, how many turns it gave, and which session it drives
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop status --json")]
struct Status {}

/// Runs the subcommand.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.verb {
        Verb::Start(args) => start(context, args),
        Verb::Pause(Pause {}) => pause(context),
        Verb::Resume(Resume {}) => resume(context),
        Verb::Clear(Clear {}) => clear(context),
        Verb::Status(Status {}) => status::status(context),
        Verb::Run(args) => run::run(context, args),
    }
}

fn start(context: &Context, args: &Start) -> Result<Exit> {
    let place = persons(context)?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let budget = args.budget.unwrap_or(loop_driver::budget(&plan));
    if rules::unfinished(&plan).next().is_none() {
        context.ui.line("no goal is left to work on");
        context.ui.json(&json!({ "started": false }));
        return Ok(Exit::No);
    }
    let session = context.session(None).ok();
    let hold = session::hold(&place);
    let new = loop_driver::start(&place, budget, session.as_deref())?;
    say_released(context, &place, hold);
    context.ui.line(&format!("loop started: at most {} turns, for {}", new.budget, status::drives(&new, false)));
    context.ui.json(&json!({ "started": true, "budget": new.budget }));
    Ok(Exit::Yes)
}

/// Tells that a pause is over, because a person started the loop.
fn say_released(context: &Context, place: &Place, hold: Option<Hold>) {
    let is_over = session::hold(place).is_none();
    if let Some(why) = hold.and_then(|hold| hold.paused).filter(|_| is_over) {
        context.ui.line(&format!("the pause is over: {why}"));
    }
}

/// Pauses the loop. An agent may do this too, because it only stops itself.
fn pause(context: &Context) -> Result<Exit> {
    let place = context.writable()?;
    let found = loop_driver::pause(&place)?.ok_or_else(none)?;
    context.ui.line(&format!("loop paused with {} turns left; `plan loop resume` continues it", found.left()));
    context.ui.json(&json!({ "paused": true, "left": found.left() }));
    Ok(Exit::Yes)
}

fn resume(context: &Context) -> Result<Exit> {
    let place = persons(context)?;
    let session = context.session(None).ok();
    let hold = session::hold(&place);
    let found = loop_driver::resume(&place, session.as_deref())?.ok_or_else(none)?;
    say_released(context, &place, hold);
    context.ui.json(&json!({ "resumed": found.is_on(), "left": found.left() }));
    if !found.is_on() {
        context.ui.line("the budget is spent; start a new loop: `plan loop start`");
        return Ok(Exit::No);
    }
    context.ui.line(&format!("loop resumed: {} turns left, for {}", found.left(), status::drives(&found, false)));
    Ok(Exit::Yes)
}

fn clear(context: &Context) -> Result<Exit> {
    let place = persons(context)?;
    let was = loop_driver::clear(&place)?;
    context.ui.line(if was { "loop ended" } else { "there was no loop" });
    context.ui.json(&json!({ "cleared": was }));
    Ok(Exit::Yes)
}

/// Returns the plan's place for commands that only a person may give. Refuses a judge, and an agent that a loop drives:
/// it could give itself turns.
fn persons(context: &Context) -> Result<Place> {
    let place = context.writable()?;
    if config::inside_loop_run() {
        return Err(Error::new(Kind::Refused, "refused: `plan loop run` started this client")
            .hint("to stop: `plan pause \"why\"`"));
    }
    if context.sessions().iter().any(|session| loop_driver::has_given(&place, session.as_deref())) {
        return Err(Error::new(
            Kind::Refused,
            "refused: the loop gave this session its turn, and no person has written since",
        )
        .hint("to stop: `plan pause \"why\"`; only a person can give more turns"));
    }
    Ok(place)
}

fn none() -> Error {
    Error::new(Kind::Refused, "refused: there is no loop").hint("`plan loop start` starts one")
}
