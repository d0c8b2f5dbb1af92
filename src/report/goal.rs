//! The goals of a report.

mod verdict;

use serde::Serialize;

use super::changes::{ChangeView, changes};
use super::facts::{GoalState, ReportFacts};
use super::{prose, stamp};
use crate::plan::log::GoalEvent;
use crate::plan::model::{GoalRef, Mark};

pub(super) use verdict::{Criterion, CriterionAnswer, Rejection, SignOffView};

/// The number of signed-off and cancelled goals, the newest ones, that have a body. Each older goal is one line; plan.md has its contract.
const BODIES: usize = 100;

/// A goal.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReportGoal {
    pub(super) anchor: String,
    pub(super) id: Option<String>,
    pub(super) subject: String,
    pub(super) state: GoalState,
    /// `active, 2 of 4 steps`
    pub(super) told: String,
    /// The name of each goal that it needs and, if the page has the goal, its anchor.
    pub(super) needs: Vec<(String, Option<String>)>,
    /// `None` for the default priority.
    pub(super) priority: Option<u8>,
    /// `None` for an old goal in a long report.
    pub(super) body: Option<Body>,
}

/// The part of a goal that unfolds.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Body {
    pub(super) changes: Vec<ChangeView>,
    pub(super) rejection: Option<Rejection>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) verify: Option<String>,
    pub(super) failure_modes: Vec<Criterion>,
    pub(super) may_change: Vec<String>,
    pub(super) steps: Vec<StepView>,
    /// The reason for the cancellation.
    pub(super) cancelled: Option<String>,
    /// Prose as Markdown.
    pub(super) notes: String,
    pub(super) sign_off: Option<SignOffView>,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StepView {
    /// `pending`, `active`, `complete`, `failed`, `skipped`
    #[serde(rename = "mark")]
    word: &'static str,
    #[serde(skip)]
    mark: Mark,
    pub(super) number: Option<u32>,
    pub(super) text: String,
    pub(super) outcome: Option<String>,
}

/// The goals in the order of [`GoalState`]; open goals that wait follow the ready ones. By priority, ended goals by date, newest first.
pub(super) fn goals(facts: &ReportFacts<'_, '_>) -> Vec<ReportGoal> {
    let mut goals: Vec<GoalRef<'_, '_>> = facts.shown().collect();
    let is_ended = |goal: &GoalRef<'_, '_>| matches!(facts.state(*goal), GoalState::SignedOff | GoalState::Cancelled);
    goals.sort_by_key(|goal| {
        let waits = facts.state(*goal) == GoalState::Open && !facts.needs.is_ready(*goal);
        let (rank, ended) = match is_ended(goal) {
            true => (0, ended(facts, *goal)),
            false => (goal.priority(), None),
        };
        (facts.state(*goal), waits, rank, std::cmp::Reverse(ended))
    });
    let mut newest: Vec<_> = goals.iter().filter(|goal| is_ended(goal)).collect();
    newest.sort_by_key(|goal| std::cmp::Reverse(ended(facts, **goal)));
    let lines: std::collections::HashSet<usize> = newest.iter().skip(BODIES).map(|goal| goal.index()).collect();
    goals.iter().map(|goal| view(facts, *goal, !lines.contains(&goal.index()))).collect()
}

/// The stamp of a goal's last sign-off or cancellation.
fn ended<'a>(facts: &ReportFacts<'_, 'a>, goal: GoalRef<'_, '_>) -> Option<&'a str> {
    let is_end = |event: &GoalEvent<'_>| matches!(event, GoalEvent::SignedOff(_) | GoalEvent::Cancelled { .. });
    facts.history(goal).iter().rev().find(|dated| is_end(&dated.event)).map(|dated| dated.at)
}

fn view(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>, has_body: bool) -> ReportGoal {
    let state = facts.state(goal);
    let needs = facts.names.of(goal).into_iter().map(|need| {
        let anchor = facts.named(&need.name).and_then(|(_, anchor)| anchor.map(str::to_owned));
        (need.name, anchor)
    });
    ReportGoal {
        anchor: facts.anchor(goal).to_owned(),
        id: goal.id().map(str::to_owned),
        subject: goal.subject().to_owned(),
        state,
        told: describe_state(facts, goal),
        needs: needs.collect(),
        priority: Some(goal.priority()).filter(|priority| *priority != 2),
        body: has_body.then(|| body(facts, goal)),
    }
}

/// The state in words.
fn describe_state(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>) -> String {
    let on = || ended(facts, goal).map(|at| format!(" {}", stamp::day(at))).unwrap_or_default();
    match facts.state(goal) {
        GoalState::NotCovered if facts.sign_off(goal).is_some() => "done, not covered".to_owned(),
        GoalState::NotCovered => "done, never signed off".to_owned(),
        GoalState::Active => match goal.progress() {
            (_, 0) => "active".to_owned(),
            (settled, all) => format!("active, {settled} of {all} steps"),
        },
        GoalState::Open => match facts.needs.missing(goal).len() {
            0 => "ready".to_owned(),
            count => format!("waits for {count}"),
        },
        GoalState::SignedOff => format!("signed off{}", on()),
        GoalState::Cancelled => format!("cancelled{}", on()),
    }
}

fn body(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>) -> Body {
    let state = facts.state(goal);
    let first = goal.raw().steps.start as usize;
    let steps = (first..first + goal.steps().len()).filter_map(|index| facts.plan.step(index)).map(|step| StepView {
        word: step.raw().mark.word(),
        mark: step.raw().mark,
        number: step.raw().number,
        text: step.text().to_owned(),
        outcome: step.outcome().map(str::to_owned),
    });
    let cancelled = facts.history(goal).iter().rev().find_map(|dated| match dated.event {
        GoalEvent::Cancelled { reason } => Some(reason.to_owned()),
        _ => None,
    });
    let mut body = Body {
        changes: changes(facts, goal),
        verify: goal.verify().map(std::borrow::Cow::into_owned),
        may_change: goal.may_change(),
        steps: steps.collect(),
        cancelled: cancelled.filter(|_| state == GoalState::Cancelled),
        notes: prose::of_goal(goal),
        ..Body::default()
    };
    verdict::put(facts, goal, &mut body);
    body
}

impl StepView {
    /// The word of the mark.
    pub(super) const fn word(&self) -> &'static str {
        self.word
    }

    /// The sign before a step and the class for its colour.
    pub(super) fn sign(&self) -> (&'static str, &'static str) {
        match self.mark {
            Mark::Complete => ("✓", "good"),
            Mark::Active => ("●", "now"),
            Mark::Failed => ("✗", "bad"),
            Mark::Skipped => ("–", "soft"),
            Mark::Pending => ("○", "soft"),
        }
    }
}
