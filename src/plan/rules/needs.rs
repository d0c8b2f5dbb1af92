//! What goals wait for.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::record::{Record, Standing};
use crate::plan::contract::Digests;
use crate::plan::model::{GoalRef, Key, Plan, Status};

/// How a goal that others need stands, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// It does not say that it is done.
    NotDone,
    /// It says so, and no sign-off covers it: who ticks a goal by hand opens nothing by that.
    ByHand,
    /// It is signed off.
    Met,
}

/// How the goals stand that others need, read once so that many goals can be asked about. Empty where no goal needs anything.
pub struct Needs<'a> {
    needed: HashMap<&'a str, Need>,
}

impl<'a> Needs<'a> {
    /// Reads all goals, archived ones too: what was archived as done still counts as done.
    pub fn new(plan: &Plan<'a>) -> Self {
        let mut needed = HashMap::new();
        if !plan.fields.iter().any(|field| field.key == Key::Needs) {
            return Needs { needed };
        }
        let asked: HashSet<String> = plan.all_goals().flat_map(GoalRef::needs).collect();
        let (record, mut digests) = (OnceCell::new(), Digests::default());
        for goal in plan.all_goals() {
            let Some(id) = goal.id().filter(|id| asked.contains(*id)) else { continue };
            let mut is_signed_off =
                || record.get_or_init(|| Record::new(plan)).standing(goal, &mut digests) == Standing::SignedOff;
            let stands = match goal.status() {
                Status::Done if is_signed_off() => Need::Met,
                Status::Done => Need::ByHand,
                Status::Open | Status::Active | Status::Cancelled => Need::NotDone,
            };
            // Of two goals with one id both have to be done: nobody can tell which was meant.
            needed.entry(id).and_modify(|worst: &mut Need| *worst = stands.min(*worst)).or_insert(stands);
        }
        Needs { needed }
    }

    /// True where everything that the goal needs is done and signed off.
    pub fn are_done(&self, goal: GoalRef<'_, '_>) -> bool {
        goal.field(Key::Needs).is_none() || self.missing(goal).is_empty()
    }

    /// The ids that the goal needs and that are not signed off, unknown ones among them.
    pub fn missing(&self, goal: GoalRef<'_, '_>) -> Vec<String> {
        goal.needs().into_iter().filter(|id| self.needed.get(id.as_str()) != Some(&Need::Met)).collect()
    }

    /// Whether the goal with this id says done while no sign-off covers it.
    pub fn is_by_hand(&self, id: &str) -> bool {
        self.needed.get(id) == Some(&Need::ByHand)
    }
}
