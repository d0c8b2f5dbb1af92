//! `plan`, `plan list`: the task list.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use super::{Context, Exit};
use crate::contract::approved;
use crate::contract::rewind::Journal;
use crate::error::Result;
use crate::plan::model::{LintFinding, Plan};
use crate::plan::parse;
use crate::plan::rules;
use crate::plan::snippet;
use crate::plan::view::{self, Filter, Listing, StatusFilter};
use crate::session::loop_driver::{self, LoadedLoop};
use crate::session::{self, draft};
use crate::shell::quote;
use crate::signoff::advice;
use crate::store::{self, OtherPlan, Place};

/// The maximum number of unfit commands in the list; `plan lint` prints all.
const UNFIT: usize = 3;

/// List the goals, most important first
///
/// Goals marked `!` need a look and come first. Then come active goals, ready ones by priority, and goals that wait for others. Every
/// command accepts the number in front of a goal.
#[derive(Debug, Default, clap::Args)]
#[command(
    visible_aliases = ["ls", "status"],
    after_help = "Example:\n  plan list --status ready\n  plan list --needs cache-layer-1\n  plan list cache"
)]
pub struct Args {
    /// Include done and cancelled goals; for archived ones, use `plan goal list --all`.
    #[arg(long)]
    all: bool,
    /// Only goals in this state: open, ready, waiting, active, done or cancelled; repeatable.
    #[arg(long, value_parser = status, value_name = "S", value_delimiter = ',')]
    status: Vec<StatusFilter>,
    /// Only goals that need this one.
    #[arg(long, value_name = "ID")]
    needs: Option<String>,
    /// Only goals that have this text in subject or id.
    text: Vec<String>,
}

impl Args {
    /// The arguments of `plan` without a command.
    pub fn of(all: bool) -> Self {
        Args { all, ..Args::default() }
    }
}

/// Parses `--status`.
fn status(word: &str) -> std::result::Result<StatusFilter, String> {
    StatusFilter::from_word(word).ok_or_else(|| "expected open, ready, waiting, active, done or cancelled".to_owned())
}

/// The task list under `--json`.
#[derive(Serialize)]
struct Listed {
    file: String,
    /// The reason why the last draft failed, if the plan has no goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    /// The tool that wrote this file, if it was not `plan`.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_tool: Option<OtherPlan>,
    #[serde(flatten)]
    plan: view::PlanView,
}

/// Prints the task list; without a plan.md, how to begin. Returns [`Exit::No`] if a filter finds nothing.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let Some(place) = context.find()? else { return Ok(nowhere(context)) };
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let needs = args.needs.as_ref().map(|name| plan.find_goal(name)).transpose()?;
    let filter = Filter {
        statuses: args.status.clone(),
        needs: needs.map(|goal| goal.name().to_owned()),
        text: args.text.join(" ").trim().to_owned(),
    };
    let is_filtered = !filter.is_empty();
    let is_empty = plan.live_goals().next().is_none();
    let last_error = if is_empty { draft::last_error(&place) } else { None };
    let other = context.other_tool(&place, Some(&plan));
    if let Some(other) = other.as_ref().filter(|_| !context.ui.is_json()) {
        // The file belongs to the other tool, so nothing of it is shown.
        context.ui.line(&format!("No plan made with `plan` here. {}: `{}`", other.describe(), other.command));
        return Ok(Exit::Yes);
    }
    let found = if context.ui.is_json() {
        let plan = view::plan_view(&plan, args.all, &filter);
        let found = plan.goals.len();
        context.ui.json(&Listed {
            file: place.shown.to_string_lossy().into_owned(),
            last_error,
            other_tool: other,
            plan,
        });
        found
    } else {
        // A goal with an unfit command can never be signed off.
        let unfit = advice::errors(&plan);
        let listing = Listing {
            options: context.options().to_owned(),
            all: args.all,
            filter,
            screen: context.ui.screen(),
            notes: [agreed(context, &place, &plan), notes(&place), failed(last_error), unfit_notes(&plan, &unfit)]
                .concat(),
            unfit: unfit.into_iter().map(|finding| finding.span).collect(),
        };
        view::list(&plan, &listing, &mut context.ui.page())
    };
    context.note_ignored(&place);
    Ok(if is_filtered && found == 0 { Exit::No } else { Exit::Yes })
}

