//! One version of plan.md, read once: its goals in list order, and the data to compare it with the previous version.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::plan::model::{GoalRef, Plan};
use crate::plan::rules;
use crate::plan::view::{Board, GoalTally, Group};

/// A row of the list.
#[derive(Clone, Copy)]
pub(super) enum ListEntry<'p, 'a> {
    /// A remark about no goal, by its index among these remarks.
    Remark(usize),
    /// A goal.
    Goal(Group, GoalRef<'p, 'a>),
}

/// A version of plan.md.
pub(super) struct PlanVersion<'p, 'a> {
    pub(super) board: Board<'p, 'a>,
    pub(super) tally: GoalTally,
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

    /// The goal of a row, if the row has one.
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

    /// A hash of each goal's bytes, keyed by the hash of its name.
    pub(super) fn prints(&self) -> HashMap<u64, u64> {
        self.plan().all_goals().map(|goal| (number(goal.name()), print(goal))).collect()
    }

    /// The goals that are new or different, compared with the version that the hashes come from.
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
