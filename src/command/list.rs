//! `plan`: the task list.

use serde::Serialize;
use serde_json::json;

use super::{Context, Exit};
use crate::error::Result;
use crate::plan::view;
use crate::store;

/// The task list under `--json`.
#[derive(Serialize)]
struct Listed {
    file: String,
    #[serde(flatten)]
    plan: view::PlanView,
}

/// Prints the task list; without a plan.md, how to begin.
pub fn run(context: &Context, all: bool) -> Result<Exit> {
    let Some(place) = context.find()? else {
        context.ui.line("No plan.md here. `plan init \"objective\"` writes one; `plan demo` shows what it is for.");
        context.ui.json(&json!({ "file": null, "goals": [] }));
        return Ok(Exit::Yes);
    };
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    if context.ui.is_json() {
        context
            .ui
            .json(&Listed { file: place.shown.to_string_lossy().into_owned(), plan: view::plan_view(&plan, all) });
    } else {
        view::list(&plan, all, &mut context.ui.page());
    }
    context.note_ignored(&place);
    Ok(Exit::Yes)
}
