//! Tells which needs of a goal are not met.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::record::{Record, Standing};
use crate::plan::contract::Digests;
use crate::plan::lookup::NeedNames;
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
    names: NeedNames<'a>,
    /// By name, as [`lookup::Need::name`](crate::plan::lookup::Need).
    needed: HashMap<String, Need>,
}

impl<'a> Needs<'a> {
    /// Reads all goals, archived ones too: what was archived as done still counts as done.
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
            // Of two goals with one id both have to be done: nobody can tell which was meant.
            needed
                .entry(goal.name().to_owned())
                .and_modify(|worst: &mut Need| *worst = stands.min(*worst))
                .or_insert(stands);
        }
        Needs { names, needed }
    }

    /// What the goal needs: the id of each goal, else its subject; what stands in plan.md where that names no goal.
    pub fn of(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.names.of(goal).into_iter().map(|need| need.name).collect()
    }

    /// True where everything that the goal needs is done and signed off.
    pub fn are_done(&self, goal: GoalRef<'_, 'a>) -> bool {
        goal.field(Key::Needs).is_none() || self.missing(goal).is_empty()
    }

    /// What the goal needs and what is not signed off, as [`Needs::of`] names it; names of no goal are among them.
    pub fn missing(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.of(goal).into_iter().filter(|name| self.needed.get(name) != Some(&Need::Met)).collect()
    }

    /// Whether the goal of this name says done while no sign-off covers it.
    pub fn is_by_hand(&self, name: &str) -> bool {
        self.needed.get(name) == Some(&Need::ByHand)
    }
}
