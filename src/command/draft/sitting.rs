//! A person at the menu says what to change in a draft, and the agent drafts again (`CONTRACT.md` §8, row 3).

use serde_json::json;

use crate::command::decision::menu::{self, Decision};
use crate::command::{Context, Exit};
use crate::error::{Error, Kind, Result};
use crate::plan::change;
use crate::plan::contract::PlanContract;
use crate::plan::draft::DraftChanges;
use crate::plan::edit::{self, Edit};
use crate::plan::parse;
use crate::session::events;
use crate::store::{self, Place};

/// One call of `plan draft`, from the first draft to the decision.
#[derive(Default)]
pub(super) struct Sitting {
    /// The changes that the person wants in the last draft.
    words: Option<String>,
    /// The contract that the person saw last.
    seen: Option<PlanContract>,
    /// plan.md before the first draft, and with the last one.
    bytes: Option<(Vec<u8>, Vec<u8>)>,
}

impl Sitting {
    /// Returns the changes that the person wants; `None` before the first draft.
    pub(super) fn words(&self) -> Option<&str> {
        self.words.as_deref()
    }

    /// Returns plan.md as it was before the first draft, if nobody has changed it since the last one. Then another
    /// draft takes its place, with its ids and numbers, as if the last draft had never existed.
    pub(super) fn before(&self, now: &[u8]) -> Option<Vec<u8>> {
        self.bytes.as_ref().filter(|(_, with)| with == now).map(|(before, _)| before.clone())
    }

    /// Records that a draft was written.
    pub(super) fn drafted(&mut self, before: Vec<u8>, with: Vec<u8>) {
        self.bytes = Some((before, with));
    }

    /// Shows the menu. Returns `None` if the person wants another draft.
    pub(super) fn ask(&mut self, context: &Context, place: &Place) -> Result<Option<Exit>> {
        Ok(match menu::decide(context, place, &mut self.seen)? {
            Decision::Approved => Some(Exit::Yes),
            Decision::Change { words, .. } => {
                self.words = Some(words);
                None
            }
            Decision::Left => Some(Exit::No),
        })
    }

    /// Names the command that shows the earlier draft, if there is one.
    pub(super) fn way_on(&self, error: Error) -> Error {
        if self.words.is_some() { error.hint("`plan review` shows the plan as it stands") } else { error }
    }
}

/// Replaces the last draft, which is in `now`, by a new one.
pub(super) fn rewrite(
    context: &Context,
    place: &Place,
    now: &[u8],
    before: &[u8],
    drafted: &DraftChanges,
) -> Result<()> {
    let text = edit::apply(before, &change::edits(&parse(before)?, &drafted.changes)?)?;
    let updated = store::update(place, |source| match source == now {
        true => Ok(vec![Edit { range: 0..source.len(), text: text.clone() }]),
        false => Err(changed_meanwhile()),
    })?;
    context.notes(&updated.notes);
    events::append(place, "plan_updated", &json!({ "goals": {}, "log": ["drafted again"] }));
    Ok(())
}

pub(super) fn changed_meanwhile() -> Error {
    Error::new(Kind::Changed, "plan.md changed while the plan was drafted; nothing was written")
        .hint("draft again: `plan draft`")
}
