//! `plan next`: prints the next thing to work on.

use super::{Context, Exit};
use crate::contract::approved;
use crate::error::Result;
use crate::plan::model::Plan;
use crate::plan::rules::{Needs, PlanState};
use crate::plan::{rules, view};
use crate::store::{self, Place};

/// Print the next thing to work on, in one line
///
/// Active goals come first, then open ones whose `needs` are done, by priority; in contract mode the goals come in file order.
/// Exit 1 if no goal is left, or if a plan in contract mode waits for a person.
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
    if rules::state(&plan) != PlanState::Guide {
        return in_order(context, &place, &plan);
    }
    let goals = if args.all { rules::workable(&plan) } else { rules::next(&plan).into_iter().collect() };
    for goal in &goals {
        context.ui.line(&view::goal_line(*goal));
    }
    let warnings = view::out_of_sight(&plan);
    warnings.iter().for_each(|warning| context.ui.note(&format!("! {warning}")));
    if goals.is_empty() {
        context.ui.note(&nothing(&plan));
    }
    if context.ui.is_json() {
        let goals: Vec<view::ReadyView> = goals.iter().map(|goal| view::ready_view(*goal)).collect();
        context.ui.json(&serde_json::json!({ "goals": goals, "warnings": warnings }));
    }
    Ok(if goals.is_empty() { Exit::No } else { Exit::Yes })
}

/// Prints the only next thing in contract mode, where goals are worked on in file order.
fn in_order(context: &Context, place: &Place, plan: &Plan<'_>) -> Result<Exit> {
    let (state, held) = (rules::state(plan), approved::held(place, plan));
    let is_active = state == PlanState::Active;
    let goal = rules::current(plan).filter(|_| is_active && held.is_none());
    // Only sign-offs are left.
    let unsigned =
        || plan.live_goals().find(|goal| !goal.status().is_finished()).filter(|_| is_active && held.is_none());
    let complete = unsigned().filter(|_| goal.is_none()).map(|goal| format!("plan complete {}", goal.typed()));
    goal.iter().for_each(|goal| context.ui.line(&view::goal_line(*goal)));
    complete.iter().for_each(|command| context.ui.line(command));
    let warnings = view::out_of_sight(plan);
    warnings.iter().for_each(|warning| context.ui.note(&format!("! {warning}")));
    let is_something = goal.is_some() || complete.is_some();
    if !is_something {
        let nothing = || "nothing is left: no goal is open or active".to_owned();
        context.ui.note(&held.clone().unwrap_or_else(nothing));
    }
    if context.ui.is_json() {
        let goals: Vec<view::ReadyView> = goal.iter().map(|goal| view::ready_view(*goal)).collect();
        context.ui.json(&serde_json::json!({
            "goals": goals, "warnings": warnings, "state": state.word(), "held": held,
            "complete": complete,
        }));
    }
    Ok(if is_something { Exit::Yes } else { Exit::No })
}

/// Returns why there is nothing to work on.
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
