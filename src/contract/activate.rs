//! Makes the next step active after an approval, a finished step, a sign-off or a rewind (`CONTRACT.md` §3.1).

use std::collections::HashMap;

use crate::error::Result;
use crate::plan::change::Change;
use crate::plan::contract::goal_contract;
use crate::plan::model::{GoalRef, Mark, Plan, Status};
use crate::plan::rules;
use crate::signoff::start::{self, PinnedStart};
use crate::store::Place;
use crate::verify::watch::Watch;

/// The step that a write makes active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activated {
    /// Its number, or `<goal-id>.<position>` if it has no number.
    pub step: String,
    /// Its text.
    pub text: String,
    /// Its goal.
    pub goal: String,
    /// True if the goal was open and becomes active with this write.
    pub is_goal_started: bool,
}

/// Activates steps for one write of plan.md. The write may be tried more than once; a base that one try recorded is used by the next.
pub struct Activation<'p> {
    place: &'p Place,
    watch: &'p dyn Watch,
    pinned: HashMap<String, PinnedStart>,
    used: Option<String>,
    /// The step that the last call of [`Activation::changes`] activates.
    pub activated: Option<Activated>,
}

impl<'p> Activation<'p> {
    /// Creates the activation for a write of this plan.md.
    pub fn new(place: &'p Place, watch: &'p dyn Watch) -> Self {
        Activation { place, watch, pinned: HashMap::new(), used: None, activated: None }
    }

    /// Returns the changes that make the next step of `after`, the future plan, active; empty if there is no next step. If this begins a
    /// goal, its base is recorded and a line `started (…, verify not run)` is added. Goals and steps are named as in `after`.
    ///
    /// # Errors
    /// As [`start::record`].
    pub fn changes(&mut self, after: &Plan<'_>, stamp: &str) -> Result<Vec<Change>> {
        (self.activated, self.used) = (None, None);
        let Some(step) = rules::next_activation(after).and_then(|index| after.step(index)) else {
            return Ok(Vec::new());
        };
        let goal = step.goal();
        let mut changes = vec![Change::SetMark { step: step.index(), mark: Mark::Active, outcome: None }];
        let is_goal_started = goal.status() == Status::Open;
        changes.extend(self.begin(goal, stamp)?);
        let (name, text) = (step.name(), step.text().to_owned());
        self.activated = Some(Activated { step: name, text, goal: goal.name().to_owned(), is_goal_started });
        Ok(changes)
    }

    /// Returns the changes that begin the goal of the step that `after` has already made active; empty if the goal has begun before.
    ///
    /// # Errors
    /// As [`start::record`].
    pub fn of_active(&mut self, after: &Plan<'_>, stamp: &str) -> Result<Vec<Change>> {
        (self.activated, self.used) = (None, None);
        let step = rules::active_steps(after).first().and_then(|index| after.step(*index));
        step.map_or(Ok(Vec::new()), |step| self.begin(step.goal(), stamp))
    }

    /// Records the base of an open goal, once for each contract, and makes the goal active.
    fn begin(&mut self, goal: GoalRef<'_, '_>, stamp: &str) -> Result<Vec<Change>> {
        if goal.status() != Status::Open {
            return Ok(Vec::new());
        }
        let id = goal.name().to_owned();
        let is_same = |pinned: &PinnedStart| pinned.contract().digest == goal_contract(goal).digest;
        if !self.pinned.get(&id).is_some_and(is_same) {
            let pinned = start::record(self.place, goal, self.watch)?;
            if let Some(old) = self.pinned.insert(id.clone(), pinned) {
                old.withdraw()?;
            }
        }
        let changes = self.pinned.get(&id).map(|pinned| pinned.changes(goal, stamp)).unwrap_or_default();
        self.used = Some(id);
        Ok(changes)
    }

    /// Ends the write: removes every recorded base that it did not use.
    ///
    /// # Errors
    /// Errors of git.
    pub fn end(self, is_written: bool) -> Result<()> {
        let is_unused = |id: &String| !is_written || self.used.as_ref() != Some(id);
        self.pinned.iter().filter(|(id, _)| is_unused(id)).try_for_each(|(_, pinned)| pinned.withdraw())
    }
}
