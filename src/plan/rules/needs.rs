//! Determines which needs of a goal are not met.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::record::{Record, Standing};
use crate::plan::contract::Digests;
use crate::plan::lookup::NeedNames;
use crate::plan::model::{GoalRef, Key, Plan, Status};

/// The state of a goal that others need, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Its status is not done.
    NotDone,
    /// Its status is done, but no sign-off covers it: marking a goal by hand unblocks nothing.
    ByHand,
    /// It is signed off.
    Met,
}

/// The states of the goals that others need, read once for many queries. Empty if no goal needs anything.
pub struct Needs<'a> {
    names: NeedNames<'a>,
    /// Keyed by name, as in [`lookup::Need::name`](crate::plan::lookup::Need).
    needed: HashMap<String, Need>,
}

impl<'a> Needs<'a> {
    /// Reads all goals, including archived ones: a goal that was archived as done still counts as done.
    pub fn new(plan: &Plan<'a>) -> Self {
        let names = NeedNames::new(plan);
        let mut asked = BTreeSet::new();
        for goal in plan.all_goals().filter(|goal| goal.field(Key::Needs).is_some()) {
            asked.extend(names.of(goal).into_iter().flat_map(|need| need.goals));
        }
        let mut needed = HashMap::new();
        let (record, mut digests) = (OnceCell::new(), Digests::default());
        for goal in asked.into_iter().filter_map(|index| plan.goal(index)) {
            let mut is_signed_off =
                || record.get_or_init(|| Record::new(plan)).standing(goal, &mut digests) == Standing::SignedOff;
            let stands = match goal.status() {
                Status::Done if is_signed_off() => Need::Met,
                Status::Done => Need::ByHand,
                Status::Open | Status::Active | Status::Cancelled => Need::NotDone,
            };
            // If two goals share an id, both have to be done: the plan does not tell which one was meant.
            needed
                .entry(goal.name().to_owned())
                .and_modify(|worst: &mut Need| *worst = stands.min(*worst))
                .or_insert(stands);
        }
        Needs { names, needed }
    }

    /// The needs of a goal: the id of each goal, else its subject; if a need names no goal, the text in plan.md.
    pub fn of(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.names.of(goal).into_iter().map(|need| need.name).collect()
    }

    /// True if all needs of the goal are done and signed off.
    pub fn are_done(&self, goal: GoalRef<'_, 'a>) -> bool {
        goal.field(Key::Needs).is_none() || self.missing(goal).is_empty()
    }

    /// The needs of the goal that are not signed off, named as in [`Needs::of`]; names without a goal are included.
    pub fn missing(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.of(goal).into_iter().filter(|name| self.needed.get(name) != Some(&Need::Met)).collect()
    }

    /// Whether the goal of this name is done but no sign-off covers it.
    pub fn is_by_hand(&self, name: &str) -> bool {
        self.needed.get(name) == Some(&Need::ByHand)
    }
}
