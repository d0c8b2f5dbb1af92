//! `plan show`: shows a goal, or all of them.

use serde_json::json;

use super::{Context, Exit};
use crate::contract::approved;
use crate::error::{Error, Result};
use crate::plan::model::{GoalRef, Plan};
use crate::plan::{graph, view};
use crate::store;

/// Show a goal with its contract, steps, log lines and sign-off; or all goals
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan show cache-layer-1\n  plan show --line\n  plan show --format mermaid")]
pub struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: Option<String>,
    /// Show the digests of contracts, trees and commits too.
    #[arg(long, conflicts_with_all = ["line", "format"])]
    full: bool,
    /// One line for prompts and status bars; empty when nothing is active.
    #[arg(long, conflicts_with_all = ["id", "format"])]
    line: bool,
    /// Text, or a graph of goals, steps and needs.
    #[arg(long, value_enum, default_value_t)]
    format: ShowFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum ShowFormat {
    /// For people.
    #[default]
    Text,
    /// A Mermaid flowchart.
    Mermaid,
    /// A Graphviz graph.
    Dot,
}

/// Prints the requested view.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.line {
        return line(context);
    }
    let place = context.place()?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    if args.format != ShowFormat::Text {
        return graph(context, args, &plan);
    }
    let goals: Vec<GoalRef<'_, '_>> = match &args.id {
        Some(id) => vec![plan.find_goal(id)?],
        None => plan.live_goals().collect(),
    };
    if context.ui.is_json() {
        context.ui.json(&view::shown(&plan, &goals));
        return Ok(Exit::Yes);
    }
    view::show(&plan, &goals, args.full, context.ui.screen(), &mut context.ui.page());
    Ok(Exit::Yes)
}

/// Prints the line for a shell prompt. A prompt asks for it everywhere, so a missing plan gives no line and no error.
fn line(context: &Context) -> Result<Exit> {
    let Some(place) = context.find()? else {
        context.ui.json(&json!({ "line": null }));
        return Ok(Exit::Yes);
    };
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let line = view::line(&plan, approved::held(&place, &plan));
    if let Some(line) = &line {
        context.ui.line(line);
    }
    context.ui.json(&json!({ "line": line }));
    Ok(Exit::Yes)
}

fn graph(context: &Context, args: &Args, plan: &Plan<'_>) -> Result<Exit> {
    if args.id.is_some() {
        return Err(Error::input("a graph shows all goals").hint("leave the id out"));
    }
    let text = if args.format == ShowFormat::Mermaid { graph::mermaid(plan) } else { graph::dot(plan) };
    context.ui.line(text.trim_end());
    context.ui.json(&json!({ "graph": text }));
    Ok(Exit::Yes)
}
