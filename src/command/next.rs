//! `plan next`: the next thing to work on.

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::model::Plan;
use crate::plan::rules::Needs;
use crate::plan::{rules, view};
use crate::store;

/// Print the next thing to work on, in one line
///
/// Active goals come first, then open ones whose `needs` are done, by priority. Nothing left, or a plan in contract mode that
/// waits for a person: exit 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan next --all")]
pub struct Args {
    /// Every goal that can be worked on; the first line is what `plan next` prints.
    #[arg(long)]
    all: bool,
}

/// Prints the line or lines.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.place()?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let held = rules::held(&plan);
    let goals = match (&held, args.all) {
        (Some(_), _) => Vec::new(),
        (None, true) => rules::workable(&plan),
        (None, false) => rules::next(&plan).into_iter().collect(),
    };
    for goal in &goals {
        context.ui.line(&view::goal_line(*goal));
    }
    let warnings = view::out_of_sight(&plan);
    warnings.iter().for_each(|warning| context.ui.note(&format!("! {warning}")));
    if goals.is_empty() {
        context.ui.note(&held.map_or_else(|| nothing(&plan), |held| held.to_string()));
    }
    if context.ui.is_json() {
        let goals: Vec<view::ReadyView> = goals.iter().map(|goal| view::ready_view(*goal)).collect();
        context.ui.json(&serde_json::json!({ "goals": goals, "warnings": warnings }));
    }
    Ok(if goals.is_empty() { Exit::No } else { Exit::Yes })
}

/// Why there is nothing to work on.
fn nothing(plan: &Plan<'_>) -> String {
    match rules::unfinished(plan).next() {
        Some(goal) => {
            let needs: Vec<String> = Needs::new(plan).missing(goal).iter().map(|id| format!("`{id}`")).collect();
            let (name, needs) = (goal.name(), needs.join(", "));
            format!("nothing is ready: every open goal waits for another; `{name}` waits for {needs}")
        }
        None => "nothing is left: no goal is open or active".to_owned(),
    }
}
