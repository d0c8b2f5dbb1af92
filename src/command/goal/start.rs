//! `plan goal start`.

use serde::Serialize;
use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::change::Change;
use crate::plan::contract;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::line::{self, Start};
use crate::plan::rules::{self, What, read_line};
use crate::signoff::base;
use crate::signoff::stage1::{self, Ground, Limits, Line};
use crate::store::{self, Place};

/// Make a goal active, and see its verify red
///
/// Records the goal's contract and where the work began, and runs `verify` once: a command that is green before anything
/// was done proves nothing afterwards. A done or cancelled goal is reopened.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal start cache-layer-1")]
pub(super) struct Args {
    /// The goal's id, or its subject where that is unique.
    id: String,
    /// Do not run `verify`.
    #[arg(long)]
    no_baseline: bool,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let started = start(context, &place, &args.id, !args.no_baseline)?;
    context.ui.json(&json!({ "started": started }));
    Ok(Exit::Yes)
}

/// What a start recorded.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Started {
    id: String,
    contract: String,
    at: String,
    tree: String,
    verify: String,
    already: bool,
}

/// Starts a goal and says so on stdout.
pub(super) fn start(context: &Context, place: &Place, name: &str, baseline: bool) -> Result<Started> {
    let name = context.give_id(place, name)?;
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    rules::check_mode(&plan)?;
    let goal = plan.find_goal(&name)?;
    if goal.raw().archived {
        return Err(
            Error::new(Kind::Refused, format!("goal `{name}` is archived")).hint("move it above `# Archive` first")
        );
    }
    let old = contract::goal_contract(goal);
    if goal.status() == Status::Active && has_started(&plan, &name) {
        context.ui.line(&format!("{name} is active already; its base stays"));
        let contract = old.digest.short();
        return Ok(Started { id: name, contract, already: true, ..Started::default() });
    }
    let line = goal.verify().map(|line| Line::read(&line)).transpose()?;
    let repo = base::open(place)?;
    let begun = base::begin(repo.as_ref(), place, &name)?;
    let verify = match line {
        None => "none".to_owned(),
        Some(_) if !baseline => "not run".to_owned(),
        Some(line) => {
            let limits = Limits::of(&plan, &config::load()?, None);
            let ground = Ground { root: &place.root, log: None, limit: limits.verify };
            stage1::run(&line, &ground, &context.ui)?.at_start()
        }
    };
    let was = goal.status();
    record(context, place, &name, &old, &begun, &verify)?;
    let reopened = if was.is_finished() { format!(" (was {})", was.word()) } else { String::new() };
    context.ui.line(&format!("started {name}{reopened}: verify {verify}"));
    if verify == "green" && old.kind.as_deref() != Some("refactor") {
        context.ui.note("note: verify is green before the work; it cannot show that the work was done");
    }
    Ok(Started { contract: old.digest.short(), id: name, at: begun.at, tree: begun.tree, verify, already: false })
}

/// Writes status and log, unless the contract was changed while `verify` ran.
fn record(
    context: &Context,
    place: &Place,
    name: &str,
    old: &contract::GoalContract,
    begun: &base::Begun,
    verify: &str,
) -> Result<()> {
    let stamp = config::stamp()?;
    context.change(place, |plan| {
        let goal = plan.find_goal(name)?;
        if contract::goal_contract(goal).digest != old.digest {
            let changed = format!("the contract of `{name}` was changed while its verify ran; nothing written");
            return Err(Error::new(Kind::Changed, changed).hint("start it again"));
        }
        let contract = old.digest.short();
        let start = Start { contract: &contract, at: &begun.at, tree: &begun.tree, verify };
        Ok(changes(goal, name, &stamp, line::started(name, &start)))
    })?;
    Ok(())
}

fn changes(goal: GoalRef<'_, '_>, name: &str, stamp: &str, started: String) -> Vec<Change> {
    let mut changes = Vec::new();
    let was = goal.status();
    if was != Status::Active {
        changes.push(Change::SetStatus { goal: goal.index(), status: Status::Active });
    }
    let mut log = |text: String| changes.push(Change::AppendLog { stamp: stamp.to_owned(), text });
    if was.is_finished() {
        log(line::reopened(name, was));
    }
    log(started);
    changes
}

/// Whether the log says that the goal was started since it was last reopened.
fn has_started(plan: &Plan<'_>, id: &str) -> bool {
    plan.log_lines()
        .rev()
        .filter_map(|(_, text)| read_line(text))
        .filter(|said| said.id == id)
        .find_map(|said| match said.what {
            What::Started(_) => Some(true),
            What::Reopened => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}
