//! Facts about a plan and its records, read once and used by every part of a report.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::audit::records::Records;
use crate::plan::contract::Digests;
use crate::plan::log::{GoalEvent, LogLine, SignOff};
use crate::plan::lookup::NeedNames;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{GoalRecords, Needs, Standing};
use crate::plan::view;

/// The state of a goal; the variants are in the order of goals in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum GoalState {
    /// Its status is done, but no sign-off covers its contract.
    NotCovered,
    /// Being worked on.
    Active,
    /// Not begun.
    Open,
    /// A sign-off covers it.
    SignedOff,
    /// Cancelled.
    Cancelled,
}

impl GoalState {
    pub(super) const ALL: [GoalState; 5] =
        [GoalState::NotCovered, GoalState::Active, GoalState::Open, GoalState::SignedOff, GoalState::Cancelled];

    /// The sign before a goal.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            GoalState::NotCovered => "!",
            GoalState::Active => "●",
            GoalState::Open => "○",
            GoalState::SignedOff => "✓",
            GoalState::Cancelled => "–",
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            GoalState::NotCovered => "not covered",
            GoalState::Active => "active",
            GoalState::Open => "open",
            GoalState::SignedOff => "signed off",
            GoalState::Cancelled => "cancelled",
        }
    }
}

/// An event of a goal with its stamp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dated<'a> {
    pub(super) at: &'a str,
    pub(super) event: GoalEvent<'a>,
}

/// A plan with all facts about it.
pub(super) struct ReportFacts<'f, 'a> {
    pub(super) plan: &'f Plan<'a>,
    pub(super) records: &'f Records,
    pub(super) needs: Needs<'a>,
    pub(super) names: NeedNames<'a>,
    pub(super) record: GoalRecords<'a>,
    /// Each remark with the index of its goal.
    pub(super) remarks: Vec<(Option<usize>, view::Remark)>,
    history: HashMap<&'a str, Vec<Dated<'a>>>,
    /// Indexed by goal.
    states: Vec<GoalState>,
    anchors: Vec<String>,
    /// The first goal of each id.
    ids: HashMap<&'a str, usize>,
    /// Archived goals with remarks.
    archived: HashSet<usize>,
}

impl<'f, 'a> ReportFacts<'f, 'a> {
    pub(super) fn new(plan: &'f Plan<'a>, records: &'f Records) -> Self {
        let mut history: HashMap<&'a str, Vec<Dated<'a>>> = HashMap::new();
        for (at, text) in plan.log_lines() {
            if let Some((id, event)) = LogLine::parse(text).and_then(LogLine::goal) {
                history.entry(id).or_default().push(Dated { at, event });
            }
        }
        let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
        let mut ids = HashMap::new();
        let (mut states, mut anchors) = (Vec::new(), Vec::new());
        for goal in plan.all_goals() {
            let is_first = goal.id().is_some_and(|id| *ids.entry(id).or_insert(goal.index()) == goal.index());
            anchors.push(match goal.id().filter(|_| is_first) {
                Some(id) => format!("g-{id}"),
                None => format!("goal-{}", goal.index() + 1),
            });
            states.push(match goal.status() {
                Status::Done if record.standing(goal, &mut digests) == Standing::SignedOff => GoalState::SignedOff,
                Status::Done => GoalState::NotCovered,
                Status::Active => GoalState::Active,
                Status::Open => GoalState::Open,
                Status::Cancelled => GoalState::Cancelled,
            });
        }
        let remarks = view::remarks(plan);
        let is_archived = |index: &usize| plan.goal(*index).is_some_and(|goal| goal.raw().archived);
        let archived = remarks.iter().filter_map(|(goal, _)| *goal).filter(is_archived).collect();
        let (needs, names) = (Needs::new(plan), NeedNames::new(plan));
        ReportFacts { plan, records, needs, names, record, remarks, history, states, anchors, ids, archived }
    }

    /// The goals of the report in file order: the goals above the archive, and the archived goals with remarks.
    pub(super) fn shown(&self) -> impl Iterator<Item = GoalRef<'f, 'a>> + '_ {
        self.plan.all_goals().filter(|goal| !goal.raw().archived || self.archived.contains(&goal.index()))
    }

    pub(super) fn state(&self, goal: GoalRef<'_, '_>) -> GoalState {
        self.states[goal.index()]
    }

    /// The anchor of a goal in the page: `g-<id>`, or `goal-<number>` without an id of its own.
    pub(super) fn anchor(&self, goal: GoalRef<'_, '_>) -> &str {
        &self.anchors[goal.index()]
    }

    /// The subject of the goal with this id and, if the page has it, its anchor.
    pub(super) fn named(&self, id: &str) -> Option<(&'a str, Option<&str>)> {
        let goal = self.plan.goal(*self.ids.get(id)?)?;
        let is_shown = !goal.raw().archived || self.archived.contains(&goal.index());
        Some((goal.subject(), is_shown.then(|| self.anchor(goal))))
    }

    /// The log's events about a goal, in file order. If two goals share an id, only the first has a history.
    pub(super) fn history(&self, goal: GoalRef<'_, '_>) -> &[Dated<'a>] {
        let of = |id: &str| self.history.get(id).filter(|_| self.ids.get(id) == Some(&goal.index()));
        goal.id().and_then(of).map(Vec::as_slice).unwrap_or_default()
    }

    /// The last sign-off of a goal with its place in the history and its stamp, whether or not it covers the contract.
    pub(super) fn sign_off(&self, goal: GoalRef<'_, '_>) -> Option<(usize, &'a str, SignOff<'a>)> {
        self.history(goal).iter().enumerate().rev().find_map(|(index, dated)| match dated.event {
            GoalEvent::SignedOff(line) => Some((index, dated.at, line)),
            _ => None,
        })
    }
}