/// Prints how to begin without a plan.md.
fn nowhere(context: &Context) -> Exit {
    let (other, below) = (OtherPlan::below(&context.cwd), plans_below(&context.cwd));
    match &other {
        Some(other) => context.ui.line(&format!("No plan.md here. {}: `{}`", other.describe(), other.command)),
        None if !below.is_empty() => {
            let plans: Vec<String> = below.iter().map(|folder| format!("`plan -C {}`", quote(folder))).collect();
            context.ui.line(&format!("No plan.md here, but below: {}", plans.join(", ")));
        }
        None => {
            context.ui.line("No plan.md here. `plan init \"objective\"` writes one; `plan demo` shows how it works.");
        }
    }
    let last_error = context.new_place().ok().and_then(|place| draft::last_error(&place));
    if let Some(why) = &last_error {
        context.ui.line(&format!("last draft failed: {why}"));
    }
    let mut body = json!({ "file": null, "goals": [] });
    if let Some(why) = last_error {
        body["last_error"] = why.into();
    }
    if let Some(other) = other {
        body["other_tool"] = json!(other);
    }
    context.ui.json(&body);
    Exit::Yes
}

/// Returns the folders in `cwd` that have a plan with goals, at most a few.
fn plans_below(cwd: &Path) -> Vec<String> {
    let holds_goals = |folder: &PathBuf| {
        let file = folder.join("plan.md");
        // Only a short file is read: this is a hint.
        let is_plain = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file() && meta.len() < LONGEST);
        let source = if is_plain { fs::read(&file).unwrap_or_default() } else { Vec::new() };
        parse::parse(&source).is_ok_and(|plan| !plan.goals.is_empty())
    };
    let folders = fs::read_dir(cwd).into_iter().flatten().flatten().map(|entry| entry.path());
    let plans = folders.take(FOLDERS).filter(holds_goals);
    let mut names: Vec<String> =
        plans.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned())).take(PLANS).collect();
    names.sort_unstable();
    names
}

/// The maximum number of folders that are searched for a plan, of plans that are named, and of bytes of each.
const FOLDERS: usize = 200;
const PLANS: usize = 5;
const LONGEST: u64 = 4 << 20;

/// Returns the note about the draft that failed last.
fn failed(why: Option<String>) -> Vec<(&'static str, String)> {
    why.map(|why| ("!", format!("last draft failed: {why}"))).into_iter().collect()
}

fn unfit_notes(plan: &Plan<'_>, unfit: &[LintFinding]) -> Vec<(&'static str, String)> {
    let line = |finding: &LintFinding| snippet::place(plan.source, finding.span.start as usize).0;
    unfit.iter().take(UNFIT).map(|finding| ("!", format!("line {}: {}", line(finding), finding.message))).collect()
}

/// Returns the note about the contract of a plan in contract mode.
fn agreed(context: &Context, place: &Place, plan: &Plan<'_>) -> Vec<(&'static str, String)> {
    let told = rules::standing_of_contract(plan);
    let told = told.map(|told| approved::held(place, plan).unwrap_or(told));
    // The command stands at the end.
    let typed = |told: String| match told.rsplit_once(": ") {
        Some((why, command)) => format!("{why}: {}", context.typed(command)),
        None => told,
    };
    told.map(|told| ("contract", typed(told))).into_iter().collect()
}

/// Returns the notes about what stops the work and about the loop that drives it.
fn notes(place: &Place) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if let Ok(Some(journal)) = Journal::read(place) {
        notes.push(("!", format!("{}: {}", journal.describe(place), journal.way_on())));
    }
    if let Some(reason) = session::hold(place).and_then(|hold| hold.paused) {
        notes.push(("paused", format!("{reason} (plan pause --off)")));
    }
    if let LoadedLoop::Loop(found) = loop_driver::status(place).found {
        let turns = format!("{} of {} turns used", found.spent, found.budget);
        notes.push(match &found.paused {
            Some(pause) => ("loop", format!("paused, {turns}: {} (plan loop resume)", pause.why)),
            None if found.left() == 0 => ("loop", format!("finished, {turns} (plan loop start)")),
            None => ("loop", format!("on, {turns}")),
        });
    }
    notes
}
