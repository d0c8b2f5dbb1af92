//! What the checks of an audit look at.

use std::collections::{HashMap, HashSet};

use super::lines::{AuditLine, lines};
use super::past::Past;
use super::refs::Refs;
use crate::plan::contract::{Amendment, Digests, GoalContract, goal_contract};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{Record, SignOff, Standing};

/// The plan as it stands, its log, its records, and what it was.
pub(super) struct Facts<'s> {
    pub(super) plan: &'s Plan<'s>,
    /// The plan file relative to the top of the work tree.
    pub(super) file: &'s str,
    /// The log above the archive.
    pub(super) log: Vec<AuditLine<'s>>,
    by_goal: HashMap<&'s str, Vec<usize>>,
    /// Every goal that says it is done, archived ones too.
    pub(super) done: Vec<DoneGoal<'s>>,
    /// None without a repository.
    pub(super) refs: Option<&'s Refs>,
    pub(super) past: Option<PastPlan<'s>>,
    /// Finds contracts in older versions of the plan file.
    pub(super) older: &'s dyn Fn(&str, &str) -> Option<GoalContract>,
}

/// The plan file as it was, where it was there.
#[derive(Clone, Copy)]
pub(super) struct PastPlan<'s> {
    pub(super) past: &'s Past,
    pub(super) plan: Option<&'s Plan<'s>>,
}

impl<'s> PastPlan<'s> {
    /// The log as it was, above the archive.
    pub(super) fn log(&self) -> Vec<AuditLine<'s>> {
        self.plan.map(|plan| lines(plan, false)).unwrap_or_default()
    }

    /// Stamp and text of each line of that log.
    pub(super) fn known(&self) -> HashSet<(&'s str, &'s str)> {
        self.log().iter().map(AuditLine::key).collect()
    }
}

/// A goal that says it is done.
pub(super) struct DoneGoal<'s> {
    pub(super) goal: GoalRef<'s, 's>,
    pub(super) standing: Standing,
    /// The last sign-off of it, with its place.
    pub(super) line: Option<(usize, SignOff<'s>)>,
}

impl<'s> Facts<'s> {
    pub(super) fn new(
        plan: &'s Plan<'s>,
        file: &'s str,
        refs: Option<&'s Refs>,
        past: Option<PastPlan<'s>>,
        older: &'s dyn Fn(&str, &str) -> Option<GoalContract>,
    ) -> Self {
        let log = lines(plan, false);
        let mut by_goal: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, line) in log.iter().enumerate() {
            line.goal().into_iter().for_each(|id| by_goal.entry(id).or_default().push(index));
        }
        let mut facts = Facts { plan, file, log, by_goal, done: Vec::new(), refs, past, older };
        let (record, mut digests) = (Record::new(plan), Digests::default());
        let done = plan.all_goals().filter(|goal| goal.status() == Status::Done);
        facts.done = done
            .map(|goal| DoneGoal {
                goal,
                standing: record.standing(goal, &mut digests),
                line: goal.id().and_then(|id| facts.last_sign_off(id)),
            })
            .collect();
        facts
    }

    /// The lines of `plan` about a goal, in file order.
    pub(super) fn about(&self, id: &str) -> impl DoubleEndedIterator<Item = &AuditLine<'s>> {
        self.by_goal.get(id).into_iter().flatten().map(|index| &self.log[*index])
    }

    fn last_sign_off(&self, id: &str) -> Option<(usize, SignOff<'s>)> {
        self.about(id).rev().find_map(|line| Some((line.at, line.signed_off()?.1)))
    }

    /// The plan at the revision that the caller named.
    pub(super) fn base(&self) -> Option<PastPlan<'s>> {
        self.past.filter(|then| then.past.rev.is_some())
    }

    /// The text of a contract that the log names by its digest, if a record or a version of the file still holds it.
    pub(super) fn contract(&self, id: &str, short: &str) -> Option<GoalContract> {
        let then = self.past.and_then(|then| same_goal(then.plan?, id)).map(goal_contract);
        then.filter(|contract| contract.digest.is_short(short))
            .or_else(|| self.refs?.contract(id, short))
            .or_else(|| (self.older)(id, short))
    }

    /// What turned the contract that the log names into the one that stands, in words.
    pub(super) fn change(&self, goal: GoalRef<'_, '_>, old: &str) -> String {
        let new = goal_contract(goal);
        let old_text = goal.id().and_then(|id| self.contract(id, old));
        match old_text.and_then(|old| Amendment::between(&old, &new)) {
            Some(amendment) => format!("{amendment} ({old} -> {})", new.digest.short()),
            None => format!("{old} -> {}; the old text is not available", new.digest.short()),
        }
    }
}

/// The goal of this id; the one above the archive where two have it.
pub(super) fn same_goal<'p, 'a>(plan: &'p Plan<'a>, id: &str) -> Option<GoalRef<'p, 'a>> {
    let mut goals = plan.all_goals().filter(|goal| goal.id() == Some(id));
    let first = goals.next()?;
    if first.raw().archived { goals.find(|goal| !goal.raw().archived).or(Some(first)) } else { Some(first) }
}

/// Where a goal's status stands, else its heading.
pub(super) fn status_at(goal: GoalRef<'_, '_>) -> usize {
    goal.field(Key::Status).map_or(goal.raw().heading, |field| field.lines).start as usize
}
