//! `plan loop run`: runs the loop without a host. Each turn starts a new client.

use std::time::Duration;

use serde_json::json;

use super::{persons, status};
use crate::agent::{self, Client, Turn};
use crate::command::{Context, Exit};
use crate::config::{self, TURN_SECONDS};
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::plan::rules::GoalRecords;
use crate::plan::text;
use crate::process::interrupt::SignalHold;
use crate::session::loop_driver::{Halt, JudgeOutcome, Loop, LoopRun, MOST};
use crate::store::{self, Place};

/// The maximum length of the client's last text in a turn's line, in bytes.
const SAID: usize = 160;

/// Run the loop here: start a headless client for each turn
///
/// Each turn is a new session, with the plan as its prompt. The client has the rights that your own configuration gives it, and
/// no more. Prints one line for each turn. Exit 0 when no goal is left, 1 when it is paused or the budget is spent.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan loop run --with claude:sonnet --budget 10")]
pub(super) struct Args {
    #[arg(help = format!("{}; by default the only installed client", host::names()))]
    #[arg(long, value_name = "HOST[:MODEL]")]
    with: Option<String>,
    /// Start a new loop of at most N turns; by default an earlier loop continues, else `budget` in the front matter, else 20.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    budget: Option<u32>,
}

/// The reason why the run ended.
enum End {
    Halt(Halt),
    Interrupted,
}

/// Drives the client until the loop ends.
pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = persons(context)?;
    let client = Client::choose(args.with.as_deref(), &context.cwd)?;
    let seconds = config::load()?.loop_config.turn_timeout.unwrap_or(TURN_SECONDS);
    // Signals are held between two clients as well, so that the summary is printed before the end.
    let held =
        SignalHold::begin().map_err(|error| Error::new(Kind::Unknown, format!("cannot watch for Ctrl-C: {error}")))?;
    let mut run = LoopRun::begin(&place, args.budget)?;
    let mut turns = 0;
    let end = loop {
        if held.is_interrupted() {
            break End::Interrupted;
        }
        match run.turn()? {
            Err(halt) => break End::Halt(halt),
            Ok((prompt, found)) => {
                turns += 1;
                let limit = Duration::from_secs(seconds);
                if one(context, &place, &client, &mut run, (&prompt, &found), limit)?.is_none() {
                    break End::Interrupted;
                }
            }
        }
    };
    finish(context, &place, &run, turns, &end)
}

/// Runs one turn, prints its line and asks the judge. Returns `None` if a person interrupted it.
fn one(
    context: &Context,
    place: &Place,
    client: &Client,
    run: &mut LoopRun<'_>,
    (prompt, found): (&str, &Loop),
    limit: Duration,
) -> Result<Option<()>> {
    let mut tick = |time: Duration| {
        let what = format!("{}, turn {}", client.name(), found.spent);
        context.ui.progress(&what, time.as_secs(), Some(limit.as_secs()), None);
    };
    let turn = match client.turn(&place.root, prompt, limit, &mut tick) {
        Ok(turn) => turn,
        Err(error) if error.kind == Kind::Interrupted => return Ok(None),
        Err(error) => return Err(error),
    };
    context.ui.line(&line(place, &turn, found));
    context.ui.flush();
    run.record_turn(turn.said.as_ref().map(drop).map_err(String::as_str))?;
    let Ok(reply) = turn.said else { return Ok(Some(())) };
    if let Some(question) = run.question(&reply, client.name(), client.model())? {
        match agent::judge(&question, place) {
            JudgeOutcome::Interrupted => return Ok(None),
            judged => run.take_verdict(&judged)?,
        }
    }
    Ok(Some(()))
}

/// `turn 3, 17 left, 1 done, 2 open: Step 2 is done.`
fn line(place: &Place, turn: &Turn, found: &Loop) -> String {
    let said = match &turn.said {
        Ok(said) if said.is_empty() => "it printed nothing".to_owned(),
        Ok(said) => text::plain_line(said),
        Err(why) => format!("failed: {}", text::plain_line(why)),
    };
    let mut short: String =
        said.char_indices().take_while(|(at, c)| at + c.len_utf8() <= SAID).map(|(_, c)| c).collect();
    if short.len() < said.len() {
        short.push('…');
    }
    format!("turn {}, {} left, goals {}: {short}", found.spent, found.left(), goals(place))
}

/// Returns the current counts of goals. The client may have broken the plan file.
fn goals(place: &Place) -> String {
    let source = store::read(place).unwrap_or_default();
    place.parse(&source).map_or_else(|_| "cannot be read".to_owned(), |plan| status::goals(&plan))
}

/// Returns the number of goals marked done without a sign-off.
fn unsigned(place: &Place) -> usize {
    let source = store::read(place).unwrap_or_default();
    place.parse(&source).map_or(0, |plan| GoalRecords::new(&plan).unsigned(&plan).len())
}

fn finish(context: &Context, place: &Place, run: &LoopRun<'_>, turns: u32, end: &End) -> Result<Exit> {
    let found = run.own().unwrap_or_default();
    let (word, line, exit) = match end {
        End::Halt(Halt::NothingLeft) => match unsigned(place) {
            0 => ("no_goal_left", "no goal is left".to_owned(), Exit::Yes),
            count => {
                let line = format!("no goal is left; done goals without a sign-off: {count}; `plan audit` names them");
                ("not_signed_off", line, Exit::No)
            }
        },
        End::Halt(Halt::Paused(why)) => ("paused", format!("paused: {why}; `plan loop run` continues"), Exit::No),
        End::Halt(Halt::Spent) => (
            "budget_spent",
            format!("the budget of {} turns is spent; goals: {}", found.budget, goals(place)),
            Exit::No,
        ),
        End::Halt(Halt::Gone) => ("gone", "somebody ended the loop meanwhile".to_owned(), Exit::No),
        End::Interrupted => {
            let left = found.left();
            let line = format!(
                "interrupted after {turns} turns, {left} left, goals: {}; `plan loop run` continues",
                goals(place)
            );
            ("interrupted", line, Exit::Code(Kind::Interrupted.code()))
        }
    };
    context.ui.line(&line);
    context.ui.json(&json!({ "end": word, "why": line, "turns": turns, "loop": status::json(&found, false) }));
    Ok(exit)
}
