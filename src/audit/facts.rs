//! The data that the checks of an audit read.

use std::collections::{HashMap, HashSet};

use super::past::Past;
use super::refs::Refs;
use crate::plan::contract::{Amendment, Digests, GoalContract, goal_contract};
use crate::plan::log::{GoalEvent, LogLine};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{GoalRecords, SignOff, Standing};

/// The current plan, its log, its records, and its earlier version.
pub(super) struct AuditFacts<'s> {
    pub(super) plan: &'s Plan<'s>,
    /// The plan file relative to the top of the work tree.
    pub(super) file: &'s str,
    /// The log above the archive.
    pub(super) log: Vec<AuditLine<'s>>,
    by_goal: HashMap<&'s str, Vec<usize>>,
    /// Every goal with the status done, archived goals included.
    pub(super) done: Vec<DoneGoal<'s>>,
    /// `None` without a repository.
    pub(super) refs: Option<&'s Refs>,
    pub(super) past: Option<PastPlan<'s>>,
    /// Finds contracts in older versions of the plan file.
    pub(super) older: &'s dyn Fn(&str, &str) -> Option<GoalContract>,
}

/// An earlier version of the plan file; `plan` is `None` if the file did not exist.
#[derive(Clone, Copy)]
pub(super) struct PastPlan<'s> {
    pub(super) past: &'s Past,
    pub(super) plan: Option<&'s Plan<'s>>,
}

impl<'s> PastPlan<'s> {
    /// Returns the log of the earlier version, above the archive.
    pub(super) fn log(&self) -> Vec<AuditLine<'s>> {
        self.plan.map(|plan| lines(plan, false)).unwrap_or_default()
    }

    /// Returns the stamp and text of each line of that log.
    pub(super) fn known(&self) -> HashSet<(&'s str, &'s str)> {
        self.log().iter().map(AuditLine::key).collect()
    }
}

pub(super) struct DoneGoal<'s> {
    pub(super) goal: GoalRef<'s, 's>,
    pub(super) standing: Standing,
    /// The goal's last sign-off, with its place.
    pub(super) line: Option<(usize, SignOff<'s>)>,
}

impl<'s> AuditFacts<'s> {
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
        let mut facts = AuditFacts { plan, file, log, by_goal, done: Vec::new(), refs, past, older };
        let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
        let done = plan.all_goals().filter(|goal| goal.status() == Status::Done);
        let signed = |id: &str| facts.about(id).rev().find_map(|line| Some((line.at, line.signed_off()?.1)));
        facts.done = done
            .map(|goal| DoneGoal {
                goal,
                standing: record.standing(goal, &mut digests),
                line: goal.id().and_then(signed),
            })
            .collect();
        facts
    }

    /// Returns the lines that `plan` wrote about a goal, in file order.
    pub(super) fn about(&self, id: &str) -> impl DoubleEndedIterator<Item = &AuditLine<'s>> {
        self.by_goal.get(id).into_iter().flatten().map(|index| &self.log[*index])
    }

    /// Returns the plan at the revision that the caller named, if any.
    pub(super) fn base(&self) -> Option<PastPlan<'s>> {
        self.past.filter(|then| then.past.rev.is_some())
    }

    /// Finds the text of a contract that the log names by its digest, if a record or a version of the file still holds it.
    pub(super) fn contract(&self, id: &str, short: &str) -> Option<GoalContract> {
        let then = self.past.and_then(|then| same_goal(then.plan?, id)).map(goal_contract);
        then.filter(|contract| contract.digest.is_short(short))
            .or_else(|| self.refs?.contract(id, short))
            .or_else(|| (self.older)(id, short))
    }

    /// Describes in words how the contract that the log names became the current one.
    pub(super) fn change(&self, goal: GoalRef<'_, '_>, old: &str) -> String {
        let new = goal_contract(goal);
        let old_text = goal.id().and_then(|id| self.contract(id, old));
        match old_text.and_then(|old| Amendment::between(&old, &new)) {
            Some(amendment) => format!("{amendment} ({old} -> {})", new.digest.short()),
            None => format!("{old} -> {}; the old text is not available", new.digest.short()),
        }
    }
}

/// Finds the goal with this id; if two goals have it, the one above the archive.
pub(super) fn same_goal<'p, 'a>(plan: &'p Plan<'a>, id: &str) -> Option<GoalRef<'p, 'a>> {
    let mut goals = plan.all_goals().filter(|goal| goal.id() == Some(id));
    let first = goals.next()?;
    if first.raw().archived { goals.find(|goal| !goal.raw().archived).or(Some(first)) } else { Some(first) }
}

/// Returns the place of a goal's status, or of its heading if it has no status.
pub(super) fn status_at(goal: GoalRef<'_, '_>) -> usize {
    goal.field(Key::Status).map_or(goal.raw().heading, |field| field.lines).start as usize
}

#[derive(Clone, Copy, Debug)]
pub(super) struct AuditLine<'a> {
    /// Byte offset in the plan file.
    pub(super) at: usize,
    pub(super) stamp: &'a str,
    pub(super) text: &'a str,
    /// The goal that the line is about, and the event, if `plan` wrote the line.
    pub(super) said: Option<(&'a str, GoalEvent<'a>)>,
}

impl<'a> AuditLine<'a> {
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.stamp, self.text)
    }

    pub(super) fn goal(&self) -> Option<&'a str> {
        self.said.map(|(id, _)| id)
    }

    /// Returns the event that the line reports about that goal.
    pub(super) fn event(&self) -> Option<GoalEvent<'a>> {
        self.said.map(|(_, event)| event)
    }

    pub(super) fn signed_off(&self) -> Option<(&'a str, SignOff<'a>)> {
        match self.said? {
            (id, GoalEvent::SignedOff(line)) => Some((id, line)),
            _ => None,
        }
    }
}

/// Returns the log lines in file order; with `archived`, the lines below the archive too.
pub(super) fn lines<'a>(plan: &Plan<'a>, archived: bool) -> Vec<AuditLine<'a>> {
    let sections = plan.logs.iter().filter(|log| archived || !log.archived);
    let lines = sections.flat_map(|log| &plan.log[log.lines.start as usize..log.lines.end as usize]);
    lines
        .map(|line| {
            let text = plan.text(line.text);
            let said = LogLine::parse(text).and_then(LogLine::goal);
            AuditLine { at: line.line.start as usize, stamp: plan.text(line.stamp), text, said }
        })
        .collect()
}
