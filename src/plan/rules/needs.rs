//! What goals wait for.

use std::collections::HashMap;

use crate::plan::model::{GoalRef, Key, Plan, Status};

/// Which ids are done, read once so that many goals can be asked about. Empty where no goal needs anything.
pub struct Needs<'a> {
    done: HashMap<&'a str, bool>,
}

impl<'a> Needs<'a> {
    /// Reads all goals, archived ones too: what was archived as done still counts as done.
    pub fn new(plan: &Plan<'a>) -> Self {
        let mut done = HashMap::new();
        if plan.fields.iter().any(|field| field.key == Key::Needs) {
            for goal in plan.all_goals() {
                let Some(id) = goal.id() else { continue };
                // Of two goals with one id both have to be done: nobody can tell which was meant.
                *done.entry(id).or_insert(true) &= goal.status() == Status::Done;
            }
        }
        Needs { done }
    }

    /// True where everything that the goal needs is done.
    pub fn are_done(&self, goal: GoalRef<'_, '_>) -> bool {
        goal.field(Key::Needs).is_none() || self.missing(goal).is_empty()
    }

    /// The ids that the goal needs and that are not done, unknown ones among them.
    pub fn missing(&self, goal: GoalRef<'_, '_>) -> Vec<String> {
        goal.needs().into_iter().filter(|id| !self.done.get(id.as_str()).copied().unwrap_or(false)).collect()
    }
}
