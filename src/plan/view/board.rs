//! A plan that is read once for the views that show its goals: the list and the live view.

use super::groups::Groups;
use super::remarks::{Remark, Remarks};
use super::{Style, sign, style_of};
use crate::plan::log::{GoalEvent, LogLine};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{GoalRecords, Needs, Rejection};

/// The goals of a plan in the groups of the list, with their remarks and the goals that they wait for.
pub struct Board<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) needs: Needs<'a>,
    pub(super) record: GoalRecords<'a>,
    pub(super) remarks: Remarks,
    pub(super) groups: Groups<'p, 'a>,
}

/// A group of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// With a remark to look at.
    Look,
    /// Being worked on.
    Active,
    /// Open: ready, then waiting.
    Open,
    /// Signed off.
    Done,
    /// Given up.
    Cancelled,
}

/// How many goals a plan has, without the archived ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalTally {
    /// Goals that are done and covered by a sign-off.
    pub signed_off: usize,
    /// All goals that are not cancelled.
    pub all: usize,
    /// Being worked on.
    pub active: usize,
    /// Goals to look at, and remarks about no goal such as lint errors outside goals.
    pub look: usize,
}

impl<'p, 'a> Board<'p, 'a> {
    /// Reads a plan.
    pub fn new(plan: &'p Plan<'a>) -> Self {
        let (needs, record) = (Needs::new(plan), GoalRecords::new(plan));
        let remarks = Remarks::new(plan, &record);
        let groups = Groups::new(plan, &needs, &remarks);
        Board { plan, needs, record, remarks, groups }
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan<'a> {
        self.plan
    }

    /// Every goal in the order of the list, with its group.
    pub fn goals(&self) -> impl Iterator<Item = (Group, GoalRef<'p, 'a>)> + '_ {
        let groups = &self.groups;
        let all = [
            (Group::Look, &groups.look),
            (Group::Active, &groups.active),
            (Group::Open, &groups.ready),
            (Group::Open, &groups.waiting),
            (Group::Done, &groups.done),
            (Group::Cancelled, &groups.cancelled),
        ];
        all.into_iter().flat_map(|(group, goals)| goals.iter().map(move |goal| (group, *goal)))
    }

    /// The remarks about a goal.
    pub fn remarks(&self, goal: GoalRef<'_, '_>) -> impl Iterator<Item = &Remark> {
        self.remarks.of(goal)
    }

    /// The remarks about no goal.
    pub fn others(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.others()
    }

    /// The sign in front of a goal: `!` if it has a remark and is not active.
    pub fn mark(&self, goal: GoalRef<'_, '_>) -> (Style, &'static str) {
        let is_looked_at = goal.status() != Status::Active && self.remarks.of(goal).next().is_some();
        if is_looked_at { (Style::Bad, "!") } else { (style_of(goal.status()), sign(goal.status())) }
    }

    /// The needs of a goal, each with whether it is signed off.
    pub fn needs(&self, goal: GoalRef<'_, 'a>) -> Vec<(String, bool)> {
        let missing = self.needs.missing(goal);
        self.needs.of(goal).into_iter().map(|id| (!missing.contains(&id), id)).map(|(done, id)| (id, done)).collect()
    }

    /// The number of goals that a goal waits for.
    pub fn waits(&self, goal: GoalRef<'_, 'a>) -> usize {
        if goal.status().is_finished() || self.needs.are_done(goal) {
            return 0;
        }
        self.needs.missing(goal).len()
    }

    /// The last rejection of a goal with its stamp, unless the goal was signed off, started again or cancelled since.
    pub fn rejection(&self, goal: GoalRef<'_, '_>) -> Option<(&'a str, Rejection<'a>)> {
        let rejection = self.record.rejection(goal)?;
        let is_it = |text: &str| {
            let event = LogLine::parse(text).and_then(LogLine::goal);
            matches!(event, Some((id, GoalEvent::Rejected { .. })) if Some(id) == goal.id())
        };
        let (stamp, _) = self.plan.log_lines().rev().find(|(_, text)| is_it(text))?;
        Some((short_stamp(stamp), rejection))
    }

    /// Counts the goals.
    pub fn tally(&self) -> GoalTally {
        let live = || self.plan.live_goals();
        let done = live().filter(|goal| goal.status() == Status::Done).count();
        let active = &self.groups.active;
        GoalTally {
            signed_off: done - self.record.unsigned(self.plan).len(),
            all: live().filter(|goal| goal.status() != Status::Cancelled).count(),
            active: active.len(),
            look: active.iter().filter(|goal| self.remarks.of(**goal).next().is_some()).count()
                + self.groups.look.len()
                + self.remarks.others().count(),
        }
    }
}

/// `06-19 17:31` of `2026-06-19 17:31`
pub fn short_stamp(stamp: &str) -> &str {
    stamp.get(5..).unwrap_or(stamp)
}
