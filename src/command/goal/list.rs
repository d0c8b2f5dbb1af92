//! `plan goal list`.

use crate::command::{Context, Exit};
use crate::error::Result;
use crate::plan::model::GoalRef;
use crate::plan::view;
use crate::store;

/// List the goals, one line each
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal list --all")]
pub(super) struct Args {
    /// Done, cancelled and archived goals too.
    #[arg(long)]
    all: bool,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.place()?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let shown = |goal: &GoalRef<'_, '_>| args.all || !(goal.status().is_finished() || goal.raw().archived);
    if context.ui.is_json() {
        let goals = view::goal_views(&plan, plan.all_goals().filter(shown));
        context.ui.json(&serde_json::json!({ "goals": goals }));
    } else {
        let mut goals = plan.all_goals().filter(shown).peekable();
        if goals.peek().is_none() && plan.all_goals().next().is_some() {
            context.ui.note("no open goals; `plan goal list --all` shows the others");
        }
        for goal in goals {
            let id = goal.id().unwrap_or("-");
            context.ui.line(&format!("{}  {}  {}", goal.status().word(), id, goal.subject()));
        }
    }
    Ok(Exit::Yes)
}
