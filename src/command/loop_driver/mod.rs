//! `plan loop`: an agent is sent on at each stop, for as many turns as a person allowed.

mod run;
mod status;

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::rules;
use crate::session::loop_driver::{self, MOST};
use crate::store::{self, Place};

/// Send an agent on at each stop, for as many turns as you allow
///
/// The hooks of the host do it (`plan install HOST`), for the session that this is started in, else for the first session at work
/// on the plan that stops. `run` starts a client by itself for each turn. It ends when no goal is left or the budget is spent,
/// and pauses where the agent is blocked by the same three times. Nothing is signed off by it.
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

/// Begin a loop, in place of one that is there
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop start --budget 20")]
struct Start {
    /// Turns at most; else `budget` of the front matter, else 20.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    budget: Option<u32>,
}

/// Hold it still until `resume`
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop pause")]
struct Pause {}

/// Go on with what is left of the budget
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop resume")]
struct Resume {}

/// End it
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop clear")]
struct Clear {}

/// Print how it stands
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop status --json")]
struct Status {}

/// Does what is asked.
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
        context.ui.line("no goal is left: there is nothing to loop on");
        context.ui.json(&json!({ "started": false }));
        return Ok(Exit::No);
    }
    let session = context.session(None).ok();
    let new = loop_driver::start(&place, budget, session.as_deref())?;
    context.ui.line(&format!("the loop begins: at most {} turns, for {}", new.budget, status::drives(&new, false)));
    context.ui.json(&json!({ "started": true, "budget": new.budget }));
    Ok(Exit::Yes)
}

/// The one that an agent may do as well: it only makes it stop.
fn pause(context: &Context) -> Result<Exit> {
    let place = context.writable()?;
    let found = loop_driver::pause(&place)?.ok_or_else(none)?;
    context.ui.line(&format!("paused, with {} turns left; `plan loop resume` goes on", found.left()));
    context.ui.json(&json!({ "paused": true, "left": found.left() }));
    Ok(Exit::Yes)
}

fn resume(context: &Context) -> Result<Exit> {
    let place = persons(context)?;
    let session = context.session(None).ok();
    let found = loop_driver::resume(&place, session.as_deref())?.ok_or_else(none)?;
    context.ui.json(&json!({ "resumed": found.is_on(), "left": found.left() }));
    if !found.is_on() {
        context.ui.line("its budget is spent; `plan loop start` gives another");
        return Ok(Exit::No);
    }
    context.ui.line(&format!("goes on: {} turns left, for {}", found.left(), status::drives(&found, false)));
    Ok(Exit::Yes)
}

fn clear(context: &Context) -> Result<Exit> {
    let place = persons(context)?;
    let was = loop_driver::clear(&place)?;
    context.ui.line(if was { "the loop is ended" } else { "there was no loop" });
    context.ui.json(&json!({ "cleared": was }));
    Ok(Exit::Yes)
}

/// Where the plan is, for what a person does: neither a judge, nor an agent that a loop drives and that would give itself turns.
fn persons(context: &Context) -> Result<Place> {
    let place = context.writable()?;
    if config::inside_loop_run() {
        return Err(Error::new(Kind::Refused, "refused: this runs inside a client that `plan loop run` started")
            .hint("`plan loop pause` or `plan pause \"why\"` makes it stop"));
    }
    if context.sessions().iter().any(|session| loop_driver::has_given(&place, session.as_deref())) {
        return Err(Error::new(
            Kind::Refused,
            "refused: the loop sent this session on, and no person spoke to it since",
        )
        .hint("`plan loop pause` or `plan pause \"why\"` makes it stop; more turns are a person's to give"));
    }
    Ok(place)
}

fn none() -> Error {
    Error::new(Kind::Refused, "refused: there is no loop").hint("`plan loop start` begins one")
}
