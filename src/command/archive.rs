//! `plan archive`: moves finished goals below `# Archive`, byte for byte.

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::error::Result;
use crate::plan::change::Change;
use crate::plan::draft;
use crate::plan::log::LogLine;
use crate::plan::rules::{self, PlanRequest, PlanState};
use crate::shell::quote;

/// Move done and cancelled goals below `# Archive`, byte for byte
///
/// A done goal stays where it is if its sign-off is missing or covers another contract. In contract mode, `plan archive` works only
/// when the plan is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan archive")]
pub struct Args {}

/// Moves the goals and prints which ones.
pub fn run(context: &Context, _args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let (mut moved, mut kept, mut archived) = (Vec::new(), Vec::new(), 0);
    let stamp = config::stamp()?;
    context.change_as(&place, PlanRequest::Archive, |plan| {
        (moved, kept) = (Vec::new(), Vec::new());
        archived = plan.all_goals().filter(|goal| goal.raw().archived).count();
        let goals = draft::archivable(plan);
        for goal in plan.live_goals().filter(|goal| goal.status().is_finished()) {
            let list = if goals.contains(&goal.index()) { &mut moved } else { &mut kept };
            list.push(goal.name().to_owned());
        }
        if goals.is_empty() {
            return Ok(Vec::new());
        }
        // The approval was for these goals; the next goals need their own approval.
        let cleared = (rules::state(plan) == PlanState::Complete).then(|| Change::AppendLog {
            stamp: stamp.clone(),
            text: LogLine::Cleared { why: "complete and archived" }.to_string(),
        });
        Ok(std::iter::once(Change::Archive { goals }).chain(cleared).collect())
    })?;
    for name in &moved {
        context.ui.line(&format!("archived {name}"));
    }
    for name in &kept {
        let complete = format!("plan complete {}", quote(name));
        context.ui.line(&format!("! {name} stays: it is done, but no sign-off matches its contract: {complete}"));
    }
    if moved.is_empty() && kept.is_empty() {
        let where_looked = if archived > 0 {
            format!(" above the archive is done or cancelled, {archived} in it")
        } else {
            " is done or cancelled".to_owned()
        };
        context.ui.line(&format!("nothing to archive: no goal{where_looked}"));
    }
    context.ui.json(&json!({ "archived": moved, "kept": kept }));
    Ok(if moved.is_empty() { Exit::No } else { Exit::Yes })
}
