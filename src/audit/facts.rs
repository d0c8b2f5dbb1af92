//! What the checks of an audit look at.

use std::collections::{HashMap, HashSet};

use super::past::Past;
use super::refs::Refs;
use crate::plan::contract::{Amendment, Digests, GoalContract, goal_contract};
use crate::plan::log::{GoalEvent, LogLine};
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

    /// The lines of `plan` about a goal, in file order.
    pub(super) fn about(&self, id: &str) -> impl DoubleEndedIterator<Item = &AuditLine<'s>> {
        self.by_goal.get(id).into_iter().flatten().map(|index| &self.log[*index])
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

/// One log line.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuditLine<'a> {
    /// Byte offset in the plan file.
    pub(super) at: usize,
    pub(super) stamp: &'a str,
    pub(super) text: &'a str,
    /// The goal that it is about, and what it says, where it is a line of `plan`.
    pub(super) said: Option<(&'a str, GoalEvent<'a>)>,
}

impl<'a> AuditLine<'a> {
    /// Stamp and text.
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.stamp, self.text)
    }

    /// The goal that it is about.
    pub(super) fn goal(&self) -> Option<&'a str> {
        self.said.map(|(id, _)| id)
    }

    /// What it says about that goal.
    pub(super) fn event(&self) -> Option<GoalEvent<'a>> {
        self.said.map(|(_, event)| event)
    }

    /// The goal and its sign-off, where it is one.
    pub(super) fn signed_off(&self) -> Option<(&'a str, SignOff<'a>)> {
        match self.said? {
            (id, GoalEvent::SignedOff(line)) => Some((id, line)),
            _ => None,
        }
    }
}

/// The lines in file order; with `archived` those below the archive too.
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
