//! Selects and orders the goals of a list.

use super::remarks::Remarks;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{Needs, workable};

/// The state of a goal, finer than its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// Not begun: ready or waiting.
    Open,
    /// Not begun, and ready: see [`Needs::is_ready`].
    Ready,
    /// Not begun, and waiting: for other goals, or for its turn in contract mode.
    Waiting,
    /// Being worked on.
    Active,
    /// Its status is `done`, with or without a sign-off.
    Done,
    /// Given up.
    Cancelled,
}

impl StatusFilter {
    /// Every word that [`StatusFilter::from_word`] accepts.
    pub const WORDS: [&str; 6] = ["open", "ready", "waiting", "active", "done", "cancelled"];

    /// Returns the filter with this name: the variants in lower case.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "open" => StatusFilter::Open,
            "ready" => StatusFilter::Ready,
            "waiting" => StatusFilter::Waiting,
            "active" => StatusFilter::Active,
            "done" => StatusFilter::Done,
            "cancelled" => StatusFilter::Cancelled,
            _ => return None,
        })
    }
}

/// Selects goals; by default all that are not finished.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The goals with one of these; all goals if it is empty.
    pub statuses: Vec<StatusFilter>,
    /// The goals that need the goal with this name: its id, else its subject.
    pub needs: Option<String>,
    /// The goals with this text in their id or subject, in any case.
    pub text: String,
}

impl Filter {
    /// Whether the filter is the default one.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty() && self.needs.is_none() && self.text.is_empty()
    }

    /// Whether the filter selects a goal.
    pub fn takes<'a>(&self, goal: GoalRef<'_, 'a>, needs: &Needs<'a>) -> bool {
        let statuses = |status: &StatusFilter| match status {
            StatusFilter::Open => goal.status() == Status::Open,
            StatusFilter::Ready => goal.status() == Status::Open && needs.is_ready(goal),
            StatusFilter::Waiting => goal.status() == Status::Open && !needs.is_ready(goal),
            StatusFilter::Active => goal.status() == Status::Active,
            StatusFilter::Done => goal.status() == Status::Done,
            StatusFilter::Cancelled => goal.status() == Status::Cancelled,
        };
        let wanted = self.text.to_lowercase();
        let has_text = |text: &str| text.to_lowercase().contains(&wanted);
        (self.statuses.is_empty() || self.statuses.iter().any(statuses))
            && self.needs.as_ref().is_none_or(|need| needs.of(goal).contains(need))
            && (wanted.is_empty() || has_text(goal.subject()) || goal.id().is_some_and(has_text))
    }
}

/// The goals of a plan in the groups of the list.
#[derive(Debug, Default)]
pub(super) struct Groups<'p, 'a> {
    /// With a remark to look at, and not active; archived goals too.
    pub(super) look: Vec<GoalRef<'p, 'a>>,
    /// Being worked on: first the goals that wait for nothing, then the others; each by priority.
    pub(super) active: Vec<GoalRef<'p, 'a>>,
    /// Open and ready, by priority.
    pub(super) ready: Vec<GoalRef<'p, 'a>>,
    /// Open and waiting, by priority; in contract mode in file order.
    pub(super) waiting: Vec<GoalRef<'p, 'a>>,
    /// Done with nothing to look at.
    pub(super) done: Vec<GoalRef<'p, 'a>>,
    /// Given up.
    pub(super) cancelled: Vec<GoalRef<'p, 'a>>,
}

impl<'p, 'a> Groups<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>, needs: &Needs<'a>, remarks: &Remarks) -> Self {
        let mut groups = Groups::default();
        let has_remark = |goal: &GoalRef<'p, 'a>| remarks.of(*goal).next().is_some();
        for goal in plan.all_goals() {
            match goal.status() {
                Status::Active if !goal.raw().archived => {}
                _ if has_remark(&goal) => groups.look.push(goal),
                _ if goal.raw().archived => {}
                Status::Done => groups.done.push(goal),
                Status::Cancelled => groups.cancelled.push(goal),
                Status::Open if !needs.is_ready(goal) => groups.waiting.push(goal),
                Status::Open | Status::Active => {}
            }
        }
        if !needs.is_in_file_order(plan) {
            groups.waiting.sort_by_key(|goal| goal.priority());
        }
        for goal in workable(plan) {
            match goal.status() {
                Status::Active => groups.active.push(goal),
                _ if has_remark(&goal) => {}
                _ => groups.ready.push(goal),
            }
        }
        groups
    }

    /// Keeps the goals that `takes` accepts.
    pub(super) fn retain(&mut self, takes: impl Fn(GoalRef<'p, 'a>) -> bool) {
        for group in
            [&mut self.look, &mut self.active, &mut self.ready, &mut self.waiting, &mut self.done, &mut self.cancelled]
        {
            group.retain(|goal| takes(*goal));
        }
    }
}

/// The text that is shown if no goal is above the archive.
pub(super) fn no_goals(plan: &Plan<'_>) -> String {
    let none = match plan.all_goals().filter(|goal| goal.raw().archived).count() {
        0 => "no goals yet".to_owned(),
        count => format!("no goals above the archive, {count} in it"),
    };
    format!("{none}: plan goal add \"subject\"")
}
