//! The menu of `plan review` on a terminal: Ready, Edit, $EDITOR, Cancel.

use serde_json::json;

use super::{ApprovalView, approve, check, name, print, shown};
use crate::command::{Context, Exit};
use crate::contract::approve::Approver;
use crate::error::Result;
use crate::plan::contract::PlanContract;
use crate::plan::difference;
use crate::process::editor;
use crate::session::review;
use crate::store::Place;
use crate::ui;

/// The items in the order of the menu.
const ITEMS: [&str; 4] = ["Ready: approve it", "Edit: say what to change", "$EDITOR: open plan.md", "Cancel"];

/// The question before a contract is approved.
pub(in crate::command) const QUESTION: &str = "Approve this contract?";

/// A person's decision at the menu.
pub(in crate::command) enum Decision {
    /// The contract is approved, now or already before.
    Approved,
    /// The person wants a change: their words, and the contract as it was shown.
    Change { words: String, shown: String },
    /// The person left the menu.
    Left,
}

/// Shows the menu until the person has decided. A wanted change is printed as the block for the agent's next message.
pub(in crate::command) fn run(context: &Context, place: &Place) -> Result<Exit> {
    Ok(match decide(context, place, &mut None)? {
        Decision::Approved => Exit::Yes,
        Decision::Change { words, shown } => {
            context.ui.line(&review::feedback_on(place, &shown, &words).unwrap_or(words));
            Exit::No
        }
        Decision::Left => Exit::No,
    })
}

/// Shows the contract, or its changes since the approval, until the person has decided. If it was never approved, shows
/// the changes since it was shown the last time: `seen` keeps that contract.
pub(in crate::command) fn decide(
    context: &Context,
    place: &Place,
    seen: &mut Option<PlanContract>,
) -> Result<Decision> {
    loop {
        let shown = shown(context, place)?;
        if !shown.is_open {
            context.ui.line(&nothing_to_decide(&shown));
            context.ui.json(&json!({ "review": "approved" }));
            return Ok(Decision::Approved);
        }
        match seen.as_ref().filter(|_| !shown.is_difference) {
            Some(before) => context.ui.rows(&difference::rows(before, &shown.contract, &[])),
            None => print(context, &shown),
        }
        let text = shown.text();
        *seen = Some(shown.contract);
        let invalid = check(place).err();
        if let Some(error) = &invalid {
            context.ui.error(error);
        }
        context.ui.flush();
        match ui::select("What now?", &ITEMS)? {
            // The space bar chooses an item, too: a person who types ahead is asked before anything is approved.
            Some(0) if invalid.is_none() => {
                if !context.ui.agrees(QUESTION)? {
                    continue;
                }
                approve(context, place, &shown.version, &Approver::new(&name(place, None), "terminal", None))?;
                return Ok(Decision::Approved);
            }
            Some(0) => context.ui.note("note: fix the plan first; it is then shown again"),
            Some(1) => {
                let words = ui::ask_line("What is to change?")?.trim().to_owned();
                if !words.is_empty() {
                    return Ok(Decision::Change { words, shown: text });
                }
            }
            Some(2) => drop(editor::edit(&place.file, None, &place.root)?),
            _ => {
                context.ui.line("nothing was decided");
                return Ok(Decision::Left);
            }
        }
    }
}

/// `nothing to decide: ada approved it (2026-06-15 14:02)`
pub(in crate::command) fn nothing_to_decide(shown: &ApprovalView) -> String {
    format!("nothing to decide: {}", shown.approved.as_deref().unwrap_or("it is approved"))
}
