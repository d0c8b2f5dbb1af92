//! One version of plan.md, read once: the goals in the order of the list, and what tells it from the version before.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::plan::model::{GoalRef, Plan};
use crate::plan::rules;
use crate::plan::view::{Board, Group, Tally};

/// A row of the list.
#[derive(Clone, Copy)]
pub(super) enum ListEntry<'p, 'a> {
    /// Something to look at outside the goals, by its place among them.
    Remark(usize),
    /// A goal.
    Goal(Group, GoalRef<'p, 'a>),
}

/// A version of plan.md.
pub(super) struct PlanVersion<'p, 'a> {
    pub(super) board: Board<'p, 'a>,
    pub(super) tally: Tally,
    pub(super) entries: Vec<ListEntry<'p, 'a>>,
}

impl<'p, 'a> PlanVersion<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>) -> Self {
        let board = Board::new(plan);
        let remarks = (0..board.others().count()).map(ListEntry::Remark);
        let entries = remarks.chain(board.goals().map(|(group, goal)| ListEntry::Goal(group, goal))).collect();
        PlanVersion { tally: board.tally(), entries, board }
    }

    pub(super) fn plan(&self) -> &'p Plan<'a> {
        self.board.plan()
    }

    /// The goal of a row.
    pub(super) fn goal(&self, entry: usize) -> Option<GoalRef<'p, 'a>> {
        match self.entries.get(entry)? {
            ListEntry::Goal(_, goal) => Some(*goal),
            ListEntry::Remark(_) => None,
        }
    }

    /// The goal to work on next.
    pub(super) fn next(&self) -> Option<GoalRef<'p, 'a>> {
        rules::next(self.plan())
    }

    /// A number for the bytes of each goal, by a number for its name.
    pub(super) fn prints(&self) -> HashMap<u64, u64> {
        self.plan().all_goals().map(|goal| (number(goal.name()), print(goal))).collect()
    }

    /// The goals that are new or other than in the version that these numbers are of.
    pub(super) fn changed<'v>(&'v self, before: &'v HashMap<u64, u64>) -> impl Iterator<Item = usize> + 'v {
        let is_other = |goal: &GoalRef<'_, '_>| before.get(&number(goal.name())) != Some(&print(*goal));
        self.plan().all_goals().filter(is_other).map(GoalRef::index)
    }
}

fn print(goal: GoalRef<'_, '_>) -> u64 {
    let raw = goal.raw();
    number(&goal.plan().source[raw.heading.start as usize..raw.body.range().end])
}

fn number(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
