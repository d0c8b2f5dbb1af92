//! Finds the needs of a goal that are not met.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::record::{GoalRecords, Standing};
use super::state::{Approvals, is_finished};
use crate::plan::contract::Digests;
use crate::plan::lookup::NeedNames;
use crate::plan::model::{GoalRef, Key, Plan, Status};

/// The state of a goal that others need, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Its status is not `done`.
    NotDone,
    /// Its status is `done`, but no sign-off covers it: a goal that is ticked by hand unblocks nothing.
    ByHand,
    /// It is signed off.
    Met,
}

/// The states of the goals that others need. They are read once for many lookups. Empty if no goal needs anything.
pub struct Needs<'a> {
    names: NeedNames<'a>,
    /// By name, as [`lookup::Need::name`](crate::plan::lookup::Need).
    needed: HashMap<String, Need>,
    /// The goal that is worked on first in contract mode, as an index; `None` in guide mode, and if no work is left. Read when it
    /// is first asked for, because most callers ask for needs alone.
    current: OnceCell<Option<usize>>,
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
                || record.get_or_init(|| GoalRecords::new(plan)).standing(goal, &mut digests) == Standing::SignedOff;
            let stands = match goal.status() {
                Status::Done if is_signed_off() => Need::Met,
                Status::Done => Need::ByHand,
                Status::Open | Status::Active | Status::Cancelled => Need::NotDone,
            };
            // If two goals have the same id, both have to be done: nobody can tell which one was meant.
            needed
                .entry(goal.name().to_owned())
                .and_modify(|worst: &mut Need| *worst = stands.min(*worst))
                .or_insert(stands);
        }
        Needs { names, needed, current: OnceCell::new() }
    }

    /// Returns the needs of the goal, each by its id, else its subject. A need that names no goal is returned as written in plan.md.
    pub fn of(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.names.of(goal).into_iter().map(|need| need.name).collect()
    }

    /// True if every need of the goal is done and signed off.
    pub fn are_done(&self, goal: GoalRef<'_, 'a>) -> bool {
        goal.field(Key::Needs).is_none() || self.missing(goal).is_empty()
    }

    /// True if work on the goal may begin: its needs are done, and in contract mode every goal before it is finished.
    pub fn is_ready(&self, goal: GoalRef<'_, 'a>) -> bool {
        self.current(goal.plan()).is_none_or(|current| current == goal.index()) && self.are_done(goal)
    }

    /// True in contract mode while work is left: priorities have no effect then.
    pub fn is_in_file_order(&self, plan: &Plan<'a>) -> bool {
        self.current(plan).is_some()
    }

    fn current(&self, plan: &Plan<'a>) -> Option<usize> {
        let unfinished = || plan.live_goals().find(|goal| !is_finished(*goal)).map(GoalRef::index);
        *self.current.get_or_init(|| Approvals::read(plan).holds(plan).then(unfinished).flatten())
    }

    /// Returns the needs of the goal that are not signed off, named as in [`Needs::of`], including needs that name no goal.
    pub fn missing(&self, goal: GoalRef<'_, 'a>) -> Vec<String> {
        self.of(goal).into_iter().filter(|name| self.needed.get(name) != Some(&Need::Met)).collect()
    }

    /// Whether the goal with this name is `done` but no sign-off covers it.
    pub fn is_by_hand(&self, name: &str) -> bool {
        self.needed.get(name) == Some(&Need::ByHand)
    }
}
